"""When readings fall due."""

import re

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism, simulate
from mb_sensors import SensorError, sensors_of
from mb_sensors.recorded import RecordedSensor
from mb_sensors.sampling import (
    NANOSECONDS,
    Sampler,
    numbers_at,
    reading_number,
    reading_stamp,
)

STEP = 5_000_000


def stamps(count, start=NANOSECONDS, step=STEP):
    return [start + k * step for k in range(count)]


def test_a_reading_for_every_sample_of_the_truth_at_equal_rates():
    sampler = Sampler(200.0)
    assert [sampler.due(s) for s in stamps(100)] == list(range(200, 300))


def test_every_third_at_a_third_of_the_rate():
    sampler = Sampler(200.0 / 3.0)
    due = [sampler.due(s) is not None for s in stamps(300)]
    assert sum(due) == pytest.approx(100, abs=1)


def test_stamps_that_do_not_advance_give_no_reading():
    sampler = Sampler(200.0)
    assert sampler.due(2 * NANOSECONDS) == 400
    assert sampler.due(2 * NANOSECONDS) is None
    assert sampler.due(NANOSECONDS) is None
    assert sampler.due(2 * NANOSECONDS + STEP) == 401


@given(st.integers(0, 2_000_000_000), st.integers(1, 10_000), st.integers(0, 9_999))
def test_numbers_are_exact_at_any_time(second, rate, index):
    """Stamps rounded to nanoseconds, also of a wall clock, count as exact instants do."""
    index %= rate
    stamp = second * NANOSECONDS + round(index * NANOSECONDS / rate)
    assert reading_number(stamp, float(rate)) == second * rate + index
    assert reading_stamp(second * rate + index, float(rate)) == stamp


@pytest.mark.parametrize(('rate', 'dt', 'message'), [
    (333.0, 5e-3, 'every 0.003003 s .* 0.005 s apart: expected a rate such as 200 Hz, or instants'),
    (1000.0, 5e-3, 'expected a rate such as 200 Hz, or instants 0.001 s apart'),
    (7.0, 5e-3, 'expected a rate such as 6.896.* or 7.142.* Hz'),
    (333.0, 1e-3, 'expected a rate such as 250 or 333.333333333 Hz')])
def test_rates_that_do_not_fit_a_recorded_motion_are_refused(rate, dt, message):
    mechanism = load_mechanism('pendulum').replace(
        sensors={'one': {'kind': 'gyroscope', 'body': 'rod', 'sigma': 0.0, 'rate': rate}})
    run, (sensor,) = simulate(mechanism, 0.5, dt), sensors_of(mechanism, ['one'])
    stamps = [NANOSECONDS + round(t * NANOSECONDS) for t in run.t]
    with pytest.raises(SensorError, match=f'one.rate: {rate:g} Hz: a reading .*{message}'):
        RecordedSensor(sensor, run, stamps)


@pytest.mark.parametrize(('rate', 'dt', 'count'), [
    (1000.0, 1e-3, 501), (200.0, 5e-3, 101), (100.0, 5e-3, 51), (1.0 / 0.015, 5e-3, 34),
    (333.333333333, 1e-3, 167), (10.0, 5e-3, 6)])
def test_rates_that_fit_are_kept(rate, dt, count):
    mechanism = load_mechanism('pendulum').replace(
        sensors={'one': {'kind': 'gyroscope', 'body': 'rod', 'sigma': 0.0, 'rate': rate}})
    run, (sensor,) = simulate(mechanism, 0.5, dt), sensors_of(mechanism, ['one'])
    stamps = [NANOSECONDS + round(t * NANOSECONDS) for t in run.t]
    readings = RecordedSensor(sensor, run, stamps).readings(0)[:, 0]
    taken = np.flatnonzero(np.isfinite(readings))
    assert len(taken) == count
    np.testing.assert_allclose(np.diff(taken) * dt, 1.0 / rate)
    np.testing.assert_allclose(readings[taken], run.zd[taken, 0])


def gyroscope(rate):
    mechanism = load_mechanism('pendulum').replace(
        sensors={'one': {'kind': 'gyroscope', 'body': 'rod', 'sigma': 0.0, 'rate': rate}})
    return sensors_of(mechanism, ['one'])[0]


@pytest.mark.parametrize('dt', [0.003, 0.007, 0.005, 0.0013, 1.0 / 240.0])
@pytest.mark.parametrize('start', [0, NANOSECONDS, 1_234_567_891, 1_700_000_000_123_456_789])
def test_what_is_suggested_for_a_rate_is_accepted(dt, start):
    """Whatever the step, also one that divides no second, and wherever the motion begins."""
    instants = [start + round(k * dt * NANOSECONDS) for k in range(2001)]
    for every in (1, 3):
        numbers = numbers_at(gyroscope(1.0 / (every * dt)), instants)
        taken = [k for k, number in enumerate(numbers) if number is not None]
        assert set(np.diff(taken)) == {every}
        assert set(np.diff([numbers[k] for k in taken])) == {1}
    for rate in (0.97 / dt, 0.31 / dt, 0.062 / dt, 2.5 / dt):
        with pytest.raises(SensorError, match='expected a rate such as') as refused:
            numbers_at(gyroscope(rate), instants)
        rates, steps = re.search(r'such as (.*) Hz, or instants (.*) s apart',
                                 str(refused.value)).groups()
        for suggested in rates.split(' or '):
            numbers = numbers_at(gyroscope(float(suggested)), instants)
            assert sum(number is not None for number in numbers) > 2001 * dt * rate / 4
        others = [start + round(k * float(steps) * NANOSECONDS) for k in range(2001)]
        assert None not in numbers_at(gyroscope(rate), others)


def test_nothing_is_suggested_for_instants_without_a_step():
    instants = [NANOSECONDS + 1_000_000 * k * k for k in range(20)]
    with pytest.raises(SensorError, match=r'expected instants 0\.01 s apart'):
        numbers_at(gyroscope(100.0), instants)
