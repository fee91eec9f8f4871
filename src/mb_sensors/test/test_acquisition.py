"""From samples to readings: reconnection, queues, stamps, calibration."""

from itertools import pairwise
import threading
import time

from hypothesis import given, strategies as st
import pytest

from mb_model import load_mechanism
from mb_ros.device_clock import DeviceClock, nearest
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources import Sample, SourceError
from mb_sensors.sources.acquisition import Acquisition, AcquisitionSettings
from mb_sensors.sources.intake import ChannelCalibration, Intake, load_calibration

MS = 1_000_000
FOUR_BAR = load_mechanism('four_bar')
ENCODER, = sensors_of(FOUR_BAR, 'crank_encoder')
PERIOD = 2 ** 32 * 1000
FAST = AcquisitionSettings(first_retry=0.001, longest_retry=0.002)


class Unreliable:
    """A source that gives what a script says: a list of samples, or an exception to raise."""

    def __init__(self, script):
        self.script, self.opens, self.closes = list(script), 0, 0
        self.over = threading.Event()

    def open(self):
        self.opens += 1

    def read(self, timeout):
        if not self.script:
            self.over.set()
            time.sleep(0.01)
            return []
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def close(self):
        self.closes += 1


def run(source, settings=FAST):
    acquisition = Acquisition(source, settings, lambda: None)
    acquisition.start()
    assert source.over.wait(10.0)
    acquisition.close()
    return acquisition


def test_a_lost_source_is_opened_again_and_nothing_that_came_is_lost():
    samples = [Sample('crank_encoder', k, (0.0,)) for k in range(6)]
    source = Unreliable([samples[:2], SourceError('unplugged'), samples[2:3], OSError('gone'),
                         ZeroDivisionError('a bug'), samples[3:]])
    acquisition = run(source)
    assert acquisition.take() == samples
    assert acquisition.take() == []
    assert (acquisition.opened, source.opens, source.closes) == (4, 4, 4)
    assert acquisition.problem == ''


def test_the_queue_keeps_the_newest_and_counts_the_rest():
    samples = [Sample('crank_encoder', k, (0.0,)) for k in range(10)]
    acquisition = run(Unreliable([samples[:6], samples[6:]]), AcquisitionSettings(queue=4))
    assert acquisition.take() == samples[6:]
    assert acquisition.overflowed == 6


def test_readings_that_come_quickly_are_handed_over_together_and_soon():
    samples = [Sample('crank_encoder', k, (0.0,)) for k in range(100)]
    source = Unreliable([[sample] for sample in samples])
    read, wakes, taken = source.read, [], []
    source.read = lambda timeout: time.sleep(0.0005) or read(timeout)

    def wake():
        wakes.append(time.monotonic())
        taken.extend(acquisition.take())
    acquisition = Acquisition(source, AcquisitionSettings(hand_over=0.01), wake)
    acquisition.start()
    end = time.monotonic() + 10.0
    while len(taken) < len(samples) and time.monotonic() < end:     # also the last ones
        time.sleep(0.001)
    acquisition.close()
    assert taken == samples
    assert all(later - one >= 0.01 for one, later in pairwise(wakes[1:]))


@given(st.integers(0, 10 ** 18), st.integers(-PERIOD // 2 + 1, PERIOD // 2 - 1))
def test_a_synchronised_clock_gives_the_nearest_instant(true, lateness):
    stamp = nearest(true % PERIOD, PERIOD, true + lateness)
    assert stamp == true


@given(st.integers(0, PERIOD - 1), st.floats(-150e-6, 150e-6),
       st.lists(st.integers(0, 8 * MS), min_size=200, max_size=200))
def test_jitter_is_taken_out_of_arrivals_whatever_the_clocks_do(start, drift, jitters):
    clock, step, least = DeviceClock(PERIOD), 5 * MS, 2 * MS
    for k, jitter in enumerate(jitters):
        if k % 10 == 0:
            jitter = 0      # now and then one comes at once
        taken = 10 ** 15 + k * step
        device_time = (start + round(k * step * (1.0 + drift)) // 1000 * 1000) % PERIOD
        arrival = clock.arrival(device_time, taken + least + jitter)
        assert arrival <= taken + least + jitter
        # 10 readings of 5 ms at twice the largest drift: 20 us, and a microsecond of rounding.
        assert -2000 <= arrival - (taken + least) <= 22_000


def test_a_late_beginning_is_made_up_for_without_going_back():
    clock, step, late = DeviceClock(PERIOD), 5 * MS, 20 * MS
    arrivals = [clock.arrival(k * step, 10 ** 15 + k * step + (late if k == 0 else 0))
                for k in range(20)]
    assert all(later > one for one, later in pairwise(arrivals))
    assert arrivals[8:] == [10 ** 15 + k * step for k in range(8, 20)]


def test_a_device_that_begins_anew_is_followed():
    clock = DeviceClock(PERIOD)
    for k in range(100):
        clock.arrival(10 ** 9 + k * MS, 10 ** 15 + k * MS)
    for k in range(1, 5):
        assert clock.arrival(k * MS, 10 ** 15 + 10 ** 10 + k * MS) == 10 ** 15 + 10 ** 10 + k * MS


def test_readings_are_calibrated_stamped_and_ordered():
    sensor = ENCODER.with_settings(ENCODER.settings.from_mapping(
        {'sigma': 0.0, 'rate': 100.0, 'delay': 0.004}))
    intake = Intake(sensor, AcquisitionSettings(),
                    {'crank_encoder': ChannelCalibration(2.0, 0.5)}, PERIOD)
    now = 5_000 * MS
    taken = [intake.reading(Sample('crank_encoder', 0, (1.5,)), now + (after - 1) * MS)
             for after in (0, 10, 10, 40)]
    assert taken == [(now - 5 * MS, [2.0]), (now + 5 * MS, [2.0]), None, (now + 35 * MS, [2.0])]
    assert intake.reading(Sample('crank_encoder', 0, (float('nan'),)), now + 50 * MS) is None
    assert intake.reading(Sample('crank_encoder', 0, (0.0,)), 2 * MS) is None    # no time yet
    counts = intake.counts
    assert (counts.readings, counts.rejected, counts.missing) == (3, 3, 2)
    # Our clock was set back: readings go on.
    assert intake.reading(Sample('crank_encoder', 0, (0.0,)), 1000 * MS) is not None


def test_a_synchronised_clock_that_is_not_ours_is_not_believed():
    intake = Intake(ENCODER, AcquisitionSettings(clock='synchronised'), {}, PERIOD)
    now = 10 ** 18
    stamps = [now + offset for offset in (-9 * 10 ** 9, 0, 9 * 10 ** 9, 11 * 10 ** 9)]
    assert [intake.reading(Sample('crank_encoder', 0, (0.0,), when % PERIOD), now)
            for when in stamps] == [(when, [0.0]) for when in stamps[:3]] + [None]
    assert '11.000 s off' in intake.last_problem


def test_calibration_files(tmp_path):
    file = tmp_path / 'calibration.yaml'
    file.write_text('crank_encoder: {bias: 0.1}\ncrank_accelerometers.x: {scale: 2.0}\n')
    assert load_calibration(str(file), FOUR_BAR) == {
        'crank_encoder': ChannelCalibration(1.0, 0.1),
        'crank_accelerometers.x': ChannelCalibration(2.0, 0.0)}
    assert load_calibration('', FOUR_BAR) == {}


@pytest.mark.parametrize(('text', 'problem'), [
    ('crank: {bias: 0.1}', 'has no sensor of four_bar, expected some of crank_encoder'),
    ('{crank_encoder: {bias: 0.1}, crank: {bias: 0.1}}',
     'crank: unknown sensor of four_bar, expected one of crank_encoder'),
    ('crank_encoder: {scale: big}', "crank_encoder.scale: 'big' must be a number"),
    ('crank_encoder: {offset: 1}', 'crank_encoder.offset: unknown setting'),
    ('crank_encoder: 0.1', 'crank_encoder: 0.1 must be a mapping'),
    ('[1]', 'must map channels'),
    ('{', 'calibration:'),
])
def test_wrong_calibration_files_are_reported(tmp_path, text, problem):
    file = tmp_path / 'calibration.yaml'
    file.write_text(text)
    with pytest.raises(SensorError, match=problem) as error:
        load_calibration(str(file), FOUR_BAR)
    assert str(file) in str(error.value)
