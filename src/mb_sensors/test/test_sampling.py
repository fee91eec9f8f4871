"""When readings fall due."""

from hypothesis import given, strategies as st
import pytest

from mb_sensors.sampling import NANOSECONDS, Sampler, reading_number

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
    """Stamps rounded to nanoseconds, also those of a wall clock, number as exact instants do."""
    index %= rate
    stamp = second * NANOSECONDS + round(index * NANOSECONDS / rate)
    assert reading_number(stamp, float(rate)) == second * rate + index
