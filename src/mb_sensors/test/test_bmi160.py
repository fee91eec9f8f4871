"""The BMI160: its FIFO byte by byte, and a register model behind smbus2 or a socket."""

from math import radians
import time

from hypothesis import given, strategies as st
import pytest
import smbus2
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources import SourceError
from mb_sensors.sources.bmi160 import Bmi160, bmi160_registers as chip
from mb_sensors.sources.bmi160.bmi160_emulator import Bmi160Emulator, Bmi160Registers
from mb_sensors.sources.bmi160.bmi160_setup import Bmi160SensorSettings, Bmi160Settings

GYRO, FORCE = sensors_of(load_mechanism('four_bar'), ['crank_gyro', 'crank_accelerometers'])
STEP = 5_000_000                # of the sensors' 200 Hz [ns]
RATE_STEP = radians(500) / 2 ** 15
FORCE_STEP = 4 * 9.80665 / 2 ** 15
RAW = st.integers(-2 ** 15, 2 ** 15 - 1)
TRIPLES = st.tuples(RAW, RAW, RAW)
FRAMES = st.lists(st.builds(chip.FifoFrame, st.none() | TRIPLES, TRIPLES), max_size=20)


@given(FRAMES, st.integers(0, 2 ** 24 - 1), st.integers(0, 255), st.integers(0, 30))
def test_a_whole_fifo_is_read(frames, ticks, skipped, spare):
    data = chip.skip_frame(skipped) + b''.join(map(chip.fifo_frame, frames))
    content = chip.parse_fifo(data + chip.time_frame(ticks) + chip.empty(spare))
    assert content == chip.FifoContent(frames, skipped, ticks)


@given(FRAMES, st.integers(0, 300))
def test_a_frame_that_is_cut_waits_for_the_next_read(frames, end):
    data = b''.join(map(chip.fifo_frame, frames))[:end]
    content = chip.parse_fifo(data)
    assert content.frames == frames[:len(content.frames)]
    assert 0 <= len(data) - sum(len(chip.fifo_frame(f)) for f in content.frames) < chip.DATA_FRAME
    assert content.time is None


@given(st.binary(max_size=200))
def test_any_bytes_are_frames_or_an_error(data):
    try:
        content = chip.parse_fifo(data)
    except chip.FifoError:
        return
    assert sum(len(chip.fifo_frame(frame)) for frame in content.frames) <= len(data)


class Bench(SourceBench):
    """An emulated device on a bus and the source that reads it."""

    def __init__(self, path, sensors=(GYRO, FORCE), before=lambda device: None, **changes):
        settings = Bmi160Settings(bus=str(path), poll_period=0.001, **changes)
        each = {sensor.name: Bmi160SensorSettings() for sensor in sensors}
        super().__init__(Bmi160Emulator(sensors, settings, each), Bmi160(sensors, settings, each))
        before(self.emulator.device)
        self.start()


@pytest.fixture
def bench(tmp_path, closing):
    """Return a function that sets up a bench."""
    def make(*arguments, well=True, **options):
        one = closing(Bench(tmp_path / 'bus', *arguments, **options))
        if well:
            one.until_open()
        return one
    return make


def test_values_and_times_come_through(bench):
    b = bench()
    for k in range(200, 300):
        b.emulator.take(GYRO, k * STEP, [k / 50])
        b.emulator.take(FORCE, k * STEP, [9.81, -k / 50])
        time.sleep(0.001)
    samples = b.samples(200)
    rates = [s for s in samples if s.sensor == 'crank_gyro']
    forces = [s for s in samples if s.sensor == 'crank_accelerometers']
    assert [s.device_time for s in rates] == [k * STEP for k in range(200, 300)]
    assert [s.device_time for s in forces] == [k * STEP for k in range(200, 300)]
    assert [s.values for s in rates] == [
        (pytest.approx(k / 50, abs=RATE_STEP),) for k in range(200, 300)]
    assert [s.values for s in forces] == [
        (pytest.approx(9.81, abs=FORCE_STEP), pytest.approx(-k / 50, abs=FORCE_STEP))
        for k in range(200, 300)]
    b.until(lambda: b.source.health().counts.get('temperature [deg C]') == '25.0')


def test_the_sensor_time_begins_anew(bench):
    b = bench([GYRO])
    last = chip.TIME_PERIOD // STEP - 2
    for k in range(last, last + 4):
        b.emulator.take(GYRO, k * STEP, [0.0])
    assert [s.device_time // STEP for s in b.samples(4)] == [last, last + 1, 0, 1]


def test_a_fifo_overflow_is_counted_and_the_rest_keeps_its_times(bench):
    b = bench([GYRO])
    b.acquisition.close()       # the driver is busy elsewhere
    b.source.open()
    for k in range(200, 400):
        b.emulator.take(GYRO, k * STEP, [k / 50])
    samples = b.source.read(0.0)
    kept = chip.FIFO_SIZE // 7
    assert [s.device_time // STEP for s in samples] == list(range(400 - kept, 400))
    assert [s.values[0] for s in samples] == pytest.approx(
        [k / 50 for k in range(400 - kept, 400)], abs=RATE_STEP)
    assert b.source.health().counts['lost in FIFO overflows'] == 200 - kept


def test_a_sample_that_comes_during_a_read_costs_nothing(bench, monkeypatch):
    b = bench([GYRO])
    b.acquisition.close()
    b.source.open()
    for k in (200, 201):
        b.emulator.take(GYRO, k * STEP, [1.0])
    fifo = b.emulator.device._read_fifo

    def late(wanted):       # more than the driver reads beyond what it expects
        for k in range(202, 207):
            b.emulator.device._fifo.append(chip.fifo_frame(chip.FifoFrame((k, k, k), None)))
            b.emulator.device._held += 7
        b.emulator.device._ticks = 206 * 128
        monkeypatch.undo()
        return fifo(wanted)
    monkeypatch.setattr(b.emulator.device, '_read_fifo', late)
    assert b.source.read(0.0) == []         # no time yet
    assert [s.device_time // STEP for s in b.source.read(0.0)] == list(range(200, 207))


def test_unplugged_and_plugged_in_again(bench):
    b = bench([GYRO])
    for _ in range(2):
        b.emulator.close()
        b.until(lambda: '68h: ' in b.acquisition.problem)
        b.emulator.device._reset()          # its power was off
        b.emulator.open()
        b.until_open()
        b.emulator.take(GYRO, 200 * STEP, [1.0])
        assert len(b.samples(1)) == 1


@pytest.mark.parametrize(('register', 'value', 'problem'), [
    (chip.CHIP_ID, 0x24, 'is no BMI160: register 00h reads 24h, expected d1h'),
    (chip.RATE_RANGE, 0, 'register 43h reads 00h, expected 02h'),
    (chip.ERROR, 0x40, 'register 02h reads 40h, expected 00h'),
    (chip.POWER, 0x10, 'register 03h reads 10h, expected 14h'),
    (chip.STATUS, 0, 'the self-test of the gyroscope failed: register 1bh'),
    (chip.FORCE_DATA, 7, 'the self-test of the accelerometer failed: x moves by 0, expected 8192'),
    (chip.OFFSETS, chip.OFFSETS_ON, 'register 77h reads c0h, expected 00h'),
])
def test_a_device_that_is_not_as_expected_is_reported_and_not_read(bench, register, value, problem):
    def stick(device):
        transfer = device.transfer

        def stuck(written, wanted):
            answer = transfer(written, wanted)
            return bytes([value]) * wanted if written[0] == register else answer
        device.transfer = stuck
    b = bench([GYRO], well=False, before=stick)
    b.until(lambda: problem in b.acquisition.problem)
    b.emulator.take(GYRO, 200 * STEP, [1.0])
    assert b.acquisition.take() == []


@pytest.mark.parametrize(('chip_offsets', 'left'), [(False, 0x2A), (True, 0xEA)])
def test_offsets_that_are_stored_in_the_device_are_used_if_wanted(bench, chip_offsets, left):
    def store(device):
        reset = device._reset

        def restored():
            reset()
            device.registers[chip.OFFSETS] = 0xEA if not chip_offsets else 0x2A
        device._reset = restored
    b = bench([GYRO], before=store, chip_offsets=chip_offsets)
    assert b.emulator.device.registers[chip.OFFSETS] == left


def test_an_emulated_device_does_not_take_the_bus_of_another(bench):
    b = bench([GYRO])
    other = Bmi160Emulator([GYRO], b.source._settings, {'crank_gyro': Bmi160SensorSettings()})
    with pytest.raises(SourceError, match='there is an emulated device already'):
        other.open()
    b.until_open()


def test_another_address_is_reported(bench):
    b = bench([GYRO])
    b.acquisition.close()
    source = Bmi160([GYRO], Bmi160Settings(bus=b.source._settings.bus, address=0x69),
                    {'crank_gyro': Bmi160SensorSettings()})
    with pytest.raises(Exception, match='no device acknowledges this'):
        source.open()
    source.close()


def test_broken_reads_and_saturation_are_left_out(bench):
    b = bench([GYRO])
    b.emulator.device._fifo.append(b'\xff\xff\xff')
    b.emulator.device._held += 3
    b.until(lambda: b.source.health().counts['broken reads'] == 1)
    b.emulator.take(GYRO, 200 * STEP, [100.0])
    b.until(lambda: b.source.health().counts['saturated'] == 1)
    b.emulator.take(GYRO, 201 * STEP, [1.0])
    sample, = b.samples(1)
    assert (sample.device_time, sample.values) == (
        201 * STEP, (pytest.approx(1.0, abs=RATE_STEP),))


def test_a_bus_that_fails_while_the_fifo_is_flushed_is_opened_again(bench):
    b = bench([GYRO])
    device, fails = b.emulator.device, [True]
    transfer = device.transfer

    def failing(written, wanted):
        if fails and list(written) == [chip.COMMAND, chip.FIFO_FLUSH]:
            fails.clear()
            raise OSError('the wire is loose')
        return transfer(written, wanted)

    device.transfer = failing
    device._fifo.append(b'\xff\xff\xff')
    device._held += 3
    b.until(lambda: not fails)
    b.until_open()
    b.emulator.take(GYRO, 200 * STEP, [1.0])
    sample, = b.samples(1)
    assert sample.device_time == 200 * STEP


def test_the_same_device_behind_smbus2(monkeypatch):
    device = Bmi160Registers()

    class Bus:
        """What smbus2.SMBus has, with the device on it."""

        def __init__(self, name):
            assert name == '/dev/i2c-7'

        def i2c_rdwr(self, *messages):
            written = b''.join(bytes(m) for m in messages if not m.flags)
            wanted = [m for m in messages if m.flags & 1]
            answer = device.transfer(written, sum(m.len for m in wanted))
            for m in wanted:
                for k in range(m.len):
                    m.buf[k] = answer[k:k + 1]

        def close(self):
            pass
    monkeypatch.setattr(smbus2, 'SMBus', Bus)
    source = Bmi160([FORCE], Bmi160Settings(bus='/dev/i2c-7'),
                    {'crank_accelerometers': Bmi160SensorSettings(axes=('-y', 'x', 'z'))})
    source.open()
    device.measure(25_600, chip.FifoFrame(None, (100, -200, 300)))
    sample, = source.read(0.0)
    source.close()
    assert sample.device_time == 10 ** 9
    assert sample.values == pytest.approx((200 * FORCE_STEP, 100 * FORCE_STEP))


@pytest.mark.parametrize(('changes', 'problem'), [
    ({'rate_range': 300}, 'bmi160.rate_range: 300 must be one of 125, 250, 500, 1000, 2000'),
    ({'force_range': 5}, 'bmi160.force_range: 5 must be one of 2, 4, 8, 16')])
def test_ranges_that_the_device_lacks_are_reported(changes, problem):
    with pytest.raises(ValueError, match=problem):
        Bmi160([GYRO], Bmi160Settings(**changes), {'crank_gyro': Bmi160SensorSettings()})


def test_rates_that_the_device_lacks_are_reported():
    odd = GYRO.with_settings(GYRO.settings.from_mapping({'sigma': 0.0, 'rate': 1000.0}))
    with pytest.raises(SensorError, match=r'crank_gyro.rate: 1000 must be the same, one of 25, '):
        Bmi160([odd], Bmi160Settings(), {'crank_gyro': Bmi160SensorSettings()})
