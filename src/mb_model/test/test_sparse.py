"""Large mechanisms: sparse storage against dense, against closed forms, and its limits."""

from hypothesis import given, settings, strategies as st
from many_kinds import FORCES, RAW
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from shipped import planar_names

from mb_model import MechanismError, StepError, load_mechanism, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.kernels.sparse_band import band_factor, band_solve, band_solve_transposed, band_stride
from mb_model.kernels.sparse_tangent import profile_factor, profile_solve
from mb_model.mechanism import Mechanism

PAIRS = {name: (load_mechanism(name, 'dense'), load_mechanism(name, 'sparse'))
         for name in planar_names()}
TURN = float(Mechanism(RAW, 'many_kinds').z0[1])
DRIVE = {'drive': {'kind': 'prescribed', 'coordinate': 'turn', 'motion': 'TURN + sin(3 * t)'}}
for name, raw in (('many_kinds', {**RAW, 'forces': FORCES}),
                  ('driven', {**RAW, 'forces': FORCES, 'constraints': RAW['constraints'] | DRIVE,
                              'independent': ['theta'], 'parameters': {'TURN': TURN}})):
    PAIRS[name] = tuple(Mechanism(raw, name, storage) for storage in ('dense', 'sparse'))


def same(dense, sparse):
    """Assert equality to 1e-9 of the largest number."""
    dense = np.asarray(dense)
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=1e-9 * (1.0 + np.abs(dense).max()))


@pytest.mark.parametrize('name', PAIRS)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2 ** 32 - 1))
def test_answers_are_those_of_dense_storage(name, seed):
    dense, sparse = PAIRS[name]
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


METHODS = [(name, integrator) for name, formulation in FORMULATIONS.items()
           if 2 in formulation.sparse_dimensions for integrator in formulation.integrators]


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
@pytest.mark.parametrize('name', PAIRS)
def test_steps_are_those_of_dense_storage(name, formulation, integrator):
    """Also where repeated substitution fails, as for the stiff squeezer."""
    dense, sparse = (make_stepper(mechanism, formulation, integrator) for mechanism in PAIRS[name])
    force = np.ones(dense.mechanism.g)
    for _ in range(50):
        try:
            dense.step(1e-5, force)
        except StepError:
            with pytest.raises(StepError):
                sparse.step(1e-5, force)
            break
        sparse.step(1e-5, force)
    same(dense.q, sparse.q)
    same(dense.qd, sparse.qd)


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


def test_what_large_mechanisms_cannot_do_is_said():
    large = load_mechanism('rod_array').replace(parameters={'loops': 60})
    with pytest.raises(ValueError, match=r'formulation: matrix_r: not for large.*index3_al'):
        make_stepper(large, 'matrix_r')
    with pytest.raises(MechanismError, match=r'linearise: only for .* up to 150 coordinates'):
        large.linearise(large.z0, large.zd0)
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
