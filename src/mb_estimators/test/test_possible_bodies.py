"""Mass properties in which forces are linear, possible bodies, and fits that stay among them."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from robot_drives import ROBOT, samples

from mb_estimators import DynamicsSamples, FitRecording, FitSettings, fit
from mb_estimators.fitting.mass_properties import (
    MOMENT,
    linear_of,
    linear_slopes,
    possible_near,
    pseudo_basis,
    raw_of,
)
from mb_estimators.fitting.possible import Divergence, room

SIZE = {2: 4, 3: 10}


def cloud(dimension, seed, count=7):
    """Return masses and places (k, d) of a body of points."""
    random = np.random.default_rng(seed)
    return random.uniform(0.1, 1.0, count), random.standard_normal((count, dimension))


def linear_of_cloud(masses, places):
    """Return the linear numbers of a body of points, by their sums."""
    square = np.einsum('k,ki,kj->ij', masses, places, places)
    first = masses @ places
    if places.shape[1] == 2:
        return np.r_[masses.sum(), first, np.trace(square)]
    inertia = np.trace(square) * np.eye(3) - square
    return np.r_[masses.sum(), first, [inertia[i, j] for i, j in MOMENT]]


@pytest.mark.parametrize('dimension', [2, 3])
def test_the_pseudo_inertia_is_the_sum_over_points(dimension):
    masses, places = cloud(dimension, 1)
    marks = np.column_stack([places, np.ones(len(masses))])
    expected = np.einsum('k,ki,kj->ij', masses, marks, marks)
    J = np.tensordot(linear_of_cloud(masses, places), pseudo_basis(dimension), 1)
    if dimension == 2:      # of the second moments the plane knows the sum alone
        assert np.trace(J[:2, :2]) == pytest.approx(2.0 * np.trace(expected[:2, :2]), rel=1e-12)
        np.testing.assert_allclose(J[2], expected[2], rtol=1e-12)
    else:
        np.testing.assert_allclose(J, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('dimension', [2, 3])
def test_raw_and_linear_numbers_are_the_same_body(dimension):
    linear = linear_of_cloud(*cloud(dimension, 2))
    raw = raw_of(linear)
    np.testing.assert_allclose(linear_of(raw), linear, rtol=1e-12)
    by_complex_step = np.column_stack([
        linear_of(raw + 1e-20j * unit).imag / 1e-20 for unit in np.eye(len(raw))])
    np.testing.assert_allclose(linear_slopes(raw), by_complex_step, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize('count', [1, 2])
def test_points_and_lines_become_bodies_that_are_possible(dimension, count):
    linear = linear_of_cloud(*cloud(dimension, 3, count))
    near = possible_near(linear, 0.5)
    np.linalg.cholesky(np.tensordot(near, pseudo_basis(dimension), 1))
    np.testing.assert_allclose(near[:1 + dimension], linear[:1 + dimension])


@given(st.integers(0, 10 ** 6), st.sampled_from([2, 3]), st.floats(0.05, 3.0))
@settings(deadline=None)
def test_beliefs_are_least_where_they_are_and_infinite_beyond_the_edge(seed, dimension, deviation):
    basis = pseudo_basis(dimension)
    believed, other = (linear_of_cloud(*cloud(dimension, seed + k)) for k in (0, 1))
    belief = Divergence(np.tensordot(believed, basis, 1), deviation)

    def cost(linear):
        return belief.at(np.tensordot(linear, basis, 1), basis)

    assert cost(believed)[0] == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(cost(believed)[1], 0.0, atol=1e-6 / deviation ** 2)
    value, gradient, root = cost(other)
    assert value > 0.0
    step = 1e-6 * (believed - other)
    differences = (cost(other + step)[0] - cost(other - step)[0]) / 2.0
    assert differences == pytest.approx(float(gradient @ step), rel=1e-3, abs=1e-9)
    bends = (cost(other + step)[1] - cost(other - step)[1]) / 2.0
    np.testing.assert_allclose(root.T @ (root @ step), bends, rtol=1e-3,
                               atol=1e-6 * np.abs(bends).max())
    edge = room(np.tensordot(other, basis, 1), np.tensordot(-other, basis, 1))
    assert edge == pytest.approx(1.0, rel=1e-9)
    assert cost(-other)[0] == np.inf


@pytest.fixture(scope='module')
def bare():
    """A robot whose bodies are written out, and an exact recording of another one."""
    bodies = {name: {'mass': 1.0, 'centre_of_gravity': [0.1, 0.0], 'inertia': 0.01}
              for name in ROBOT.bodies}
    return ROBOT.replace(bodies=bodies), samples(ROBOT)[::4]


@given(st.integers(0, 10 ** 6))
@settings(deadline=None, max_examples=25)
def test_every_fit_ends_with_a_possible_machine(bare, seed):
    """From any start, with any forces: even where no machine needs such."""
    believed, exact = bare
    random = np.random.default_rng(seed)
    size = np.exp(random.uniform(-4.0, 4.0, len(believed.bodies)))
    start = believed.replace(bodies={
        name: {'mass': float(factor), 'inertia': float(0.01 * factor)}
        for name, factor in zip(believed.bodies, size, strict=True)})
    torques = (random.uniform(-1.0, 1.0) * exact.torques
               + 10.0 ** random.uniform(-3.0, 1.0) * random.standard_normal(exact.torques.shape))
    motion = replace(exact.motion, zd=exact.motion.zd * random.uniform(0.0, 1.0),
                     zdd=exact.motion.zdd * random.uniform(0.0, 1.0))
    found = fit(start, [], [FitRecording(DynamicsSamples(motion, torques))],
                settings=FitSettings(held_out=0.0))
    for body in found.mechanism.bodies.values():
        assert body.mass > 0.0
        assert body.inertia > 0.0
    assert all(value >= 0.0 for path, value in found.values.items() if 'drive_' in path)
    assert np.isfinite(found.quality.residual).all()
    assert all(np.isfinite(number.deviation) for number in found.numbers)
