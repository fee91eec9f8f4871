"""Windows of graphs and identification where a crank is driven, against Lagrange's equations."""

from dataclasses import replace
from functools import cache
import re

from message_bags import write_messages
import numpy as np
from plain_linkage import FIVE_BAR
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares
from test_driven import DRIVEN, DT, drive, truth
import yaml

from mb_estimators import Experiment, identify_branch
from mb_estimators.commands import fit as command
from mb_estimators.filter import put_back
from mb_estimators.fitting.by_readings.fit_readings import fit_readings
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.plugins import make_filter
from mb_estimators.smoothing import smooth
from mb_estimators.state import copied
from mb_ros.states import joint_state

PRIOR, SHARE, DURATION = 0.1, 0.5, 1.0      # deviations of start and of gravity, a share
FINE = DT / 8.0         # steps whose error is far below the deviations


@cache
def experiment():
    """Return the Experiment of a model with a wrong gravity and a wrong start."""
    sensors = {'left_crank_encoder': {'sigma': 2e-3, 'rate': 1.0 / DT}}
    return Experiment(DRIVEN.replace(sensors=sensors), ['left_crank_encoder'],
                      {'gravity': -1.0, 'z0': 0.05}, DURATION, DT, truth())


def free_crank(start, gravity):
    """Return the angle (k) of the free crank from its start (2), by the linkage in plain numpy."""
    linkage = replace(FIVE_BAR, gravity=gravity)

    def rates(t, x):
        z, zd = np.array([x[0], drive(t)[0]]), np.array([x[1], drive(t)[1]])
        free, inertia = linkage.dynamics(z, zd, np.zeros(2))
        inverse = np.linalg.inv(inertia)
        return [x[1], free[0] + inverse[0, 1] * (drive(t)[2] - free[1]) / inverse[1, 1]]

    t = DT * np.arange(round(DURATION / DT) + 1)
    return solve_ivp(rates, (0.0, DURATION), start, 'DOP853', t, rtol=1e-7, atol=1e-9).y[0]


def best_motion(readings, prior, deviations):
    """Return start and gravity (3) by least squares over single motions, and their covariance."""
    sigma = experiment().sensors[0].settings.sigma
    found = least_squares(lambda x: np.concatenate([
        (free_crank(x[:2], x[2]) - readings) / sigma, (x - prior) / deviations]), prior,
        diff_step=1e-4, x_scale=deviations)
    return found.x, np.linalg.inv(found.jac.T @ found.jac)


def test_identification_is_least_squares_over_single_motions():
    """Without noise in the accelerations there are no other motions to choose from."""
    model, recording = experiment().mechanism, experiment().recording(seed=3)
    prior = np.array([model.z0[0], model.zd0[0], -model.gravity[1]])
    best, covariance = best_motion(recording.readings[:, 0], prior,
                                   np.array([PRIOR, PRIOR, SHARE * prior[2]]))
    found = fit_readings(model, experiment().sensors, [recording], FINE, (), {'gravity.y': SHARE},
                         ReadingSettings(acceleration_psd=1e-9, initial_variance=PRIOR ** 2))
    deviation = np.sqrt(covariance[2, 2])
    assert found.numbers[0].deviation == pytest.approx(deviation, rel=0.02)
    assert found.values['gravity.y'] == pytest.approx(-best[2], abs=0.05 * deviation)
    assert abs(best[2] - prior[2]) > 4.0 * deviation


def test_the_command_fits_a_bag(tmp_path, capsys):
    file, recording = tmp_path / 'driven.yaml', experiment().recording(seed=3)
    file.write_text(yaml.safe_dump(experiment().mechanism.raw), encoding='utf-8')
    bag = write_messages(tmp_path / 'bag', [
        ('/left_crank_encoder', joint_state(
            10 ** 9 + round(t * 1e9), ['left_crank_encoder'], row))
        for t, row in zip(recording.t, recording.readings, strict=True)])
    options = ['--sensors', 'left_crank_encoder', '--mechanism', str(file), '--dt', str(DT),
               '--output', str(tmp_path / 'fitted.yaml')]
    assert command.main([str(bag), *options, '--free', 'gravity.y']) == 0
    found = re.search(r'gravity\.y[^\d-]+(-[\d.]+)', capsys.readouterr().out)
    assert float(found[1]) == pytest.approx(-9.81, abs=0.02)


def test_branches_are_judged_by_the_driven_motion():
    right = experiment().mechanism.replace(gravity=[0.0, -9.81])
    found = identify_branch(right, experiment().sensors, experiment().recording(seed=4), DT,
                            initial_variance=PRIOR ** 2)
    assert len(found.probabilities) > 1
    assert found.branch == 0
    np.testing.assert_allclose(found.positions[0], right.q0, atol=1e-6)
    assert found.fits[0] > 0.01
    assert (found.fits[1:] < 1e-6).all()


@pytest.mark.parametrize('name', ['fixed_lag_smoother', 'moving_horizon'])
def test_a_recording_is_smoothed_by_its_whole_graph(name):
    """A model that is right and sure of its steps: single motions again."""
    right = experiment().mechanism.replace(gravity=[0.0, -9.81])
    recording = experiment().recording(seed=5)
    filter_ = make_filter(name, right, experiment().sensors, FINE, gate=0.0,
                          acceleration_variance=1e-14, acceleration_psd=1e-10)
    filter_.reset(right.z0, right.zd0, np.diag([PRIOR ** 2, PRIOR ** 2, 1e-14]))
    smoothed = smooth(filter_, recording, FINE)
    prior = np.array([right.z0[0], right.zd0[0], 9.81])
    best, covariance = best_motion(recording.readings[:, 0], prior,
                                   np.array([PRIOR, PRIOR, 1e-6]))
    deviation = np.sqrt(covariance[0, 0])
    np.testing.assert_allclose(smoothed.motion.z[:, 0], free_crank(best[:2], best[2]),
                               atol=0.2 * deviation)
    other = DRIVEN.coordinates.index('theta2')
    np.testing.assert_allclose(smoothed.q[:, other], drive(recording.t)[0], atol=1e-8)
    np.testing.assert_allclose(smoothed.qd[:, other], drive(recording.t)[1], atol=1e-8)


def test_a_window_that_begins_anew_keeps_the_time():
    """Also of late readings, and of those between two instants."""
    readings = experiment().recording(seed=2).readings[:, 0]
    filter_ = make_filter('fixed_lag_smoother', experiment().mechanism, experiment().sensors, DT)
    other = DRIVEN.coordinates.index('theta2')
    for k in range(1, 41):
        filter_.predict(DT)
        filter_.correct([readings[k]])
        if k == 20:
            saved = copied(filter_.state)
    put_back(filter_, saved)
    before = filter_.estimate
    assert before.q[other] == pytest.approx(drive(20 * DT)[0], abs=1e-8)
    for k in range(21, 41):
        filter_.predict(DT)
        if k % 2:
            filter_.correct([readings[k]])
        else:
            assert filter_.correct_late(DT, [readings[k - 1]])
            assert filter_.correct_late(0.5 * DT, [0.5 * (readings[k - 1] + readings[k])])
    ago, then = filter_.smoothed
    for estimate, t in ((filter_.estimate, 40 * DT), (then, 40 * DT - ago)):
        assert estimate.q[other] == pytest.approx(drive(t)[0], abs=1e-8)
        assert estimate.qd[other] == pytest.approx(drive(t)[1], abs=1e-8)
    assert filter_.estimate.z[0] == pytest.approx(truth().z[40, 0], abs=4e-3)
