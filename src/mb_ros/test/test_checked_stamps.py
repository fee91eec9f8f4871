"""Stamps as clocks and drivers make them: good ones pass, known faults are repaired."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_ros.checked_stamps import MALFORMED, NANOSECONDS, STUCK, WORD, WRAPPED, CheckedStamps
from mb_ros.device_clock import Unwrapped

MS = 1_000_000
STARTS = st.integers(10 ** 9, 2 ** 31 * 10 ** 9 - 10 ** 12)
SEEDS = st.integers(0, 2 ** 32)

SEVERAL = settings(deadline=None, max_examples=20)      # each is a stream of thousands of stamps


def parts(time):
    return divmod(time, NANOSECONDS)


def wrapped(time):
    """Return sec and nanosec as drivers write them that take the nanoseconds modulo 2^32."""
    return time // NANOSECONDS, time % WORD


def of_stuck(time, sec=7):
    return sec, time % NANOSECONDS


def stream_of(seed, gap=2000):
    """Return times [ns] of a stream of ten seconds and more with losses, and how late each came."""
    random = np.random.default_rng(seed)
    period = int(random.integers(1, 41)) * MS
    count = 14_000 * MS // period
    start = int(random.integers(10 ** 9, 2 ** 31 * 10 ** 9 - 10 ** 12))
    steps = np.full(count, period)
    steps[random.random(count) < 0.02] += random.integers(0, gap) * MS
    return ((start + np.cumsum(steps)).tolist(),
            (1 * MS + random.exponential(3 * MS, count)).astype(int).clip(0, 300 * MS).tolist())


@SEVERAL
@given(SEEDS, st.sampled_from(['refuse', 'repair']))
def test_good_stamps_pass_as_they_are(seed, policy):
    checked = CheckedStamps(policy)
    for time, late in zip(*stream_of(seed, 20_000), strict=True):
        assert checked.take(*parts(time), time + late) == time
    assert not checked.fault
    assert not checked.counts


@SEVERAL
@given(SEEDS)
def test_single_malformed_stamps_are_left_out_and_the_others_are_not(seed):
    checked, stream = CheckedStamps(), stream_of(seed)
    wrong = np.random.default_rng(seed).random(len(stream[0])) < 0.02
    for time, late, is_wrong in zip(*stream, wrong, strict=True):
        sec, nanosec = parts(time)
        found = checked.take(sec, nanosec | (1 << 31 if is_wrong else 0), time + late)
        assert found == (None if is_wrong else time)
    assert not checked.fault
    assert checked.counts['left out'] == wrong.sum()


@SEVERAL
@given(SEEDS)
def test_wrapped_nanoseconds_are_found_and_repaired(seed):
    checked, stream, found = CheckedStamps('repair'), stream_of(seed), []
    for time, late in zip(*stream, strict=True):
        found.append((checked.take(*wrapped(time), time + late), time, checked.fault))
    assert all(stamp == time for stamp, time, fault in found if fault)
    assert all(fault == WRAPPED for _, time, fault in found
               if time > found[0][1] + 6 * NANOSECONDS)
    again = CheckedStamps('repair', WRAPPED)        # as of a bag that was looked into before
    assert all(again.take(*wrapped(time), time + late) == time
               for time, late in zip(*stream, strict=True))


@SEVERAL
@given(SEEDS)
def test_seconds_that_stand_still_are_found_and_taken_from_the_arrival(seed):
    checked, stream = CheckedStamps('repair'), stream_of(seed, 5000)
    found = [(checked.take(*of_stuck(time), time + late), time, checked.fault)
             for time, late in zip(*stream, strict=True)]
    assert found[-1][2] == STUCK
    assert all(stamp == time for stamp, time, fault in found if fault)


@SEVERAL
@given(SEEDS, st.sampled_from([(wrapped, WRAPPED), (of_stuck, STUCK)]))
def test_what_is_refused_is_named_with_the_settings_that_mend_it(seed, kind):
    make, fault = kind
    checked = CheckedStamps()
    found = [checked.take(*make(time), time + late)
             for time, late in zip(*stream_of(seed), strict=True)]
    assert checked.fault == fault
    assert found[-1] is None
    assert fault in checked.words
    assert 'stamps: repair' in checked.words
    assert 'stamps: arrival' in checked.words


def test_other_malformed_stamps_have_no_repair():
    for policy in ('refuse', 'repair'):
        checked = CheckedStamps(policy)
        random = np.random.default_rng(1)
        for k in range(100):
            assert checked.take(5, int(random.integers(NANOSECONDS, WORD)), k * MS) is None
        assert checked.fault == MALFORMED
        assert 'repair' not in checked.words


def test_a_driver_that_is_mended_is_believed_again():
    checked = CheckedStamps()
    for k in range(100):
        checked.take(5, NANOSECONDS + k, k * MS)
    times = [(20_000 + 100 * k) * MS for k in range(200)]
    found = [checked.take(*parts(time), time) for time in times]
    assert found[0] == times[0]
    assert not checked.fault


@SEVERAL
@given(SEEDS, st.sampled_from([(parts, ''), (wrapped, WRAPPED), (of_stuck, STUCK)]))
def test_arrivals_lose_their_jitter_where_a_stamp_is_a_clock_s(seed, kind):
    """As of our own drivers: in time no later than the arrival, and steadier."""
    make, fault = kind
    checked, (times, late) = CheckedStamps('arrival', fault), map(np.array, stream_of(seed, 1))
    found = np.array([checked.take(*make(time), time + by)
                      for time, by in zip(times.tolist(), late.tolist(), strict=True)])
    assert (np.diff(found) > 0).all()
    settled = len(found) // 2
    assert (found <= times + late)[settled:].all()
    assert np.std((found - times)[settled:]) < 0.2 * np.std(late[settled:])
    assert checked.counts['replaced by the arrival'] == len(found)


def test_stamps_that_were_never_set_are_replaced_by_the_arrival():
    checked = CheckedStamps('arrival')
    assert [checked.take(0, 0, k * MS) for k in range(1, 50)] == [k * MS for k in range(1, 50)]


@given(st.integers(8, 64), st.integers(1, 10 ** 6), STARTS, st.integers(0, 2 ** 32))
def test_counters_of_any_width_go_on_through_wraps_and_losses(bits, tick, start, seed):
    """Any number of counts may be lost, as long as arrivals are right to half a period."""
    period, random = 2 ** bits * tick, np.random.default_rng(seed)
    jitter = min(period // 8, 20 * MS)
    unwrapped, time, first = Unwrapped(period), start, None
    for _ in range(50):
        time += int(random.integers(1, min(5 * period, 10 ** 12))) // tick * tick
        arrival = time + int(random.integers(0, jitter + 1))
        found = unwrapped.take(time % period, arrival)
        first = found - time if first is None else first
        assert found - time == first
    assert abs(first) <= period // 2 + jitter


def test_unknown_policies_are_refused():
    with pytest.raises(ValueError, match="stamps: 'mend' must be one of refuse, repair, arrival"):
        CheckedStamps('mend')
