"""Readings of several sensors come out in the order of their stamps, however they came."""

from hypothesis import given, strategies as st

from mb_estimators.stream.reading_order import NANOSECONDS, ReadingOrder
from mb_estimators.stream.stream_state import Verdict

MS = 1_000_000


def order(start=None, **settings):
    """Return a ReadingOrder and its state."""
    reading_order = ReadingOrder({'a': 200.0, 'b': 200.0}, **settings)
    return reading_order, reading_order.new_state(start)


def feed(order_and_state, readings):
    """Return the verdicts and the released instants of (sensor, stamp) pairs."""
    (reading_order, state), verdicts, instants = order_and_state, [], []
    for sensor, stamp in readings:
        verdicts.append(reading_order.add(state, sensor, stamp, (float(stamp),)))
        instants += [(s, sorted(values)) for s, values in reading_order.complete(state)]
    return verdicts, instants


def test_an_instant_waits_for_all_sensors():
    _, instants = feed(order(), [('a', 5 * MS), ('a', 10 * MS), ('b', 5 * MS), ('b', 10 * MS)])
    assert instants == [(5 * MS, ['a', 'b']), (10 * MS, ['a', 'b'])]


def test_but_not_longer_than_the_window():
    _, instants = feed(order(reorder_window=0.02), [('a', k * 5 * MS) for k in range(1, 8)])
    assert [s for s, _ in instants] == [5 * MS, 10 * MS, 15 * MS]


def test_a_reading_of_an_instant_already_released_is_too_late():
    verdicts, _ = feed(order(reorder_window=0.0), [('a', 20 * MS), ('b', 15 * MS)])
    assert verdicts == [None, Verdict.TOO_LATE]


def test_a_stamp_that_goes_backwards_or_stands_still_is_not_newer():
    verdicts, _ = feed(order(), [('a', 20 * MS), ('a', 15 * MS), ('a', 20 * MS), ('a', 25 * MS)])
    assert verdicts == [None, Verdict.NOT_NEWER, Verdict.NOT_NEWER, None]


def test_before_the_start_is_too_late():
    verdicts, _ = feed(order(start=NANOSECONDS), [('a', NANOSECONDS - 1), ('a', NANOSECONDS)])
    assert verdicts == [Verdict.TOO_LATE, None]


def test_one_stamp_far_ahead_does_no_harm_ten_are_believed():
    far = 1000 * NANOSECONDS
    verdicts, _ = feed(order(), [('a', 5 * MS), ('a', far), ('a', 10 * MS)])
    assert verdicts == [None, Verdict.TOO_FAR, None]
    verdicts, _ = feed(order(), [('a', 5 * MS)] + [('a', far + k * MS) for k in range(10)])
    assert verdicts[-2:] == [Verdict.TOO_FAR, Verdict.CLOCK_JUMP]


@given(window=st.sampled_from([0.0, 0.001, 0.02, 0.1, 1.0]),
       rate=st.sampled_from([20.0, 100.0, 1000.0]), late=st.integers(0, 40))
def test_a_sensor_is_silent_by_its_rate_and_the_window(window, rate, late):
    """Slow ones that are late are not, beside one of 1 kHz; dead ones are, whatever the window."""
    readings = ReadingOrder({'fast': 1000.0, 'slow': rate}, window, history_length=0.2)
    state, period = readings.new_state(), round(1000 / rate)
    assert readings.silent(state) == ['fast', 'slow']
    late = min(late, 4 * period)
    for k in range(1, 400):
        readings.add(state, 'fast', k * MS, (0.0,))
        if k > late and (k - late) % period == 0:
            readings.add(state, 'slow', (k - late) * MS, (0.0,))
        if k > 2 * late + period:
            assert readings.silent(state) == []
    allowed = max(window, 5.5 / rate) * 1000
    for k in range(400, 401 + late + period + round(allowed)):
        readings.add(state, 'fast', k * MS, (0.0,))
    assert readings.silent(state) == ['slow']


def test_gaps_are_counted():
    readings, state = order()
    feed((readings, state), [('a', 5 * MS), ('a', 10 * MS), ('a', 25 * MS), ('b', 5 * MS),
                             ('b', 15 * MS)])
    assert state.missing == 3


@given(st.integers(0, 8), st.integers(0, 8))
def test_any_arrival_within_the_window_gives_the_same_instants(lag_a, lag_b):
    """Two sensors, each in its own order, one behind the other by less than the window."""
    stamps = [k * 5 * MS for k in range(1, 31)]
    readings = [(sensor, s) for s in stamps for sensor in 'ab']
    in_order = feed(order(reorder_window=0.05), readings)[1]
    lags = {'a': lag_a, 'b': lag_b}
    shuffled = sorted(readings, key=lambda r: (r[1] + lags[r[0]] * 5 * MS, r[0]))
    verdicts, instants = feed(order(reorder_window=0.05), shuffled)
    assert set(verdicts) == {None}
    assert instants == in_order
