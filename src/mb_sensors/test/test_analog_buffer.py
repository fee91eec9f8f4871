"""Buffered readings of a converter: scans bit by bit, and the driver that fetches them."""

import ctypes
from itertools import pairwise
import os
import time

from hypothesis import given, strategies as st
import numpy as np
import pytest
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources.analog import Analog, AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.analog.converter import Converter
from mb_sensors.sources.analog.iio_scan import element_values, put_value, scan_element, scan_layout

PLACES = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}


@st.composite
def described(draw):
    """Return (text, big endian, signed, bits, storage, shift) of an element."""
    storage = draw(st.sampled_from(sorted(PLACES)))
    bits = draw(st.integers(1, storage))
    shift = draw(st.integers(0, storage - bits))
    order, sign = draw(st.sampled_from(['be', 'le'])), draw(st.sampled_from('su'))
    text = f'{order}:{sign}{bits}/{storage}>>{shift}'
    return text, order == 'be', sign == 's', bits, storage, shift


@given(st.lists(described(), min_size=1, max_size=5), st.randoms(), st.data())
def test_scans_are_laid_out_and_read_as_the_kernel_writes_them(types, random, data):
    elements = [scan_element(f'e{k}', k, one[0]) for k, one in enumerate(types)]
    shuffled = random.sample(elements, len(elements))
    layout = scan_layout(shuffled)
    struct = type('Scan', (ctypes.Structure,), {'_fields_': [
        (f'e{k}', PLACES[one[4]]) for k, one in enumerate(types)]})
    assert layout.itemsize == ctypes.sizeof(struct)
    content = data.draw(st.binary(min_size=3 * layout.itemsize, max_size=3 * layout.itemsize))
    scans = np.frombuffer(content, layout)
    for element, (_, big, signed, bits, storage, shift) in zip(elements, types, strict=True):
        start = getattr(struct, element.name).offset
        expected = []
        for k in range(3):
            place = content[k * layout.itemsize + start:][:storage // 8]
            value = int.from_bytes(place, 'big' if big else 'little') >> shift & 2 ** bits - 1
            negative = signed and value >> (bits - 1)
            expected.append(value - 2 ** bits if negative else value)
        assert element_values(scans, element).tolist() == expected


@given(described(), st.data())
def test_what_is_put_is_read(one, data):
    text, _, signed, bits, _, _ = one
    low = -2 ** (bits - 1) if signed else 0
    value = data.draw(st.integers(low, low + 2 ** bits - 1))
    element = scan_element('e', 0, text)
    scan = np.zeros(1, scan_layout([element]))
    put_value(scan, element, value)
    assert element_values(scan, element).tolist() == [value]


@pytest.mark.parametrize('text', [
    '', 'be:s12/16', 'xe:s12/16>>4', 'be:s12/15>>0', 'be:s0/16>>0', 'be:s16/16>>1', 'le:u8/8X3>>0'])
def test_types_that_cannot_be_read_are_reported(text):
    with pytest.raises(ValueError, match='in_voltage0: its type '):
        scan_element('in_voltage0', 0, text)


@given(st.text(max_size=20))
def test_any_text_is_a_type_or_an_error(text):
    try:
        element = scan_element('e', 0, text)
    except ValueError:
        return
    assert element.bits + element.shift <= element.storage


MECHANISM = """\
extends: four_bar
name: four_bar
sensors:
  pump: {kind: pressure, sigma: 0.0, rate: 1000.0}
  tank: {kind: pressure, sigma: 0.0, rate: 1000.0}
"""
STEP = 25e6 / (4000.0 * 2 ** 11)        # least pressure of the emulated converter: 4 V [Pa]
EACH = {'pump': AnalogSensorSettings(at_20_ma=25e6),
        'tank': AnalogSensorSettings(channel='current3', at_20_ma=25e6)}
CURRENT_STEP = 25e6 / 16 / 2 ** 11


class Bench(SourceBench):
    """An emulated converter and the source that reads it."""

    def __init__(self, folder, sensors, **changes):
        self.settings = AnalogSettings(folder=str(folder), device_files=str(folder / 'dev'),
                                       buffered=True, **changes)
        self.device = folder / 'iio:device0'
        self.sensors = sensors
        super().__init__(Converter(sensors, self.settings, EACH),
                         Analog(sensors, self.settings, EACH))

    def measure(self, first, last):
        """Let the pump have k bar and the tank 100 - k bar at the instants k."""
        pump, tank = self.sensors
        for k in range(first, last):
            self.emulator.take(pump, k, [k * 1e5])
            self.emulator.take(tank, k, [(100 - k) * 1e5])


@pytest.fixture
def sensors(tmp_path):
    """Return two pressure sensors."""
    file = tmp_path / 'machine.yaml'
    file.write_text(MECHANISM)
    return sensors_of(load_mechanism(str(file)), ['pump', 'tank'])


@pytest.fixture
def bench(tmp_path, sensors):
    """Return a function that sets up a bench, open unless it is not to be started."""
    made = []

    def make(start=True, **changes):
        made.append(Bench(tmp_path / 'devices', sensors, **changes))
        if start:
            made[-1].start()
            made[-1].until_open()
        return made[-1]

    yield make
    for one in made:
        one.close()


def pressures(samples, name):
    return [round(s.values[0] / 1e5) for s in samples if s.sensor == name]


def test_every_scan_comes_through_with_the_time_at_which_it_was_taken(bench):
    b = bench()
    before = time.time_ns()
    b.measure(0, 100)
    after = time.time_ns()
    samples = b.samples(200)
    assert pressures(samples, 'pump') == list(range(100))
    assert pressures(samples, 'tank') == list(range(100, 0, -1))
    for s in samples:
        assert s.values[0] == pytest.approx(round(s.values[0] / 1e5) * 1e5, abs=CURRENT_STEP)
    arrivals = [s.arrival for s in samples if s.sensor == 'pump']
    assert before <= arrivals[0] <= arrivals[-1] <= after
    assert arrivals == sorted(arrivals)


def test_the_buffer_is_set_up_and_stopped(bench):
    b = bench()
    read = {name: (b.device / name).read_text().strip() for name in (
        'buffer/enable', 'buffer/length', 'current_timestamp_clock',
        'scan_elements/in_voltage0_en', 'scan_elements/in_timestamp_en',
        '../trigger0/sampling_frequency')}
    assert list(read.values()) == ['1', '2000', 'realtime', '1', '1', '1000']
    b.acquisition.close()
    assert (b.device / 'buffer/enable').read_text().strip() == '0'


def test_what_comes_while_the_driver_is_busy_is_not_lost(bench):
    b = bench(start=False)
    b.source.open()
    b.measure(0, 100)
    time.sleep(0.1)
    assert pressures(b.source.read(0.0), 'pump') == list(range(100))


def test_without_stamps_batches_are_spread_over_the_time_that_they_took(bench):
    b = bench(start=False)
    for name in ('in_timestamp_en', 'in_timestamp_index', 'in_timestamp_type'):
        (b.device / 'scan_elements' / name).unlink()
    b.source.open()
    b.measure(0, 50)
    arrivals = [s.arrival for s in b.source.read(0.0) if s.sensor == 'pump']
    assert [later - one for one, later in pairwise(arrivals)] == [1_000_000] * 49
    assert 0 <= time.time_ns() - arrivals[-1] < 5e9


def test_a_broken_wire_is_reported_and_not_read(bench):
    b = bench()
    b.emulator.break_wire('pump', True)
    b.measure(0, 10)
    b.until(lambda: b.source.health().faults == ['pump: broken wire (0.00 mA)'])
    assert pressures(b.samples(10), 'pump') == []
    b.emulator.break_wire('pump', False)
    b.measure(0, 10)
    b.until(lambda: b.source.health().faults == [])


def test_pulled_out_and_put_in_again(bench):
    b = bench()
    b.emulator.close()
    b.until(lambda: 'no device iio:device0; there are: none' in b.acquisition.problem)
    b.emulator.open()
    b.until_open()
    b.measure(0, 10)
    assert pressures(b.samples(20), 'pump') == list(range(10))


def test_half_a_scan_is_never_read(bench):
    b = bench()
    os.write(b.emulator.buffer._pipe, b'\0' * 5)
    b.until(lambda: b.acquisition.opened == 2)
    assert b.acquisition.take() == []
    b.until_open()
    b.measure(0, 10)
    assert pressures(b.samples(20), 'pump') == list(range(10))


@pytest.mark.parametrize(('file', 'content', 'problem'), [
    ('trigger/current_trigger', '', 'no trigger is chosen; there are: emulated-trigger'),
    ('scan_elements/in_voltage0_type', 'be:s24', "its type 'be:s24' must be like"),
    ('scan_elements/in_voltage0_index', None, 'the buffer has no channel voltage0'),
    ('buffer/enable', None, 'No such file or directory')])
def test_a_buffer_that_cannot_be_used_is_reported(bench, file, content, problem):
    b = bench(start=False)
    path = b.device / file
    path.unlink() if content is None else path.write_text(content)
    b.start()
    b.until(lambda: problem in b.acquisition.problem)


def test_a_trigger_is_chosen_by_name(bench):
    b = bench(start=False, trigger='timer')
    b.start()
    b.until(lambda: 'no trigger timer; there are: emulated-trigger' in b.acquisition.problem)


def test_different_rates_are_reported(sensors):
    slow = sensors[1].with_settings(sensors[1].settings.from_mapping({'sigma': 0.0, 'rate': 10.0}))
    with pytest.raises(SensorError, match=r'pump.rate: 1000, tank.rate: 10 must be the same'):
        Analog([sensors[0], slow], AnalogSettings(buffered=True), EACH)
