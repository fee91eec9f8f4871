"""Figures of accuracy, against signals whose figures are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import interpolate

from mb_evaluation.accuracy.errors import errors_against
from mb_evaluation.accuracy.track import Track
from mb_evaluation.run_log.accuracy_log import AccuracyLog
from mb_evaluation.run_log.run_log import Counters
from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.simulated_sensor import SimulatedSensor

START = 1_000_000_000
NONE = np.empty((0, 0))


def track_of(function, rate, duration, covariance=NONE):
    """Return the track of z(t) = function(t), with zd and zdd, given as rows of one array."""
    stamps = START + np.round(np.arange(duration * rate + 1) * 1e9 / rate).astype(np.int64)
    return Track((stamp, *np.atleast_2d(function((stamp - START) * 1e-9)).T[:, :, None].reshape(
        3, -1), covariance) for stamp in stamps.tolist())


def sine(t):
    return np.array([np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)])


def test_constant_offset_is_the_rmse():
    truth = track_of(sine, 200, 4)
    off = track_of(lambda t: sine(t) + np.array([0.1, -0.2, 0.3]), 200, 4)
    figures = errors_against(truth, off, START).figures()
    assert figures['position_rmse'] == pytest.approx([0.1])
    assert figures['velocity_rmse'] == pytest.approx([0.2])
    assert figures['acceleration_rmse'] == pytest.approx([0.3])
    assert figures['position_largest'] == pytest.approx([0.1])


def test_the_first_two_seconds_count_only_where_they_should():
    truth = track_of(sine, 100, 4)
    off = track_of(lambda t: sine(t) + np.array([(1.0 if t < 1.999 else 0.01), 0, 0]), 100, 4)
    figures = errors_against(truth, off, START).figures()
    assert figures['position_rmse_after_2s'] == pytest.approx([0.01])
    assert figures['position_rmse'] == pytest.approx([np.sqrt((200 + 201 * 1e-4) / 401)])


def test_short_run_has_no_settled_part():
    truth = track_of(sine, 100, 1)
    assert errors_against(truth, truth, START).figures()['position_rmse_after_2s'] == [None]


def test_other_stamps_are_interpolated():
    truth = track_of(sine, 200, 3)
    other = track_of(sine, 130, 3)
    figures = errors_against(truth, other, START).figures()
    assert figures['position_rmse'][0] < 1e-8
    assert figures['velocity_rmse'][0] < 1e-7
    assert figures['acceleration_rmse'][0] < 1e-3      # linear between samples


def test_right_covariance_covers_95_percent():
    rng = np.random.default_rng(1)
    covariance = np.diag([0.02 ** 2, 0.3 ** 2])
    noise = [0.02, 0.3, 1.0]
    noisy = track_of(lambda t: sine(t) + noise * rng.normal(size=3), 1000, 10, covariance)
    coverage = errors_against(track_of(sine, 1000, 10), noisy, START).coverage()
    assert coverage['position'] == pytest.approx([0.95], abs=0.01)
    assert coverage['velocity'] == pytest.approx([0.95], abs=0.01)
    assert 'acceleration' not in coverage


@pytest.mark.parametrize('factor', [1.0, 4.0])
def test_nees_is_the_factor_between_true_and_claimed_covariance(factor):
    rng = np.random.default_rng(1)
    true = np.array([[0.04, 0.03], [0.03, 0.09]])
    deviations = np.zeros((3, 3))
    deviations[:2, :2] = np.linalg.cholesky(true)
    noisy = track_of(lambda t: sine(t) + deviations @ rng.normal(size=3), 1000, 10, true / factor)
    errors = errors_against(track_of(sine, 1000, 10), noisy, START)
    assert errors.nees()['mean_per_state'] == pytest.approx(factor, rel=0.04)
    if factor == 1.0:
        assert errors.nees()['inside_95'] == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize('claimed', [NONE, np.diag([1.0, -1.0])])
def test_there_is_no_nees_without_a_covariance(claimed):
    track = track_of(sine, 100, 3, claimed)
    assert errors_against(track, track, START).nees() is None


def test_interpolation_is_hermite_s():
    truth = track_of(sine, 20, 3)
    stamps = START + np.array([0, 1, 49_999_999, 50_000_000, 1_234_567_890, 3_000_000_000])
    spline = interpolate.CubicHermiteSpline(truth.seconds(START), truth.z, truth.zd)
    assert truth.at(stamps).z == pytest.approx(spline((stamps - START) * 1e-9), abs=1e-12)


def test_samples_themselves_are_not_changed_by_interpolation():
    truth = track_of(sine, 130, 3)
    at = truth.at(truth.stamps)
    for found, given in zip((at.z, at.zd, at.zdd), (truth.z, truth.zd, truth.zdd), strict=True):
        assert np.array_equal(found, given)


def test_run_counts_what_it_did_not_receive(filled_run):
    run = filled_run(skip=(5, 6, 200))
    assert run.lost() == {'prototype': 0, 'model': 0, 'observer': 3, 'readings': 0}
    run.counters = Counters(run.end, used=290, rejected=9, late=2)
    assert run.lost()['readings'] == 2
    assert run.finished
    assert run.progress == pytest.approx(3.0)
    assert run.real_time_factor() == pytest.approx(1.0)
    assert list(run.latencies().values()) == pytest.approx([0.001] * len(run.latencies()))


def encoder(**noise):
    """Return the crank encoder with some of its noise settings replaced."""
    sensor, = sensors_of(load_mechanism('four_bar'), 'crank_encoder')
    return sensor.with_settings(replace(sensor.settings, **noise))


def test_estimates_are_expected_when_readings_are_due():
    run = AccuracyLog(START, 1.0, 200.0, [encoder(rate=50.0), encoder(rate=20.0)])
    seconds = (run.expected_estimates - START) * 1e-9
    assert sorted({*np.arange(1, 51) / 50, *np.arange(1, 21) / 20}) == pytest.approx(seconds)


def test_configured_drop_outs_are_no_losses():
    sensor = encoder(drop_out=0.3)
    run = AccuracyLog(START, 10.0, 200.0, [sensor], seed=7)
    device = SimulatedSensor(sensor, seed=7)
    arrived = []
    for stamp in run.expected.tolist():
        device.take(stamp, [0.0])
        arrived += [taken for _, taken, _ in device.release(stamp)]
    assert len(arrived) == pytest.approx(0.7 * 2001, rel=0.05)
    assert run.expected_estimates.tolist() == [stamp for stamp in arrived if stamp != START]
    run.counters = Counters(run.end, used=len(arrived))
    assert run.lost()['readings'] == 0
    run.counters = Counters(run.end, used=len(arrived) - 3)
    assert run.lost()['readings'] == 3


def test_run_that_stopped_early_lost_the_rest(filled_run):
    run = filled_run()
    longer = AccuracyLog(START, 5.0, 100.0)
    track = run.track('model')
    for stamp, z, zd, zdd in zip(track.stamps, track.z, track.zd, track.zdd, strict=True):
        longer.add_state('model', 0.0, stamp, ['theta'], z, zd, zdd, NONE)
    assert not longer.finished
    assert longer.lost()['model'] == 200
    assert longer.lost(so_far=True)['model'] == 0


@pytest.mark.parametrize(('names', 'z', 'covariance', 'complaint'), [
    (['phi'], [1.0], NONE, 'degrees of freedom phi where theta were expected'),
    (['theta'], [1.0, 2.0], NONE, 'z, zd, zdd and covariance of 2, 1, 1 and 0'),
    (['theta'], [], NONE, 'of 0, 1, 1 and 0'),
    (['theta'], [1.0], np.eye(7), 'of 1, 1, 1 and 7'),
])
def test_state_that_does_not_fit_is_refused(names, z, covariance, complaint, filled_run):
    with pytest.raises(ValueError, match=complaint):
        filled_run(duration=0.1).add_state('model', 0.0, START, names, z, [0.0], [0.0], covariance)


def test_late_and_repeated_states_do_no_harm(filled_run):
    run = filled_run(duration=0.5)
    before = run.errors()['model'].figures()
    truth = run.track('prototype')
    for k in (3, 3, 1):
        run.add_state('model', 1.0, truth.stamps[k], ['theta'], truth.z[k] + 1.0, truth.zd[k],
                      truth.zdd[k], NONE)
    assert run.errors()['model'].figures() == before
    assert run.lost()['model'] == 0
