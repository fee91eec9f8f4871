"""Rates, forces and their derivatives of any circuit, against the paper's formulas."""

from hydraulic_truth import PaperCircuit
from hypothesis import assume, given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.constraints.relation import Coordinate
from mb_model.hydraulics import Circuit
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.hydraulics import read_hydraulics
from mb_model.mechanism_file.repetition import completed
from mb_model.mechanism_file.schema import definition

TINY = 1e-30


def numbers(low, high):
    """Return a strategy for floats."""
    return st.floats(low, high, allow_subnormal=False)


@st.composite
def circuits(draw):
    """Return the mapping of a circuit; its pressures at the start are given."""
    volumes = [f'v{k}' for k in range(draw(st.integers(1, 4)))]
    supplies = ['pump', 'tank']
    places = st.sampled_from(volumes + supplies)
    pairs = st.lists(places, min_size=2, max_size=2, unique=True)
    nominal = {'flow': 1e-4 * draw(numbers(0.1, 5.0)), 'pressure_drop': 3.5e6}
    raw = {
        'oil': {'air': draw(numbers(0.0, 0.01)), 'bulk_modulus': 1.4e9},
        'supplies': {'pump': draw(numbers(5e6, 2e7)), 'tank': 2e5},
        'volumes': {name: {'volume': 1e-4 * draw(numbers(0.1, 5.0)), 'bulk_modulus': 1e9,
                           'start': 1e6} for name in volumes},
        'cylinders': {}, 'valves': {}}
    for k in range(draw(st.integers(1, 3))):
        sides = dict(zip(('piston_side', 'rod_side'),
                         draw(pairs)[:draw(st.integers(1, 2))], strict=False))
        raw['cylinders'][f'c{k}'] = {
            'coordinate': f's{k}', 'retracted': 0.5, 'stroke': 0.4, **sides,
            'piston_diameter': 0.05, 'rod_diameter': draw(numbers(0.0, 0.04)),
            'leakage': draw(st.sampled_from([0.0, 1e-12])),
            'friction': {'coulomb': 200.0, 'static': draw(numbers(200.0, 400.0)), 'viscous': 900.0,
                         'pressure_difference': 1e-5, 'rod_pressure': 2e-5}}
    for k in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(['directional', 'two_way', 'throttle']))
        ends = draw(pairs)
        ports = {'from': ends[0], 'to': ends[1]}
        if kind == 'directional':
            ports = {'P': 'pump', 'T': 'tank', 'A': volumes[0]}
            if len(volumes) > 1:
                ports['B'] = volumes[-1]
        raw['valves'][f'u{k}'] = {'kind': kind, **ports, **nominal}
    return raw


def both(raw):
    """Return the Circuit of a mapping and the PaperCircuit of it with its defaults."""
    entries, c = Entries('circuit.yaml'), len(raw['cylinders'])
    whole = completed(entries, 'hydraulics', raw, definition('hydraulics'), {})
    coordinates = {f's{k}': Coordinate(f's{k}', 'distance', 'm', points=('A', 'B'))
                   for k in range(c)}
    described = read_hydraulics(entries, whole, coordinates)
    return (Circuit(described, list(coordinates), [1e6] * len(raw['volumes'])),
            PaperCircuit(whole))


def by_complex_step(function, x):
    """Return the derivatives of an analytic function of an array, a column for each entry."""
    unit = np.eye(len(x)) * 1j * TINY
    return np.stack([function(x + step).imag / TINY for step in unit], axis=-1)


def same(found, truth):
    """Compare arrays with the largest entry as the measure."""
    scale = max(1.0, np.abs(truth).max(initial=0.0))
    np.testing.assert_allclose(found, truth, atol=1e-10 * scale)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_circuit_flows_and_pushes_as_the_paper_says(data):
    raw = data.draw(circuits())
    circuit, paper = both(raw)
    v, u, c = len(circuit.volumes), len(circuit.valves), len(circuit.cylinders)

    def draw(size, low, high):
        return np.array(data.draw(st.lists(numbers(low, high), min_size=size, max_size=size)))

    s, sd, p, U = draw(c, 0.51, 0.89), draw(c, -0.2, 0.2), draw(v, 2e5, 2e7), draw(u, -1.0, 1.0)
    U = np.maximum(U, circuit.least_command)
    everywhere = np.array([*p, *raw['supplies'].values(), 101325.0])
    drops = np.abs(everywhere[:, None] - everywhere)
    assume((np.abs(U) > 1e-6).all() and (np.abs(drops - 2e5) > 1.0).all())
    assume((drops[~np.eye(len(drops), dtype=bool)] > 1.0).all())      # |p1 - p2| in the friction
    U_in = np.zeros(u)
    for found, truth in zip(circuit.rates(s, sd, p, U, U_in),
                            paper.rates(s, sd, p, U, U_in), strict=True):
        same(found, truth)
    same(circuit.force(p, sd), paper.force(p, sd))
    found = circuit.derivatives(s, sd, p, U)
    same(found.pd_s, by_complex_step(lambda x: paper.rates(x, sd, p, U, U_in)[0], s))
    same(found.pd_sd, by_complex_step(lambda x: paper.rates(s, x, p, U, U_in)[0], sd))
    same(found.pd_p, by_complex_step(lambda x: paper.rates(s, sd, x, U, U_in)[0], p))
    if u:
        same(found.pd_U, by_complex_step(lambda x: paper.rates(s, sd, p, x, U_in)[0], U))
        same(found.Ud_U, by_complex_step(lambda x: paper.rates(s, sd, p, x, U_in)[1], U))
    by_sd, by_p = circuit.force_derivatives(p, sd)
    same(np.diag(by_sd), by_complex_step(lambda x: paper.force(p, x), sd))
    same(by_p, by_complex_step(lambda x: paper.force(x, sd), p))


@settings(deadline=None, max_examples=20)
@given(st.data())
def test_path_matrices_say_the_same_as_the_kernels(data):
    circuit, _ = both(data.draw(circuits()))
    v, u, c = len(circuit.volumes), len(circuit.valves), len(circuit.cylinders)
    p = np.linspace(1e6, 1.5e7, v)
    s, sd, U = np.full(c, 0.7), np.linspace(-0.1, 0.2, c), np.full(u, 0.5)
    pd, _ = circuit.rates(s, sd, p, U, U)
    growth = circuit.T_Vcyl @ (circuit.area * (circuit.T_sz @ sd))      # Eq. (16)
    net = circuit.T_pQ @ circuit.flows(p, U) - growth                   # Eq. (18)
    stiffness = -circuit.derivatives(s, sd, p, U).pd_sd                 # Eq. (28): B_e / V times A
    area = circuit.T_Vcyl * circuit.area @ circuit.T_sz
    for n in range(v):
        if area[n].any():
            k = np.abs(area[n]).argmax()
            same(pd[n], stiffness[n, k] / area[n, k] * net[n])


def test_the_crane_has_the_topology_of_the_paper():
    circuit = load_mechanism('crane').circuit
    assert (circuit.volumes, circuit.valves, circuit.cylinders) == (
        ('v1', 'v2'), ('directional',), ('lift',))
    np.testing.assert_array_equal(circuit.T_pQ, [[1, 0, 0, -1], [0, -1, 1, 0]])   # PA BT PB AT
    np.testing.assert_array_equal(circuit.T_Vcyl, np.eye(2))
    np.testing.assert_array_equal(circuit.T_sz, [[1], [-1]])


def test_friction_has_its_peak_at_the_transition_velocity():
    circuit = load_mechanism('crane').circuit
    v_s, p = circuit.transition_velocity[0], np.full(2, 101325.0)
    velocities = np.linspace(0.0, 3 * v_s, 300)
    dry = [circuit.friction(p, [v])[0] - 3000.0 * v for v in velocities]
    assert velocities[np.argmax(dry)] == pytest.approx(v_s, rel=0.15)
    assert max(dry) == pytest.approx(400.0, rel=0.01)
    assert circuit.friction(p, [0.0]) == 0.0
    assert circuit.friction(p, [0.1])[0] == pytest.approx(300.0 + 3000.0 * 0.1, rel=0.01)
