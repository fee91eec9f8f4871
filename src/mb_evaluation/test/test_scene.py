"""What viewers draw, against what it stands for."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from mb_evaluation.scene import MarkedPoints, Solids, sweeps
from mb_model import MechanismError, load_mechanism, point_positions

GREATEST = {'N': 1.0, 'N m': 1.0}


@pytest.mark.parametrize(('name', 'deviations'), [
    ('five_bar', [0.01, 0.02]), ('three_rrr', [0.002, 0.004, 0.02]), ('four_bar', [0.01]),
    ('six_axis_arm', [3e-4, 2e-4, 1e-4, 3e-4, 2e-4, 1e-4])])
def test_ellipsoids_hold_the_points_of_random_states(name, deviations):
    """Monte Carlo, with correlated degrees of freedom; states beside z do not matter."""
    mechanism, random, count = load_mechanism(name), np.random.default_rng(7), 4000
    g, marked = mechanism.g, MarkedPoints(mechanism)
    root = np.diag(deviations) @ (np.eye(g) + 0.4 * np.tri(g, k=-1))
    covariance = np.full((2 * g, 2 * g), 99.0)
    covariance[:g, :g] = root @ root.T
    states = [mechanism.q0, *(mechanism.assemble(z) for z in
                              mechanism.z0 + random.normal(size=(count, g)) @ root.T)]
    positions = np.array([marked.positions(q) for q in states])[:, marked.moving]
    away = positions[1:] - positions[0]
    expected = marked.covariances(mechanism.q0, covariance)
    half, axes = marked.ellipsoids(mechanism.q0, covariance)
    np.testing.assert_allclose(np.linalg.det(axes), 1.0)
    reach = np.sqrt(chi2.ppf(0.95, mechanism.dimension))
    ranks = set()
    for k, widths in enumerate(half):
        spread = np.cov(away[:, k].T)
        np.testing.assert_allclose(expected[k], spread, atol=0.12 * np.abs(spread).max())
        along, wide = away[:, k] @ axes[k], widths > 1e-6 * widths.max()
        ranks.add(int(wide.sum()))
        if wide.sum() == mechanism.dimension:
            inside = ((along[:, wide] / widths[wide]) ** 2).sum(axis=1) < 1.0
            assert inside.mean() == pytest.approx(0.95, abs=0.015)
        elif wide.sum() == 1:
            assert widths.max() == pytest.approx(reach * along[:, wide].std(), rel=0.05)
    assert max(ranks) == min(g, mechanism.dimension)


def test_ellipses_of_a_singular_position_are_refused():
    mechanism = load_mechanism('four_bar_fg')
    with pytest.raises(MechanismError):
        MarkedPoints(mechanism).covariances(np.zeros(mechanism.n), np.eye(2))


@pytest.mark.parametrize(('name', 'coordinate'), [
    ('crane', 's'), ('inverted_slider_crank', 's'), ('three_rrr', 'E.y')])
def test_a_straight_arrow_points_where_the_force_does_work(name, coordinate):
    """The power of a force is force times rate of the coordinate: force times velocity along."""
    mechanism = load_mechanism(name)
    qd = mechanism.velocity(mechanism.q0, np.full(mechanism.g, 0.7))
    sweep, = sweeps(mechanism, mechanism.q0, {coordinate: -0.5}, GREATEST, 1.0)
    start, end = sweep.line[[0, -1], :2]
    assert np.linalg.norm(end - start) == pytest.approx(0.5)
    places = point_positions(mechanism, mechanism.q0)[0]
    point = next(k for k, place in enumerate(places) if np.allclose(place, start))
    velocities = {name: qd[mechanism.indices([f'{name}.x', f'{name}.y'])]
                  if not mechanism.points[name].fixed else np.zeros(2)
                  for name in mechanism.points}
    rate = velocities[list(mechanism.points)[point]]
    if coordinate == 's' and name != 'crane':
        base, tip = mechanism.described.coordinates['s'].points[:2]
        rate = rate - _carried(mechanism, velocities, base, tip, start)
    assert rate @ (end - start) == pytest.approx(
        -0.5 * qd[mechanism.coordinates.index(coordinate)])


def _carried(mechanism, velocities, base, tip, place):
    """Return the velocity (2) of the line through two points where a place is."""
    places = dict(zip(mechanism.points, point_positions(mechanism, mechanism.q0)[0], strict=True))
    line = places[tip] - places[base]
    share = (place - places[base]) @ line / (line @ line)
    return velocities[base] + share * (velocities[tip] - velocities[base])


def test_an_arc_turns_as_the_moment_does_around_the_joint():
    mechanism = load_mechanism('four_bar')
    for moment in (1.0, -0.5, 7.0):
        sweep, = sweeps(mechanism, mechanism.q0, {'theta': moment}, GREATEST, 1.0)
        assert sweep.unit == 'N m'
        arms = (sweep.line[:, :2] - mechanism.points['A'].position) @ [1.0, 1j]
        assert np.abs(arms) == pytest.approx(abs(arms[0]))
        turned = np.angle(arms[1:] / arms[:-1]).sum()
        assert turned == pytest.approx(1.5 * np.pi * np.clip(moment, -1.0, 1.0))
    assert sweeps(mechanism, mechanism.q0, {'theta': 0.0}, GREATEST, 1.0) == []


@pytest.mark.parametrize('name', ['flexible_slider_crank', 'flexible_crane'])
def test_forces_on_bending_have_no_arrow(name):
    mechanism = load_mechanism(name)
    assert mechanism.modes
    assert sweeps(mechanism, mechanism.q0, dict.fromkeys(mechanism.modes, 1.0), GREATEST, 1.0) == []


def test_deflections_are_no_points():
    mechanism = load_mechanism('flexible_slider_crank')
    assert len(MarkedPoints(mechanism)) == 5
    np.testing.assert_array_equal(MarkedPoints(mechanism).moving, [2, 3, 4])


def test_solids_have_the_shapes_of_the_file_and_joined_ones_pass_each_other():
    machines = [load_mechanism(name) for name in ('three_rrr', 'crane')]
    robot, crane = map(Solids, machines)
    disc, = robot.bodies['platform']
    assert (disc.kind, disc.size) == ('cylinder', (0.12, robot.thickness))
    bar = robot.bodies['inner1'][0]
    assert (bar.kind, bar.size) == ('box', (0.3, 0.04, robot.thickness))
    np.testing.assert_array_equal(bar.centre, [0.15, 0.0, robot.thickness * robot.levels['inner1']])
    plate = crane.bodies['arm'][-1]
    assert (plate.kind, plate.size) == ('plate', ((0.0, 0.0), (2.0, 0.0), (0.5, -0.1)))
    for machine, solids in zip(machines, (robot, crane), strict=True):
        for (first, one), (second, other) in combinations(machine.bodies.items(), 2):
            if set(one.points) & set(other.points):
                assert solids.levels[first] != solids.levels[second]
