"""Rates, ages and step times against inputs that are known."""

import pytest

from mb_ros.diagnostics import LastLook
from mb_ros.input_meter import InputMeter, pace
from mb_ros.stamps import stamp

START = 7_000_000_000


def fed(name, period_ms, busy, count, first=0):
    """Return an InputMeter of so many messages, their stamps a period apart."""
    meter = InputMeter(name)
    feed(meter, period_ms, busy, count, first)
    return meter


def feed(meter, period_ms, busy, count, first):
    for k in range(first, first + count):
        arrival = 0.001 * k * period_ms
        meter.take(arrival, arrival + busy, stamp(START + k * period_ms * 1_000_000))


def test_rates_and_ages_are_those_since_the_last_look():
    meter = fed('gyro', 5, 0.001, 10)
    meter.look(0.05)
    feed(meter, 5, 0.001, 200, 10)
    figures, rate, busy = meter.look(2.0)
    assert rate == pytest.approx(200.0)
    assert len(busy) == 200
    assert figures == {'gyro rate [Hz]': '200.0', 'gyro age [s]': '0.955'}
    figures, rate, busy = meter.look(3.0)
    assert (rate, busy) == (0.0, [])
    assert figures == {'gyro rate [Hz]': '0.0', 'gyro age [s]': '1.955'}
    meter.ignored = 3
    assert meter.look(3.0)[0]['gyro ignored while paused'] == 3


@pytest.mark.parametrize(('busy', 'load', 'beyond'), [
    (0.0002, 30.0, 1), (0.0008, 120.0, 1), (0.0012, 180.0, 3000)])
def test_steps_are_held_against_the_fastest_input(busy, load, beyond):
    meters = [fed('encoder', 1, busy, 1), fed('gyro', 2, busy, 1)]
    pace(meters, 0.0)
    feed(meters[0], 1, busy, 1999, 1)
    feed(meters[1], 2, busy, 1000, 1)
    meters[0].take(0.0, 0.01, stamp(START + 2_000_000_000))      # one step takes long
    figures, problem = pace(meters, 2.0)
    assert figures['deadline [ms]'] == '1.000'
    assert figures['step time median [ms]'] == f'{1e3 * busy:.3f}'
    assert figures['step time worst [ms]'] == '10.000'
    assert figures['steps beyond the deadline'] == beyond
    assert float(figures['load [%]']) == pytest.approx(load, abs=1.0)
    assert problem.startswith('too slow: ') == (load > 100.0)


def test_nothing_yet():
    assert pace([InputMeter('gyro')], 1.0) == (
        {'gyro rate [Hz]': '0.0', 'gyro age [s]': 'never'}, '')
    once = fed('gyro', 5, 0.001, 1)
    figures, problem = pace([once], 1.0)
    assert 'deadline [ms]' not in figures
    assert not problem


def test_a_look_compares_with_the_last_one():
    stamp, count = LastLook(None), LastLook()
    assert [stamp.stands_still(value) for value in (0, 0, 5, 5, 4)] == [
        False, True, False, True, False]
    assert [count.grown_by(value) for value in (0, 3, 3, 2)] == [0, 3, 0, -1]
