"""The window of consistency: the last seconds of every sensor, judged while readings come."""

from dataclasses import replace

import numpy as np
import pytest

from mb_estimators import Innovation, three_simulation
from mb_estimators.consistency.normalized import normalized_squares
from mb_estimators.consistency.window import ConsistencySettings, ConsistencyWindow
from mb_model import load_mechanism
from mb_sensors import sensors_of


def sensors():
    return sensors_of(load_mechanism('four_bar'), ['crank_encoder', 'crank_accelerometers'])


def feed(window, seconds, rng, scale=1.0, begin=0):
    """Feed three channels at 200 Hz whose covariance is known; return what it was fed."""
    S = np.array([[4.0, 1.0, 0.5], [1.0, 2.0, 0.3], [0.5, 0.3, 1.0]])
    factor = scale * np.linalg.cholesky(S)
    kept = []
    for k in range(round(200 * seconds)):
        residual = factor @ rng.normal(size=3)
        channels = np.arange(3) if k % 2 else np.array([1, 2])      # an encoder half as fast
        window.add(begin + k * 5_000_000, Innovation(
            channels, residual[channels], S[np.ix_(channels, channels)], 0.0, np.array([], int)))
        kept.append((channels, residual, S))
    return kept


def left_out(share, channels, window, seconds=2.0):
    """Feed a window of three channels, of which these are left out in a share of instants."""
    rng = np.random.default_rng(21)
    for k in range(round(200 * seconds)):
        out = np.array(channels) if rng.random() < share else np.array([], int)
        used = np.setdiff1d(np.arange(3), out)
        window.add(k * 5_000_000, Innovation(
            used, rng.normal(size=len(used)), np.eye(len(used)), 0.0, out))
    return window.judgement


@pytest.mark.parametrize('channels', [(1, 2), (1,), (2,)])
@pytest.mark.parametrize(('share', 'consistent'), [(0.0, True), (0.004, True), (0.2, False),
                                                   (1.0, False)])
def test_readings_that_were_left_out_count(share, consistent, channels):
    encoder, accelerometers = left_out(
        share, channels, ConsistencyWindow(sensors(), ConsistencySettings()))
    assert encoder.is_consistent
    assert accelerometers.is_consistent == consistent
    assert accelerometers.count == encoder.count
    assert accelerometers.incredible == pytest.approx(share, abs=0.06)
    if share == 1.0:
        assert accelerometers.nis == np.inf
        assert accelerometers.verdict == (
            f'crank_accelerometers: all {encoder.count} readings were left out')
    elif not consistent:
        assert f'of {encoder.count} readings were left out' in accelerometers.verdict


def test_readings_that_a_gate_leaves_out_by_chance_are_no_fault():
    for by_chance, consistent in ((0.2, True), (0.0, False)):
        window = ConsistencyWindow(sensors(), ConsistencySettings())
        window.by_chance = {'crank_accelerometers': by_chance}
        assert left_out(0.2, (1, 2), window)[1].is_consistent == consistent


@pytest.mark.parametrize('name', ['error_ekf', 'error_ekf_fe', 'ukf', 'dekf', 'augmented_ekf'])
@pytest.mark.parametrize('sensor', ['crank_encoder', 'coupler_gyro'])
@pytest.mark.parametrize('times', [5.0, 0.2])
def test_a_sigma_that_is_wrong_by_five_is_named_within_200_readings(name, sensor, times):
    declared = load_mechanism('four_bar').sensors[sensor]['sigma']
    result = three_simulation(
        'four_bar', name, ['crank_encoder', 'coupler_gyro'],
        {'sensors': {sensor: {'sigma': declared / times}}}, 1.5, 0.005, seed=0)
    window = ConsistencyWindow(result.sensors, ConsistencySettings())
    for k in range(200):
        window.add(int(result.stamps[k]), Innovation(
            np.arange(2), result.innovation[k], result.innovation_covariance[k], 0.0,
            np.array([], int)))
    found, = (one for one in window.judgement if one.sensor == sensor)
    assert (found.verdict if times > 1.0 else found.remark).startswith(f'{sensor}: ')


def test_window_judges_fast_sensors_early_and_slow_ones_at_all():
    for rate, most in ((1000.0, 101), (0.5, 21)):
        fast = [one.with_settings(replace(one.settings, rate=rate)) for one in sensors()]
        window, rng = ConsistencyWindow(fast, ConsistencySettings()), np.random.default_rng(23)
        for k in range(most):
            window.add(round(k * 1e9 / rate), Innovation(
                np.arange(3), 5.0 * rng.normal(size=3), np.eye(3), 0.0, np.array([], int)))
        assert all(one.verdict for one in window.judgement)


def test_window_judges_the_last_seconds_by_sensor():
    rng = np.random.default_rng(11)
    window = ConsistencyWindow(sensors(), ConsistencySettings(window=2.0, period=0.5))
    kept = feed(window, 3.965, rng)         # 1 + 8 * 99 instants: the last one is judged
    encoder, accelerometers = window.judgement
    assert (encoder.sensor, encoder.count) == ('crank_encoder', 200)
    assert (accelerometers.sensor, accelerometers.count) == ('crank_accelerometers', 400)
    parts = [residual[1:] @ np.linalg.inv(S[1:, 1:]) @ residual[1:] for _, residual, S in kept]
    assert accelerometers.nis == pytest.approx(np.mean(parts[-400:]) / 2.0)
    assert encoder.is_consistent
    assert accelerometers.is_consistent
    assert np.isnan(window.nis['crank_encoder'])
    assert window.nis['crank_accelerometers'] == pytest.approx(parts[-1])


def test_window_forgets_what_is_past_and_starts_anew_with_the_clock():
    rng = np.random.default_rng(12)
    window = ConsistencyWindow(sensors(), ConsistencySettings(window=1.0, period=0.1))
    feed(window, 2.0, rng, scale=3.0)
    assert not any(figures.is_consistent for figures in window.judgement)
    feed(window, 2.0, rng, begin=2_000_000_000)
    assert all(figures.is_consistent for figures in window.judgement)
    feed(window, 0.005, rng)
    assert [figures.count for figures in window.judgement] == [0, 1]


def test_window_whitens_what_comes_of_each_sensor():
    """As numpy does for each sensor with all its channels, whichever of the channels come."""
    rng = np.random.default_rng(13)
    window = ConsistencyWindow(sensors(), ConsistencySettings(window=0.5, period=0.1))
    squares = {'crank_encoder': [], 'crank_accelerometers': []}
    for k in range(201):
        factor = rng.normal(size=(3, 3)) + 2.0 * np.eye(3)
        S, residual = factor @ factor.T, rng.normal(size=3)
        channels = np.flatnonzero(rng.random(3) < 0.7) if k < 200 else np.arange(3)
        window.add(k * 5_000_000, Innovation(
            channels, residual[channels], S[np.ix_(channels, channels)], 0.0, np.array([], int)))
        for name, place in (('crank_encoder', [0]), ('crank_accelerometers', [1, 2])):
            if set(place) <= set(channels):
                squares[name].append((k, float(normalized_squares(
                    residual[None, place], S[None][:, place][:, :, place])[0])))
    for figures in window.judgement:
        judged = [value for k, value in squares[figures.sensor] if k > 100]
        assert figures.count == len(judged)
        channels = 1 if figures.sensor == 'crank_encoder' else 2
        assert figures.nis == pytest.approx(np.mean(judged) / channels, rel=1e-12)
        assert window.nis[figures.sensor] == pytest.approx(judged[-1], rel=1e-12)


def test_window_survives_a_covariance_that_is_none():
    window = ConsistencyWindow(sensors(), ConsistencySettings(period=0.001))
    for k in range(3):
        window.add(k * 5_000_000, Innovation(
            np.arange(3), np.ones(3), np.diag([1.0, 0.0, 0.0]), 0.0, np.array([], int)))
    assert window.nis['crank_encoder'] == pytest.approx(1.0)
    assert np.isnan(window.nis['crank_accelerometers'])
    assert not any(figures.verdict for figures in window.judgement[1:])
