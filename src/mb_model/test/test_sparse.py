"""Large mechanisms: sparse storage against dense, against closed forms, and its limits."""

from hypothesis import given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, planar_names
import pytest
from scipy.integrate import solve_ivp
from spatial_machines import FORCES as SPATIAL_FORCES, on_joint

from mb_model import MechanismError, StepError, load_mechanism, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.kernels.sparse_band import band_factor, band_solve, band_solve_transposed, band_stride
from mb_model.kernels.sparse_tangent import profile_factor, profile_solve
from mb_model.mechanism import Mechanism

IN_SPACE = ('six_axis_arm', 'quadruped_leg', 'stewart', 'delta', 'bricard', 'spatial_slider_crank')
PAIRS = {name: (load_mechanism(name, 'dense'), load_mechanism(name, 'sparse'))
         for name in (*planar_names(), *IN_SPACE)}
TURN = float(Mechanism(MANY_KINDS, 'many_kinds').z0[1])
DRIVE = {'drive': {'kind': 'prescribed', 'coordinate': 'turn', 'motion': 'TURN + sin(3 * t)'}}
RAWS = {'many_kinds': {**MANY_KINDS, 'forces': MANY_FORCES},
        'driven': {**MANY_KINDS, 'forces': MANY_FORCES,
                   'constraints': MANY_KINDS['constraints'] | DRIVE,
                   'independent': ['theta'], 'parameters': {'TURN': TURN}},
        **{kind: on_joint(kind, more={'forces': SPATIAL_FORCES})
           for kind in ('cylindrical', 'screw', 'universal', 'spherical')}}
PAIRS |= {name: tuple(Mechanism(raw, name, storage) for storage in ('dense', 'sparse'))
          for name, raw in RAWS.items()}
STEPS = [(name, formulation, integrator) for name, (mechanism, _) in PAIRS.items()
         for formulation, kind in FORMULATIONS.items()
         if mechanism.dimension in kind.sparse_dimensions
         and (mechanism.dimension == 2 or 2 in kind.sparse_dimensions)
         for integrator in kind.integrators]


def chain(links, **more):
    """Return a chain of so many links on hinges, about y and x in turn, hanging down."""
    return Mechanism({
        'name': 'chain', 'dimension': 3, 'parameters': {'links': links},
        'repeat': {'links': {
            'count': 'links',
            'bodies': {'link<i+1>': {
                'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]},
                'shapes': [{'kind': 'cylinder', 'from': 'A', 'to': 'B', 'radius': 0.02}]}},
            'joints': {'hinge<i+1>': {'kind': 'revolute', 'bodies': ['link<i>', 'link<i+1>'],
                                      'at': ['B', 'A'], 'axis': ['(1 - (-1) ** i) / 2',
                                                                 '(1 + (-1) ** i) / 2', 0]}},
            'coordinates': {'turn<i+1>': {'kind': 'angle', 'joint': 'hinge<i+1>'}}}},
        'joints': {'hinge1': {'bodies': ['ground', 'link1'], 'at': [[0, 0, 0], 'A']}},
        'independent': [f'turn{k + 1}' for k in range(links)]} | more, 'chain.yaml')


def same(dense, sparse, share=1e-9):
    """Assert equality to a share of the largest number."""
    dense = np.asarray(dense)
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=share * (1.0 + np.abs(dense).max()))


@pytest.mark.parametrize('name', PAIRS)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2 ** 32 - 1))
def test_answers_are_those_of_dense_storage(name, seed):
    dense, sparse = PAIRS[name]
    assert (dense.is_sparse, sparse.is_sparse) == (False, True)
    rng = np.random.default_rng(seed)
    z = dense.z0 + rng.uniform(-0.02, 0.02, dense.g)
    zd, zdd, force = rng.normal(size=(3, dense.g))
    q = dense.assemble(z)
    qd = dense.velocity(q, zd)
    same(q, sparse.assemble(z))
    same(qd, sparse.velocity(q, zd))
    same(dense.acceleration(q, qd, zdd), sparse.acceleration(q, qd, zdd))
    same(dense.forward_dynamics(z, zd, force), sparse.forward_dynamics(z, zd, force))
    same(dense.inverse_dynamics(z, zd, zdd), sparse.inverse_dynamics(z, zd, zdd))
    same(dense.energy(z, zd), sparse.energy(z, zd))


@pytest.mark.parametrize(('name', 'formulation', 'integrator'), STEPS)
def test_steps_are_those_of_dense_storage(name, formulation, integrator):
    """Also where repeated substitution fails, as for the stiff squeezer."""
    dense, sparse = (make_stepper(mechanism, formulation, integrator) for mechanism in PAIRS[name])
    force, in_space = np.ones(dense.mechanism.g), dense.mechanism.dimension == 3
    for _ in range(20 if in_space else 50):
        try:
            dense.step(1e-5, force)
        except StepError:
            assert not in_space
            with pytest.raises(StepError):
                sparse.step(1e-5, force)
            break
        sparse.step(1e-5, force)
    # In space the matrix of the penalties is badly conditioned.
    share = 1e-7 if in_space and formulation == 'penalty' else 1e-9
    same(dense.q, sparse.q, share)
    same(dense.qd, sparse.qd, share)


@pytest.mark.parametrize('name', ['six_axis_arm', 'cylindrical', 'screw', 'universal', 'spherical'])
@pytest.mark.parametrize('integrator', ['trapezoidal', 'rk4'])
def test_trees_step_as_those_of_dense_storage(name, integrator):
    dense, sparse = (make_stepper(mechanism, 'semi_recursive', integrator)
                     for mechanism in PAIRS[name])
    for stepper in (dense, sparse):
        stepper.reset(dense.mechanism.z0, np.linspace(1.0, 2.0, dense.mechanism.g))
    for _ in range(20):
        dense.step(1e-3, np.ones(dense.mechanism.g))
        sparse.step(1e-3, np.ones(dense.mechanism.g))
    same(dense.q, sparse.q)
    same(dense.qd, sparse.qd)


def test_a_long_chain_has_one_motion_by_all_formulations():
    links = 40
    large = chain(links, start_velocity={f'turn{k + 1}': 0.2 * (-1) ** (k // 3)
                                         for k in range(links)})
    assert large.is_sparse
    assert large.n == 7 * links
    joints, truth = (simulate(large, 0.1, 1e-3, formulation, 'rk4', estimate_error=False)
                     for formulation in ('semi_recursive', 'lagrange'))
    np.testing.assert_allclose(joints.z[-1], truth.z[-1], atol=1e-8)
    np.testing.assert_allclose(joints.zd[-1], truth.zd[-1], atol=1e-7)
    near = simulate(large, 0.1, 1e-3, estimate_error=False)      # index3_al, trapezoidal
    np.testing.assert_allclose(near.z[-1], truth.z[-1], atol=1e-4)
    energies = [sum(large.energy(z, zd, near=q)) for z, zd, q
                in zip(joints.z[::20], joints.zd[::20], joints.q[::20], strict=True)]
    assert np.ptp(energies) < 1e-7 * np.ptp([0.0, large.energy(large.z0, large.zd0)[0]])


def test_a_chain_as_stiff_rod_swings_like_a_pendulum():
    """Only its first hinge turns just after the start: acceleration of a rod as long as all."""
    links = 60
    large = chain(links, gravity=[-9.81, 0.0, 0.0])
    zdd = np.zeros(links)
    zdd[0] = 1.0
    moment = large.inverse_dynamics(large.z0, np.zeros(links), zdd)[0]
    mass, length, radius = 0.5 * links, 0.3 * links, 0.02
    inertia = mass * (length ** 2 / 3.0 + radius ** 2 / 4.0)
    # Weight towards -x turns a rod that hangs along -z about +y.
    assert moment == pytest.approx(inertia - mass * 9.81 * length / 2.0, rel=1e-9)


def test_an_array_of_rods_swings_like_one_pendulum():
    """N + 1 rods (1 kg, 1/3 each, weight at half length), N bars (0.5 kg) that only translate."""
    loops = 100
    array = load_mechanism('rod_array').replace(parameters={'loops': loops})
    run = simulate(array, 1.0, 1e-3)
    inertia = (loops + 1) / 3 + 0.5 * loops
    moment = 9.81 * (0.5 * (loops + 1) + 0.5 * loops)
    solution = solve_ivp(lambda t, x: [x[1], -moment / inertia * np.cos(x[0])], (0.0, 1.0),
                         [-np.pi / 6, 0.0], 'DOP853', rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose([run.z[-1, 0], run.zd[-1, 0]], solution.y[:, -1], atol=5e-5)
    assert array.forward_dynamics([-0.7], [2.0])[0] == pytest.approx(
        -moment / inertia * np.cos(0.7), rel=1e-10)
    assert array.inverse_dynamics([-0.7], [2.0], [3.0])[0] == pytest.approx(
        3.0 * inertia + moment * np.cos(0.7), rel=1e-10)


def test_a_chain_of_many_rods_keeps_its_energy():
    """As many degrees of freedom as rods, hung up level at one end."""
    count = 40
    points = {f'P{k}': {'start': [0.1 * k, 0.0]} for k in range(1, count + 1)}
    chain = Mechanism({
        'name': 'chain', 'gravity': [0.0, -9.81], 'points': {'P0': {'fixed': [0, 0]}, **points},
        'bodies': {f'rod{k}': {'points': [f'P{k}', f'P{k + 1}'], 'length': 0.1, 'mass': 0.1}
                   for k in range(count)},
        'coordinates': {f'angle{k}': {'kind': 'angle', 'body': f'rod{k}'} for k in range(count)},
        'independent': [f'angle{k}' for k in range(count)]}, 'chain.yaml')
    run = simulate(chain, 0.5, 1e-3)
    energies = [sum(chain.energy(z, zd, near=q)) for z, zd, q
                in zip(run.z[::50], run.zd[::50], run.q[::50], strict=True)]
    kinetic, _ = chain.energy(run.z[-1], run.zd[-1], near=run.q[-1])
    assert kinetic > 1.0
    assert np.ptp(energies) < 1e-3 * kinetic


@pytest.mark.parametrize(('large', 'expected'), [
    (load_mechanism('rod_array').replace(parameters={'loops': 120}), 'index3_al'),
    (PAIRS['stewart'][1], 'semi_recursive')])
def test_what_large_mechanisms_cannot_do_is_said(large, expected):
    with pytest.raises(ValueError, match=rf'formulation: matrix_r: not for large.*{expected}'):
        make_stepper(large, 'matrix_r')
    with pytest.raises(MechanismError, match=r'linearise: .*up to 400 coordinates'):
        large.linearise(large.z0, large.zd0)


def test_what_is_too_large_is_said():
    large = load_mechanism('rod_array').replace(parameters={'loops': 60})
    with pytest.raises(MechanismError, match='coordinates, at most 4096 are possible'):
        load_mechanism('rod_array').replace(parameters={'loops': 1500})
    with pytest.raises(MechanismError, match=r'rod60 between A60 and B60 is 0.\d+ m off'):
        large.replace(bodies={'bar59': {'length': 4.0}})


@pytest.mark.parametrize(('size', 'below', 'above'), [(1, 0, 0), (7, 2, 1), (30, 3, 5), (5, 9, 9)])
def test_band_systems_are_solved(rng, size, below, above):
    i, j = np.indices((size, size))
    matrix = np.where((i - j <= below) & (j - i <= above), rng.normal(size=(size, size)), 0.0)
    band = np.zeros((size, band_stride(below, above)))
    for row, column in np.argwhere(matrix):
        band[row, below + column - row] = matrix[row, column]
    band, pivots, right = band.ravel(), np.zeros(size, dtype=int), rng.normal(size=size)
    assert band_factor(band, pivots, size, below, above) == np.sign(np.linalg.det(matrix))
    for solve, full in ((band_solve, matrix), (band_solve_transposed, matrix.T)):
        x = right.copy()
        solve(band, pivots, x, size, below, above)
        np.testing.assert_allclose(full @ x, right, atol=1e-9)


def test_profiles_are_factorised(rng):
    size = 12
    first = np.array([rng.integers(0, k + 1) for k in range(size)])
    lower = np.array([[rng.normal() if first[i] <= j <= i else 0.0 for j in range(size)]
                      for i in range(size)]) + 4.0 * np.eye(size)
    lengths = np.arange(size) - first + 1
    start = np.cumsum(lengths) - lengths - first
    matrix, right = lower @ lower.T, rng.normal(size=size)
    profile = np.concatenate([matrix[i, first[i]:i + 1] for i in range(size)])
    inside = np.array([[matrix[max(i, j), min(i, j)] if min(i, j) >= first[max(i, j)] else 0.0
                        for j in range(size)] for i in range(size)])
    assert profile_factor(profile, start, first, size)
    x = right.copy()
    profile_solve(profile, start, first, x, size)
    np.testing.assert_allclose(inside @ x, right, atol=1e-9)
    assert not profile_factor(-np.ones(3), np.array([0, 0]), np.array([0, 0]), 2)
