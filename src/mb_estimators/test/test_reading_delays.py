"""Which sensor is late, and for which one estimates wait, by a clock that the test sets."""

import pytest
from streamed import stream_of

from mb_estimators.stream.reading_delays import ReadingDelays
from mb_estimators.timeline import ReadInputs
from mb_model import load_mechanism

ENCODER, GYRO = 'crank_encoder', 'coupler_gyro'
START, STEP, MS = 1_000_000_000, 5_000_000, 1_000_000
MODEL = load_mechanism('four_bar')


class Timed:
    """An EstimateStream of an encoder and a gyroscope with its ReadingDelays."""

    def __init__(self, **settings):
        self.stream = stream_of(MODEL, [ENCODER, GYRO], **settings)
        self.delays = ReadingDelays([ENCODER, GYRO, 'inputs'], self.stream.behind)

    def run(self, instants, *late):
        """Feed readings of instants, (name, how late it comes [ms]) each, as they come."""
        arrivals = sorted((START + k * STEP + round(ms * MS), START + k * STEP, name)
                          for name, ms in late for k in instants)
        for arrival, stamp, name in arrivals:
            steps = (self.stream.add_input(stamp, [0.0]) if name == 'inputs' else
                     self.stream.add(name, stamp, (MODEL.z0[0] if name == ENCODER else 0.0,)))
            self.delays.saw([name], stamp, arrival, self.stream.state.newest, steps)
        return self.delays.look()


@pytest.mark.parametrize(('late', 'early'), [(GYRO, ENCODER), (ENCODER, GYRO)])
def test_the_late_sensor_is_named_with_what_it_costs(late, early):
    assert Timed().run(range(20), (early, 0.25), (late, 3.5)) == {
        f'{early} behind stamp median [ms]': '0.250',
        f'{early} behind stamp worst [ms]': '0.250',
        f'{late} behind stamp median [ms]': '3.500',
        f'{late} behind stamp worst [ms]': '3.500',
        f'waited for {late} median [ms]': '3.250',
        f'waited for {late} worst [ms]': '3.250',
        'estimates wait longest for': late}


def test_the_worst_is_that_since_the_last_look():
    timed = Timed()
    timed.run(range(10), (ENCODER, 0.0), (GYRO, 4.0))
    timed.run([10], (ENCODER, 0.0), (GYRO, 1.0))
    timed.run([11], (ENCODER, 0.0), (GYRO, 2.0))
    assert timed.delays.look() == {}
    for k, ms in enumerate((1.0, 1.5, 4.5), start=12):
        timed.delays.saw([GYRO], START + k * STEP, START + k * STEP + round(ms * MS), None, [])
    assert timed.delays.look() == {f'{GYRO} behind stamp median [ms]': '1.500',
                                   f'{GYRO} behind stamp worst [ms]': '4.500'}


def test_a_sensor_that_has_died_is_waited_for_as_long_as_the_window():
    timed = Timed(reorder_window=0.02)
    timed.run(range(5), (ENCODER, 0.0), (GYRO, 1.0))
    figures = timed.run(range(5, 30), (ENCODER, 0.0))
    assert figures['estimates wait longest for'] == GYRO
    assert figures[f'waited for {GYRO} median [ms]'] == '20.000'
    assert f'waited for {ENCODER} median [ms]' not in figures


def test_nothing_waits_for_a_late_sensor_with_a_history():
    timed = Timed(history_length=0.1, reorder_window=0.002)
    timed.run(range(5), (ENCODER, 0.0), (GYRO, 7.0))
    figures = timed.run(range(5, 30), (ENCODER, 0.0), (GYRO, 7.0))
    assert figures[f'{GYRO} behind stamp median [ms]'] == '7.000'
    assert f'waited for {GYRO} median [ms]' not in figures
    assert figures[f'waited for {ENCODER} worst [ms]'] == '0.000'


def test_inputs_are_waited_for_as_sensors_are():
    timed = Timed(inputs=ReadInputs)
    figures = timed.run(range(10), (ENCODER, 0.0), (GYRO, 0.0), ('inputs', 2.0))
    assert figures['estimates wait longest for'] == 'inputs'
    assert figures['waited for inputs median [ms]'] == '2.000'


def test_stamps_that_begin_anew_do_not_count_as_waiting():
    timed = Timed()
    timed.run(range(100, 120), (ENCODER, 0.0), (GYRO, 1.0))
    timed.stream.begin_again()
    figures = timed.run(range(10), (ENCODER, 0.0), (GYRO, 1.0))
    assert figures[f'waited for {GYRO} worst [ms]'] == '1.000'


def test_memory_is_bounded():
    delays = ReadingDelays([ENCODER], lambda stamp: [])
    for k in range(20_000):
        delays.saw([ENCODER, f'stranger_{k}'], k, k + 10 * MS if k == 3 else k, k, [])
    assert len(delays._stamps) == len(delays._arrivals) == 10_000
    assert len(delays._late[ENCODER]._last) == 1000
    assert delays.look() == {f'{ENCODER} behind stamp median [ms]': '0.000',
                             f'{ENCODER} behind stamp worst [ms]': '10.000'}
