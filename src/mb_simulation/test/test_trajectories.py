"""Trajectories: smooth, within their limits, and where they are to go."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_simulation.control import Limits, TrajectorySettings, line, plan

ROBOT = load_mechanism('three_rrr')
ROWS = np.array([[2.0, 0.0, 0.0, 0.0], [2.2, 0.05, 0.0, 0.1], [2.5, 0.05, 0.05, 0.1],
                 [2.7, -0.02, 0.03, 0.0], [3.1, 0.01, 0.0, 0.05]])


def write_rows(path, rows=ROWS, header='t,E.x,E.y,turn'):
    path.write_text('\n'.join([header, *(','.join(map(str, row)) for row in rows)]))
    return str(path)


@pytest.fixture(params=['rectangle', 'circle', 'random', 'file'])
def trajectory(request, tmp_path):
    file = write_rows(tmp_path / 'way.csv')
    return plan(ROBOT, TrajectorySettings(kind=request.param, file=file, random_duration=20.0))


def test_velocities_and_accelerations_are_derivatives_and_continuous(trajectory):
    h = 1e-6
    # Also over the end, where most trajectories go on from an earlier time.
    for t in np.linspace(h, 1.5 * trajectory.duration, 301):
        before, now, after = (trajectory.at(t + step) for step in (-h, 0.0, h))
        np.testing.assert_allclose((after.z - before.z) / (2 * h), now.zd, atol=1e-5)
        np.testing.assert_allclose(after.zd - before.zd, 2 * h * now.zdd, atol=1e-8)
    for t in (*trajectory.breaks[1:], 1.0):
        before, after = trajectory.at(t - 1e-9), trajectory.at(t + 1e-9)
        for one, other in zip(before, after, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)
    start = trajectory.at(0.0)
    np.testing.assert_array_equal(start.z, ROBOT.z0)
    assert not start.zd.any()
    assert not start.zdd.any()


def sampled(trajectory, count=5001):
    motions = [trajectory.at(t) for t in np.linspace(0.0, trajectory.duration, count)]
    return (np.array(values) for values in zip(*motions, strict=True))


def test_the_rectangle_has_the_dynamics_of_the_paper():
    z, zd, zdd = sampled(plan(ROBOT, TrajectorySettings(kind='rectangle')))
    assert np.linalg.norm(zd[:, :2], axis=1).max() == pytest.approx(1.41, rel=1e-4)
    assert np.linalg.norm(zdd[:, :2], axis=1).max() == pytest.approx(12.4, rel=1e-4)
    assert not z[:, 2].any()
    np.testing.assert_allclose(np.abs(z[:, :2]).max(axis=0), [0.13, 0.08], rtol=1e-9)


def test_the_circle_is_round_and_steady():
    trajectory = plan(ROBOT, TrajectorySettings(kind='circle', radius=0.08, speed=0.5))
    z, zd, zdd = sampled(trajectory)
    assert np.linalg.norm(zdd[:, :2], axis=1).max() <= 12.4 * (1 + 1e-9)
    _, zd, zdd = zip(*(trajectory.at(t) for t in trajectory.duration + np.linspace(0, 2.0, 500)),
                     strict=True)
    np.testing.assert_allclose(np.linalg.norm(zd, axis=1), 0.5, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(zdd, axis=1), 0.5 ** 2 / 0.08, rtol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(z[2000:, :2], axis=1), 0.08, rtol=1e-9)


def test_random_motion_stays_in_its_region_and_within_its_limits():
    wanted = TrajectorySettings(kind='random', random_duration=60.0, reach=0.08, turn=0.2, seed=3)
    trajectory = plan(ROBOT, wanted)
    z, zd, zdd = sampled(trajectory, 20_000)
    assert trajectory.duration >= 60.0
    assert np.linalg.norm(z[:, :2], axis=1).max() <= 0.08
    assert np.abs(z[:, 2]).max() <= 0.2
    shares = [np.linalg.norm(zd[:, :2], axis=1).max() / 1.41, np.abs(zd[:, 2]).max() / 4.0,
              np.linalg.norm(zdd[:, :2], axis=1).max() / 12.4, np.abs(zdd[:, 2]).max() / 40.0]
    assert max(shares) == pytest.approx(1.0, abs=2e-3)
    again, other = (plan(ROBOT, TrajectorySettings(
        kind='random', random_duration=60.0, reach=0.08, turn=0.2, seed=seed)) for seed in (3, 4))
    np.testing.assert_array_equal(again.coefficients, trajectory.coefficients)
    assert np.abs(other.at(5.0).z - trajectory.at(5.0).z).max() > 1e-3


def test_a_file_is_passed_at_its_times_after_the_way_there(tmp_path):
    rows = ROWS + np.array([0.0, 0.02, 0.0, 0.0])
    trajectory = plan(ROBOT, TrajectorySettings(kind='file', file=write_rows(
        tmp_path / 'way.csv', rows)))
    begin = trajectory.duration - (rows[-1, 0] - rows[0, 0])
    assert begin > 0.0
    for t, *z in rows:
        np.testing.assert_allclose(trajectory.at(begin + t - rows[0, 0]).z, z, atol=1e-12)
    np.testing.assert_allclose(trajectory.at(1e3).zd, 0.0, atol=1e-12)


@pytest.mark.parametrize(('rows', 'header', 'message'), [
    (ROWS, 't,E.x,E.y,angle', 'columns t,E.x,E.y,angle must be t,E.x,E.y,turn'),
    (ROWS[[0, 2, 1, 3]], 't,E.x,E.y,turn', 'row 4: t must grow'),
    (ROWS[:3], 't,E.x,E.y,turn', '3 rows, expected at least 4'),
    ([*ROWS, [4.0, 'far', 0.0, 0.0]], 't,E.x,E.y,turn', r'row 7: 4.0,far,0.0,0.0 must be 4 numb'),
    ([*ROWS, [4.0, 0.3, 0.0, 0.0]], 't,E.x,E.y,turn', r'trajectory: at .* s: E.x = 0\.'),
])
def test_wrong_files_are_reported(rows, header, message, tmp_path):
    file = write_rows(tmp_path / 'way.csv', rows, header)
    with pytest.raises(ValueError, match=message):
        plan(ROBOT, TrajectorySettings(kind='file', file=file))


def test_what_cannot_be_reached_is_reported():
    with pytest.raises(ValueError, match=r'trajectory: at .* s: E.x = .*'):
        plan(ROBOT, TrajectorySettings(kind='rectangle', size=(0.6, 0.1)))
    with pytest.raises(ValueError, match=r'size: .* must be two numbers'):
        plan(ROBOT, TrajectorySettings(kind='rectangle', size=(0.1,)))
    with pytest.raises(ValueError, match='first two degrees of freedom are lengths, not theta1'):
        plan(load_mechanism('five_bar'), TrajectorySettings(kind='circle'))


@settings(deadline=None)
@given(st.lists(st.floats(-1.0, 1.0), min_size=6, max_size=6),
       st.lists(st.floats(0.1, 50.0), min_size=4, max_size=4))
def test_lines_are_straight_and_within_limits(places, numbers):
    start, end = np.array(places[:3]), np.array(places[3:])
    limits = Limits(*numbers, angles=(False, False, True))
    way = line(start, end, limits)
    z, zd, zdd = sampled(way, 400)
    np.testing.assert_allclose(z[-1], end, atol=1e-9)
    share = (z - start) @ (end - start)
    np.testing.assert_allclose((z - start) * ((end - start) @ (end - start)),
                               share[:, None] * (end - start), atol=1e-9)
    assert (np.diff(share) >= -1e-12).all()
    assert max(limits.shares(zd, zdd)) <= 1 + 1e-9
