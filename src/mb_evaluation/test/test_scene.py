"""What viewers draw, against what it stands for."""

import numpy as np
import pytest

from mb_evaluation.scene import Bar, Disc, Plate, Solids, ellipses, point_covariances, sweeps
from mb_model import MechanismError, load_mechanism, point_places

GREATEST = {'N': 1.0, 'N m': 1.0}


@pytest.mark.parametrize(('name', 'deviations'), [
    ('five_bar', [0.01, 0.02]), ('three_rrr', [0.002, 0.004, 0.02]), ('four_bar', [0.01])])
def test_ellipses_hold_the_points_of_random_states(name, deviations):
    """Monte Carlo, with correlated degrees of freedom; states beside z do not matter."""
    mechanism, random, count = load_mechanism(name), np.random.default_rng(7), 4000
    g = mechanism.g
    root = np.diag(deviations) @ (np.eye(g) + 0.4 * np.tri(g, k=-1))
    covariance = np.full((2 * g, 2 * g), 99.0)
    covariance[:g, :g] = root @ root.T
    samples = np.array([mechanism.assemble(z) for z in
                        mechanism.z0 + random.normal(size=(count, g)) @ root.T])
    moving = [not point.fixed for point in mechanism.points.values()]
    found = point_covariances(mechanism, mechanism.q0, covariance)
    half, angles = ellipses(found)
    places = point_places(mechanism, samples)[:, moving] - point_places(
        mechanism, mechanism.q0)[0][moving]
    for k, (a, b) in enumerate(half):
        spread = np.cov(places[:, k].T)
        np.testing.assert_allclose(found[k], spread, atol=0.12 * np.abs(spread).max())
        c, s = np.cos(angles[k]), np.sin(angles[k])
        along, across = places[:, k] @ [c, s], places[:, k] @ [-s, c]
        if b > 1e-6 * a:
            inside = (along / a) ** 2 + (across / b) ** 2 < 1.0
            assert inside.mean() == pytest.approx(0.95, abs=0.015)
        else:       # a line: 2.45 deviations long to both sides
            assert (np.abs(along) < a).mean() == pytest.approx(0.9857, abs=0.01)
    assert any(b > 1e-6 * a for a, b in half) == (g > 1)


def test_ellipses_of_a_singular_position_are_refused():
    mechanism = load_mechanism('four_bar_fg')
    with pytest.raises(MechanismError):
        point_covariances(mechanism, np.zeros(mechanism.n), np.eye(2))


@pytest.mark.parametrize(('name', 'coordinate'), [
    ('crane', 's'), ('inverted_slider_crank', 's'), ('three_rrr', 'E.y')])
def test_a_straight_arrow_points_where_the_force_does_work(name, coordinate):
    """The power of a force is force times rate of the coordinate: force times velocity along."""
    mechanism = load_mechanism(name)
    qd = mechanism.velocity(mechanism.q0, np.full(mechanism.g, 0.7))
    sweep, = sweeps(mechanism, mechanism.q0, {coordinate: -0.5}, GREATEST, 1.0)
    start, end = sweep.line[0], sweep.line[-1]
    assert np.linalg.norm(end - start) == pytest.approx(0.5)
    places = point_places(mechanism, mechanism.q0)[0]
    point = next(k for k, place in enumerate(places) if np.allclose(place, start))
    velocities = {name: qd[mechanism.places([f'{name}.x', f'{name}.y'])]
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
    places = dict(zip(mechanism.points, point_places(mechanism, mechanism.q0)[0], strict=True))
    line = places[tip] - places[base]
    share = (place - places[base]) @ line / (line @ line)
    return velocities[base] + share * (velocities[tip] - velocities[base])


def test_an_arc_turns_as_the_moment_does_around_the_joint():
    mechanism = load_mechanism('four_bar')
    for moment in (1.0, -0.5, 7.0):
        sweep, = sweeps(mechanism, mechanism.q0, {'theta': moment}, GREATEST, 1.0)
        assert sweep.unit == 'N m'
        arms = (sweep.line - mechanism.points['A'].position) @ [1.0, 1j]
        assert np.abs(arms) == pytest.approx(abs(arms[0]))
        turned = np.angle(arms[1:] / arms[:-1]).sum()
        assert turned == pytest.approx(1.5 * np.pi * np.clip(moment, -1.0, 1.0))
    assert sweeps(mechanism, mechanism.q0, {'theta': 0.0}, GREATEST, 1.0) == []


def test_solids_have_the_shapes_of_the_file_and_joined_ones_pass_each_other():
    robot, crane = (Solids(load_mechanism(name)) for name in ('three_rrr', 'crane'))
    assert robot.bodies['platform'] == (Disc((0.0, 0.0), 0.12),)
    assert robot.bodies['inner1'][0] == Bar((0.0, 0.0), (0.3, 0.0), 0.04)
    plate = crane.bodies['arm'][-1]
    assert plate == Plate(((0.0, 0.0), (2.0, 0.0), (0.5, -0.1)))
    for solids in (robot, crane):
        bodies = load_mechanism('three_rrr' if solids is robot else 'crane').bodies
        for first, one in bodies.items():
            for second, other in bodies.items():
                if first != second and set(one.points) & set(other.points):
                    assert solids.levels[first] != solids.levels[second]
