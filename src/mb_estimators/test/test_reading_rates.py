"""Readings that come less often than declared are named, with both rates."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_estimators.stream.reading_rates import REASONS, ReadingRates

SECOND = 1_000_000_000


def fed(rates, name, period, begin, end, share=1.0, seed=0):
    """Let a share of the readings of a sensor come, every `period` from begin to end [s]."""
    random = np.random.default_rng(seed)
    for k in range(round(begin / period), round(end / period)):
        if random.random() < share:
            rates.saw([name], round(k * period * SECOND))


def test_both_rates_are_said_and_the_likely_reasons_until_readings_come_again():
    rates = ReadingRates({'gyro': 200.0, 'encoder': 200.0})
    fed(rates, 'gyro', 0.02, 0.0, 4.0)
    fed(rates, 'encoder', 0.005, 0.0, 4.0)
    said = 'gyro: 50 of 200 readings a second come: '
    assert rates.look() == said + REASONS
    assert rates.look() == said + REASONS               # until another span is complete
    fed(rates, 'gyro', 0.005, 4.0, 8.0)
    assert not rates.look()


@pytest.mark.parametrize(('begin', 'end', 'known'), [(0.0, 2.9, False), (0.0, 3.1, True)])
def test_a_rate_is_judged_after_some_seconds_of_stamps(begin, end, known):
    rates = ReadingRates({'gyro': 100.0})
    fed(rates, 'gyro', 0.05, begin, end)
    assert bool(rates.look()) == known


def test_a_slow_sensor_is_judged_after_enough_readings_were_due():
    rates = ReadingRates({'gps': 1.0})
    fed(rates, 'gps', 2.0, 0.0, 18.0)
    assert not rates.look()
    fed(rates, 'gps', 2.0, 18.0, 24.0)
    assert rates.look().startswith('gps: 0.5 of 1 readings a second come')


@settings(deadline=None, max_examples=60)
@given(share=st.floats(0.0, 1.0), seed=st.integers(0, 10 ** 6))
def test_what_is_lost_is_said_where_it_is_more_than_a_fifth(share, seed):
    rates = ReadingRates({'gyro': 200.0})
    fed(rates, 'gyro', 0.005, 0.0, 10.0, share, seed)
    if share < 0.74 and share > 0.01:
        assert rates.look().startswith('gyro: ')
    if share > 0.86:
        assert not rates.look()


def test_stamps_that_begin_anew_are_counted_anew():
    rates = ReadingRates({'gyro': 200.0})
    fed(rates, 'gyro', 0.005, 1000.0, 1002.0)
    fed(rates, 'gyro', 0.005, 0.0, 5.0)
    assert not rates.look()
    fed(rates, 'gyro', 0.05, 5.0, 10.0)
    assert rates.look()
    rates.forget()
    assert not rates.look()


@pytest.mark.parametrize('leap', [100.0, 3600.0, 1.8e9, -100.0])
def test_a_clock_that_leaps_is_no_loss(leap):
    rates = ReadingRates({'gyro': 200.0, 'encoder': 50.0})
    for begin in (1000.0, 1000.0 + leap):
        fed(rates, 'gyro', 0.005, begin, begin + 2.0)
        fed(rates, 'encoder', 0.02, begin, begin + 4.0)
        assert not rates.look()
    fed(rates, 'gyro', 0.02, 1002.0 + leap, 1008.0 + leap)
    assert rates.look().startswith('gyro: ')


def test_what_has_no_declared_rate_is_not_judged():
    """As the commands of valves, which come on a topic of inputs."""
    rates = ReadingRates({'gyro': 200.0})
    fed(rates, 'inputs', 0.02, 0.0, 4.0)
    assert not rates.look()
