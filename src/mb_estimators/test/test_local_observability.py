"""What short windows determine of a motion: the fit of a parabola, and the paper's robot."""

from types import SimpleNamespace

from free_motion import FLYWHEEL
import numpy as np
import pytest
from robot_motion import figure_of_eight

from mb_estimators.filter import FilterError
from mb_estimators.observability.local import local_observability
from mb_model import load_mechanism

ROBOT = load_mechanism('three_rrr')
BIASED = ROBOT.replace(sensors={name: {'bias_sigma': 0.1}
                                for name in ('platform_gyro', 'platform_accelerometer')})


def motion(mechanism, t, z, zd, zdd):
    q = []
    for row in z:
        q.append(mechanism.assemble(row, near=q[-1] if q else None))
    return SimpleNamespace(mechanism=mechanism, t=t, q=np.array(q), z=z, zd=zd, zdd=zdd)


def figure(mechanism, count=30):
    t = np.arange(count) * 1e-3
    return motion(mechanism, t, *figure_of_eight(20.0 * t))


def test_a_window_determines_what_the_fit_of_a_parabola_does():
    t = np.arange(40) * 1e-3
    run = motion(FLYWHEEL, t, 0.3 + 2.0 * t[:, None], np.full((40, 1), 2.0), np.zeros((40, 1)))
    found = local_observability(run, ['encoder'], 0.02, every=4)
    design = np.stack([np.ones(21), t[:21], t[:21] ** 2 / 2.0], axis=1) / 0.02
    expected = np.sqrt(np.diagonal(np.linalg.inv(design.T @ design)))
    assert found.states.names == ('theta', 'theta velocity', 'theta acceleration')
    assert found.states.units == ('rad', 'rad/s', 'rad/s^2')
    assert found.t == pytest.approx(t[:20:4])
    np.testing.assert_allclose(found.deviations, np.tile(expected, (5, 1)), rtol=1e-6)


@pytest.mark.parametrize(('mechanism', 'size'), [(ROBOT, 9), (BIASED, 12)])
def test_encoders_and_imu_make_the_robot_observable_everywhere(mechanism, size):
    found = local_observability(figure(mechanism), ['drive_encoders', 'imu'])
    assert len(found.states) == size
    assert (found.ranks == size).all()
    assert np.isfinite(found.deviations).all()


def test_an_imu_alone_determines_neither_place_nor_speed():
    """The robot lies level: no gravity either says how it stands."""
    found = local_observability(figure(ROBOT), ['imu'])
    determined = np.isfinite(found.deviations).all(axis=0)
    lost = {'E.x', 'E.y', 'E.x velocity', 'E.y velocity'}
    assert {name for name, known in zip(found.states.names, determined, strict=True)
            if not known} >= lost
    assert found.ranks.max() <= 9 - len(lost)


def test_the_imu_makes_accelerations_known_at_once():
    encoders, both = (local_observability(figure(ROBOT), sensors).deviations[:, 6:].max(axis=0)
                      for sensors in (['drive_encoders'], ['drive_encoders', 'imu']))
    assert (both[:2] < encoders[:2] / 20.0).all()
    assert both[2] < encoders[2] / 4.0


def test_what_cannot_be_asked_is_reported():
    with pytest.raises(ValueError, match=r'window: 1\.0 must be within 0\.002 and 0\.029 s'):
        local_observability(figure(ROBOT), ['drive_encoders'], 1.0)
    run = figure(ROBOT)
    run.q[3] = 0.0
    with pytest.raises(FilterError, match=r'three_rrr: the position at t = 0\.003 s is singular'):
        local_observability(run, ['drive_encoders'])
