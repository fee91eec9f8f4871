"""Transmitters of 4 to 20 mA: scaling, broken wires, a converter that is pulled out."""

import time

from hypothesis import given, strategies as st
import pytest
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.sources import SourceError
from mb_sensors.sources.analog import Analog, AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.analog.converter import Converter
from mb_sensors.sources.analog.transmitter import current_of, failure_of, value_of

MECHANISM = """\
extends: four_bar
name: four_bar
sensors:
  pump: {kind: pressure, sigma: 0.0, rate: 500.0}
  tank: {kind: pressure, sigma: 0.0, rate: 100.0}
"""
STEP = 25e6 / (4000.0 * 2 ** 11)        # least pressure of the emulated converter: 4 V [Pa]


@pytest.fixture
def sensors(tmp_path):
    """Return two pressure sensors."""
    file = tmp_path / 'machine.yaml'
    file.write_text(MECHANISM)
    return sensors_of(load_mechanism(str(file)), ['pump', 'tank'])


class Bench(SourceBench):
    """An emulated converter and the source that reads it."""

    def __init__(self, folder, sensors):
        self.settings = AnalogSettings(folder=str(folder))
        each = {'pump': AnalogSensorSettings(at_20_ma=25e6),
                'tank': AnalogSensorSettings(channel='current3', at_4_ma=-1e5, at_20_ma=1e5)}
        self.sensors = {sensor.name: sensor for sensor in sensors}
        super().__init__(Converter(sensors, self.settings, each),
                         Analog(sensors, self.settings, each))
        self.start()

    def measure(self, **values):
        for name, value in values.items():
            self.emulator.take(self.sensors[name], 0, [value])

    def until_read(self, name, value, step):
        self.until(lambda: any(
            s.sensor == name and s.values[0] == pytest.approx(value, abs=step)
            for s in self.acquisition.take()))


@pytest.fixture
def bench(tmp_path, sensors, closing):
    """Return a bench."""
    return closing(Bench(tmp_path / 'devices', sensors))


def test_voltages_and_currents_become_pressures_at_their_rates(bench):
    bench.measure(pump=12.3e6, tank=-2e4)
    bench.until_read('pump', 12.3e6, STEP)
    bench.until_read('tank', -2e4, 2e5 / 16 / 2 ** 11)
    samples = []
    bench.until(lambda: samples.extend(bench.acquisition.take()) or len(samples) > 120)
    late = bench.source.health().counts
    counts = {name: sum(s.sensor == name for s in samples) + late[f'{name} not taken in time']
              for name in ('pump', 'tank')}
    assert counts['pump'] > 3 * counts['tank'] > 0
    assert [s.arrival for s in samples] == sorted(s.arrival for s in samples)


def test_a_broken_wire_is_reported_and_not_read(bench):
    bench.measure(pump=1e6, tank=1e4)
    bench.until_read('pump', 1e6, STEP)
    bench.emulator.break_wire('pump', True)
    bench.until(lambda: bench.source.health().faults == ['pump: broken wire (0.00 mA)'])
    bench.acquisition.take()
    bench.until_read('tank', 1e4, 100.0)        # the other one goes on
    assert all(s.sensor == 'tank' for s in bench.acquisition.take())
    bench.emulator.break_wire('pump', False)
    bench.measure(pump=2e6)
    bench.until_read('pump', 2e6, STEP)
    assert bench.source.health().faults == []


def test_more_than_can_be_measured_is_left_out(bench):
    bench.measure(pump=2e6)
    bench.until_read('pump', 2e6, STEP)
    file = next(bench.emulator._device.glob('in_voltage0_raw'))
    file.write_text(str(round(20.8 * 250.0 * 2 ** 11) + 1000))
    bench.until(lambda: bench.source.health().counts['pump beyond its limits'] > 3)
    assert bench.source.health().faults == []


@pytest.mark.parametrize('text', ['', 'what?', 'nan'])
def test_what_is_no_number_is_never_read(bench, text):
    bench.measure(pump=2e6)
    bench.until_read('pump', 2e6, STEP)
    file = next(bench.emulator._device.glob('in_voltage0_raw'))
    file.write_text(text)
    time.sleep(0.05)
    bench.acquisition.take()
    time.sleep(0.05)
    assert not any(s.sensor == 'pump' for s in bench.acquisition.take())
    bench.measure(pump=3e6)
    bench.until_read('pump', 3e6, STEP)


def test_pulled_out_and_put_in_again(bench):
    bench.emulator.close()
    bench.until(lambda: 'no device iio:device0; there are: none' in bench.acquisition.problem)
    bench.emulator.open()
    bench.measure(pump=3e6)
    bench.until_read('pump', 3e6, STEP)


def test_devices_are_found_by_name(bench, sensors):
    each = {s.name: AnalogSensorSettings(at_20_ma=1.0) for s in sensors}
    Analog(sensors, AnalogSettings(folder=bench.settings.folder, device='emulated-adc'),
           {**each, 'tank': AnalogSensorSettings(channel='current3', at_20_ma=1.0)}).open()
    with pytest.raises(SourceError, match=r'no device ads1115; there are: iio:device0 \(emulated-'):
        Analog(sensors, AnalogSettings(folder=bench.settings.folder, device='ads1115'),
               each).open()
    with pytest.raises(SourceError, match='pump: iio:device0: channel voltage7 has no scale'):
        Analog(sensors[:1], bench.settings,
               {'pump': AnalogSensorSettings(channel='voltage7', at_20_ma=1.0)}).open()


@given(st.floats(-1e3, 1e8), st.floats(-1e6, 1e6), st.floats(1e3, 1e8))
def test_a_current_is_its_value_or_a_failure(value, at_zero, span):
    at_full = at_zero + span
    current = current_of(value, at_zero, at_full)
    assert failure_of(current) == ''
    read = value_of(current, at_zero, at_full)
    if at_zero <= value <= at_full:
        assert read == pytest.approx(value, abs=1e-6 * span)


@pytest.mark.parametrize(('current', 'problem'), [
    (0.0, 'broken wire'), (3.5, 'broken wire'), (21.5, 'short circuit')])
def test_failures(current, problem):
    assert problem in failure_of(current)
    assert value_of(current, 0.0, 1.0) is None


@pytest.mark.parametrize(('changes', 'problem'), [
    ({'at_20_ma': 0.0}, 'pump.analog.at_20_ma: 0 must differ from at_4_ma'),
    ({'at_20_ma': 1.0, 'channel': 'temp0'}, "pump.analog.channel: 'temp0' must be voltage<n>")])
def test_wrong_settings_are_reported(sensors, changes, problem):
    with pytest.raises(ValueError, match=problem):
        Analog(sensors[:1], AnalogSettings(), {'pump': AnalogSensorSettings(**changes)})
