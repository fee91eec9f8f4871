"""Incredible readings of sensors with a gate: left out or doubted, by any filter."""

from dataclasses import replace
from math import sqrt

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy.stats import chi2
from streamed import bits, stream_of

from mb_estimators import (
    FilterError,
    ImpossibleReadingError,
    available_filters,
    make_filter,
    three_simulation,
)
from mb_estimators.watches.gating import GateSettings, widening
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT, STEP, START = 0.005, 5_000_000, 1_000_000_000
FOUR_BAR = load_mechanism('four_bar')
SENSORS = ('crank_encoder', 'coupler_gyro')
FILTERS = available_filters(FOUR_BAR)
REJECT, INFLATE, HUBER = (
    GateSettings(gate, 0.999) for gate in ('reject', 'inflate', 'huber'))
ADAPTIVE = [('adaptive_error_ekf_fe', {'adapt': 'sensors', 'method': method})
            for method in ('covariance_matching', 'sage_husa', 'variational_bayes')]


MOTION = three_simulation(FOUR_BAR, 'error_ekf', SENSORS, {}, 3.0, DT, 1).readings


def some_readings(count=12):
    """Return stamp -> {sensor: values} of the mechanism as it falls."""
    return {START + k * STEP: {'crank_encoder': (row[0],), 'coupler_gyro': (row[1],)}
            for k, row in enumerate(MOTION[:count].tolist())}


def steps_of(stream, readings):
    return [step for stamp, of_instant in readings.items() for name, values in of_instant.items()
            for step in stream.add(name, stamp, values)]


@pytest.mark.parametrize('name', FILTERS)
def test_an_incredible_reading_is_as_if_it_had_not_come(name):
    readings, without = some_readings(), some_readings()
    wild = START + 7 * STEP
    readings[wild]['crank_encoder'] = (1.9,)
    without[wild].pop('crank_encoder')
    gates = dict.fromkeys(SENSORS, REJECT)
    problems = []

    stream, other = (stream_of(FOUR_BAR, SENSORS, name, gates=gates, problems=said)
                     for said in (problems, None))
    found, expected = steps_of(stream, readings), steps_of(other, without)
    assert [bits(step.estimate) for step in found] == [bits(step.estimate) for step in expected]
    assert found[7].innovation.rejected.tolist() == [0]
    assert stream.state.counts.rejected == 1
    assert problems == ['crank_encoder: incredible reading at 1.035000 s']
    assert 'crank_encoder has sent incredible readings' in found[8].distrust


@pytest.mark.parametrize('gate', [INFLATE, HUBER], ids=['inflate', 'huber'])
@pytest.mark.parametrize(('name', 'tuning'), [*((name, {}) for name in FILTERS), *ADAPTIVE])
def test_an_inflated_reading_is_one_of_a_sensor_that_is_so_much_worse(name, tuning, gate):
    """From the start, beside a filter of a sensor with just the noise that it is taken with.

    That is what makes it credible, or |r| / (k sigma) times its variance.
    """
    values = np.array([1.6])
    plain = make_filter(name, FOUR_BAR, ['crank_encoder'], DT, **tuning)
    judged = plain.correct(values)
    bound = chi2.ppf(0.999, 1)
    sensor = sensors_of(FOUR_BAR, ['crank_encoder'])[0]
    residual, variance = judged.residual[0], judged.covariance[0, 0]
    more = residual ** 2 / bound - variance
    if gate is HUBER:
        more = (abs(residual) / sqrt(bound * variance) - 1.0) * sensor.settings.variance
    assert more > 0.0
    sigma = sqrt(sensor.settings.variance + more)
    worse = make_filter(name, FOUR_BAR, [sensor.with_settings(
        replace(sensor.settings, sigma=sigma, resolution=0.0))], DT, **tuning)
    used = worse.correct(values)
    stream = stream_of(FOUR_BAR, ['crank_encoder'], name, gates={'crank_encoder': gate},
                       tuning=tuning)
    step, = stream.add('crank_encoder', START, values)
    assert step.innovation.nis == pytest.approx(used.nis, rel=1e-6)
    if gate is INFLATE and not tuning:
        assert used.nis == pytest.approx(bound, rel=1e-6)
    assert stream.state.counts == replace(stream.state.counts, used=1, rejected=0)
    for field in ('z', 'zd', 'covariance'):
        np.testing.assert_allclose(getattr(step.estimate, field), getattr(worse.estimate, field),
                                   rtol=1e-5, atol=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10 ** 6), st.floats(1.01, 1e6))
def test_widened_noise_makes_a_reading_just_credible(size, seed, times):
    random = np.random.default_rng(seed)
    root = random.normal(size=(size, size)) * 10.0 ** random.uniform(-3, 3, (size, 1))
    covariance = root @ root.T + 1e-6 * np.diag(np.diagonal(root @ root.T))
    bound, residual = chi2.ppf(0.99, size), root @ random.normal(size=size)
    residual *= sqrt(times * bound / (residual @ np.linalg.solve(covariance, residual)))
    added = widening(residual, covariance, bound)
    wide = covariance + np.diag(added)
    assert residual @ np.linalg.solve(wide, residual) == pytest.approx(bound, rel=1e-4)
    shares = added / np.diagonal(covariance)
    np.testing.assert_allclose(shares, shares[0], rtol=1e-12)


def test_of_two_sensors_the_one_that_disagrees_stays_out():
    readings = some_readings(60)
    for of_instant in readings.values():
        of_instant['crank_encoder'] = (1.9,)
    stream = stream_of(FOUR_BAR, SENSORS, gates=dict.fromkeys(SENSORS, REJECT))
    steps_of(stream, readings)
    assert (stream.state.counts.used, stream.state.counts.rejected) == (60, 60)


@pytest.mark.parametrize(('restart', 'variance'), [(False, 1e-9), (True, 1e-3)])
@pytest.mark.parametrize('gate', [REJECT, INFLATE])
def test_an_estimate_with_which_no_sensor_agrees_is_wrong(restart, variance, gate):
    """It is given up if asked; otherwise readings are believed until they fit again."""
    problems = []

    filter_ = make_filter('error_ekf', FOUR_BAR, SENSORS[:1], DT, initial_variance=variance)
    stream = stream_of(FOUR_BAR, SENSORS[:1], filter_, initial=(FOUR_BAR.z0 - 0.5, FOUR_BAR.zd0),
                       problems=problems, gates={'crank_encoder': gate}, restart=restart)
    readings = some_readings(600)
    last = [step for stamp, of_instant in readings.items()
            for step in stream.add('crank_encoder', stamp, of_instant['crank_encoder'])][-1]
    angle = last.estimate.z[0] - readings[last.stamp]['crank_encoder'][0]
    assert abs(np.angle(np.exp(1j * angle))) < 0.1
    assert any('no sensor has agreed' in problem for problem in problems)
    assert any('diverged' in problem for problem in problems) == restart


class Wild:
    """A filter that no state fits if the crank is said to be beyond 3 rad."""

    def __init__(self, real):
        self._real = real

    @property
    def state(self):
        return self._real.state

    def __getattr__(self, name):
        return getattr(self._real, name)

    def correct(self, readings):
        if readings[0] > 3.0:
            raise ImpossibleReadingError('no position fits')
        return self._real.correct(readings)


def test_of_impossible_readings_only_the_wild_one_is_left_out():
    readings, without = some_readings(), some_readings()
    readings[START + 7 * STEP]['crank_encoder'] = (4.0,)
    without[START + 7 * STEP].pop('crank_encoder')
    gates = dict.fromkeys(SENSORS, REJECT)
    wild, plain = (stream_of(FOUR_BAR, SENSORS, filter_, gates=gates) for filter_ in (
        Wild(make_filter('error_ekf', FOUR_BAR, SENSORS, DT)), 'error_ekf'))
    found, expected = steps_of(wild, readings), steps_of(plain, without)
    assert [bits(step.estimate) for step in found] == [bits(step.estimate) for step in expected]
    assert wild.state.counts.rejected == 1


@pytest.mark.parametrize(('gate', 'text'), [
    ('reject', 'coupler_gyro.gate: must be off, Plain cannot take back a correction'),
    ('inflate', 'coupler_gyro.gate: must not be inflate, Undoing cannot widen the noise'),
    ('huber', 'coupler_gyro.gate: must not be huber, Undoing cannot widen the noise')])
def test_filters_that_cannot_be_gated_are_refused(gate, text):
    class Plain:
        use_gate = None

    class Undoing(Plain):
        state = None

    with pytest.raises(FilterError, match=text):
        stream_of(FOUR_BAR, SENSORS, Plain() if gate == 'reject' else Undoing(),
                  gates={'coupler_gyro': GateSettings(gate)})
