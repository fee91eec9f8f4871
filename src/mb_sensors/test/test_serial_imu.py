"""The serial IMU: frames in a disturbed stream of bytes, and a pseudo-terminal that is pulled."""

from dataclasses import replace
from itertools import pairwise
import math
import os
import random

from hypothesis import given, settings, strategies as st
import pytest
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources.serial_imu import SerialImu, SerialSensorSettings, SerialSettings
from mb_sensors.sources.serial_imu.imu_frame import SIZE, FrameParser, ImuFrame, encode
from mb_sensors.sources.serial_imu.serial_imu_emulator import SerialImuEmulator

MECHANISM = load_mechanism('four_bar')
GYRO, FORCE = sensors_of(MECHANISM, ['crank_gyro', 'crank_accelerometers'])
SINGLE = st.floats(-150.0, 150.0, width=32)
FRAMES = st.builds(
    ImuFrame, st.integers(0, 2 ** 16 - 1), st.integers(0, 2 ** 32 - 1).map(lambda us: 1000 * us),
    st.tuples(SINGLE, SINGLE, SINGLE), st.tuples(SINGLE, SINGLE, SINGLE), SINGLE)


def parse(data, cuts=()):
    """Return the frames in data, fed in pieces, and the parser."""
    parser, found, edges = FrameParser(), [], [0, *sorted(c % (len(data) + 1) for c in cuts)]
    for start, end in zip(edges, [*edges[1:], len(data)], strict=True):
        found += [frame for frame, _ in parser.feed(data[start:end])]
    return found, parser


@given(st.lists(st.tuples(st.binary(max_size=60), FRAMES), max_size=8),
       st.lists(st.integers(0, 2000), max_size=6))
def test_every_frame_is_found_whatever_lies_between(pieces, cuts):
    data = b''.join(garbage + encode(frame) for garbage, frame in pieces)
    found, _ = parse(data + bytes(SIZE), cuts)      # zeros end what only seemed to begin
    assert found == [frame for _, frame in pieces]


@settings(max_examples=300)
@given(st.lists(FRAMES, min_size=3, max_size=3), st.integers(0, SIZE - 1), st.integers(1, 255))
def test_a_disturbed_byte_costs_its_frame_alone(frames, place, disturbance):
    data = bytearray(b''.join(map(encode, frames)))
    data[SIZE + place] ^= disturbance
    found, parser = parse(bytes(data))
    assert found == [frames[0], frames[2]]
    assert parser.waiting == 0


@given(st.binary(max_size=500), st.lists(st.integers(0, 500), max_size=5))
def test_nothing_is_found_in_noise(data, cuts):
    assert parse(data, cuts)[0] == []


def test_the_place_of_a_frame_in_what_came_is_reported():
    frame = ImuFrame(1, 0, (0.0,) * 3, (0.0,) * 3, 20.0)
    assert [behind for _, behind in FrameParser().feed(encode(frame) * 3)] == [2 * SIZE, SIZE, 0]


class Bench(SourceBench):
    """An emulated IMU and the source that reads it."""

    def __init__(self, port, sensors=(GYRO, FORCE), **each):
        common = SerialSettings(port=str(port))
        axes = {sensor.name: SerialSensorSettings(**each) for sensor in sensors}
        super().__init__(SerialImuEmulator(sensors, common, axes),
                         SerialImu(sensors, common, axes))
        self.start()
        self.until_open()

    def counts(self):
        return self.source.health().counts


@pytest.fixture
def bench(tmp_path, closing):
    """Return a function that sets up a bench."""
    return lambda *arguments, **options: closing(Bench(tmp_path / 'imu', *arguments, **options))


def test_one_frame_holds_both_sensors_in_any_mounting(bench):
    b = bench(axes=['-y', 'x', '-z'])
    b.emulator.take(GYRO, 7_000, [1.5])
    b.emulator.take(FORCE, 7_000, [9.5, -0.25])
    rate, force = b.samples(2)
    assert (rate.sensor, rate.values, rate.device_time) == ('crank_gyro', (1.5,), 7_000)
    assert (force.sensor, force.values) == ('crank_accelerometers', (9.5, -0.25))
    assert b.counts()['temperature [deg C]'] == '25.0'


def test_what_dropped_out_is_left_out(bench):
    b = bench()
    b.emulator.take(GYRO, 1_000, [1.0])             # no force at this instant
    b.emulator.take(GYRO, 2_000, [2.0])
    b.emulator.take(FORCE, 2_000, [3.0, 4.0])
    assert [s.sensor for s in b.samples(3)] == ['crank_gyro', 'crank_gyro', 'crank_accelerometers']


def test_one_frame_in_a_hundred_is_corrupted(bench):
    b, chance, sent, damaged = bench([GYRO]), random.Random(1), 2000, set()
    taken = []
    for k in range(sent):
        frame = bytearray(encode(ImuFrame(k, k * 1000, (0.0, 0.0, k / 1024), (math.nan,) * 3)))
        if 0 < k < sent - 1 and chance.random() < 0.01:
            frame[chance.randrange(len(frame))] ^= chance.randrange(1, 256)
            damaged.add(k)
        b.emulator.write(frame)
        if k % 50 == 49:        # a pseudo-terminal holds about a hundred frames
            b.until(lambda k=k: taken.extend(b.acquisition.take())
                    or len(taken) + sum(d <= k for d in damaged) >= k)
    b.until(lambda: taken.extend(b.acquisition.take()) or len(taken) + len(damaged) == sent)
    assert damaged
    assert [s.device_time // 1000 for s in taken] == [k for k in range(sent) if k not in damaged]
    assert all(s.values == (s.device_time / 1000 / 1024,) for s in taken)
    assert b.counts()['frames lost'] == len(damaged)
    assert b.emulator.lost == 0


def test_unplugged_and_plugged_in_again(bench):
    b = bench([GYRO])
    for _ in range(2):
        b.emulator.close()
        b.until(lambda: str(b.emulator._link) in b.acquisition.problem)
        b.emulator.open()
        b.until_open()
        b.emulator.take(GYRO, 5_000, [1.0])
        assert len(b.samples(1)) == 1
    assert b.counts()['frames lost'] == 0


def test_a_wrong_baud_rate_is_reported(bench):
    b = bench([GYRO])
    b.emulator.write(os.urandom(1000))
    b.until(lambda: b.source.health().faults)
    assert 'wrong baud rate or another device' in b.source.health().faults[0]
    b.emulator.take(GYRO, 5_000, [1.0])
    b.emulator.take(GYRO, 6_000, [1.0])
    b.emulator.take(GYRO, 7_000, [1.0])
    b.until(lambda: not b.source.health().faults)


def test_frames_that_come_in_a_burst_keep_their_order(bench):
    b = bench([GYRO])
    for k in range(60):     # as of a USB adapter that was held up
        b.emulator.take(GYRO, (k + 1) * 1_000_000, [1.0])
    arrivals = [s.arrival for s in b.samples(60)]
    assert all(later > one for one, later in pairwise(arrivals))


def test_values_beyond_the_range_are_left_out(bench):
    b = bench([GYRO])
    b.emulator.take(GYRO, 1_000, [41.0])
    b.emulator.take(GYRO, 2_000, [-40.0])
    assert [s.values for s in b.samples(1)] == [(-40.0,)]
    assert b.counts()['implausible'] == 1


def test_sensors_that_cannot_be_one_device_are_reported():
    other = replace(GYRO, name='other', body='coupler')
    each = dict.fromkeys(('crank_gyro', 'crank_accelerometers', 'other'), SerialSensorSettings())
    for wrong in ([GYRO, other], [FORCE, other]):
        with pytest.raises(SensorError, match='one gyroscope and one accelerometer on one body'):
            SerialImu(wrong, SerialSettings(), each)
    with pytest.raises(ValueError, match='must name x, y and z, each once'):
        SerialImu([GYRO], SerialSettings(),
                  {'crank_gyro': SerialSensorSettings(axes=('x', 'x', 'z'))})


def test_a_file_is_not_mistaken_for_a_port(tmp_path):
    port = tmp_path / 'precious'
    port.write_text('data')
    emulator = SerialImuEmulator([GYRO], SerialSettings(port=str(port)),
                                 {'crank_gyro': SerialSensorSettings()})
    with pytest.raises(Exception, match='is there already'):
        emulator.open()
    emulator.close()
    assert port.read_text() == 'data'
