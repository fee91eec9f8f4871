"""CANopen devices: a driver's source and emulated nodes on one bus, and what may go wrong there."""

from itertools import count, pairwise
from math import pi
import random
import time

import can
import canopen
from hypothesis import given, strategies as st
import pytest
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_ros.device_clock import nearest
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources import SourceError
from mb_sensors.sources.acquisition import Acquisition, AcquisitionSettings
from mb_sensors.sources.can_bus import CanBus
from mb_sensors.sources.can_bus.can_nodes import CanNodes
from mb_sensors.sources.can_bus.can_scaling import angle_scaling, length_scaling, pressure_scaling
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings, CanSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    ENCODER,
    object_dictionary,
    pascals,
)

MECHANISM = """\
extends: four_bar
name: four_bar
sensors:
  slide: {kind: linear_encoder, coordinate: P2.x, sigma: 0.0}
  wire: {kind: distance, points: [A, P2], sigma: 0.0}
  pump: {kind: pressure, sigma: 0.0}
"""
CHANNELS = count()
STAMP = 1_234_567_000


class Bench(SourceBench):
    """Emulated nodes and the source that reads them, in one process."""

    def __init__(self, file, names, driver=None, nodes=None, **common):
        self.channel = f'bench{next(CHANNELS)}'
        settings = CanSettings(**{'interface': 'virtual', 'channel': self.channel,
                                  'heartbeat': 0.05, **common})
        sensors = sensors_of(load_mechanism(str(file)), names)
        ids = {sensor.name: {'node_id': 5 + k} for k, sensor in enumerate(sensors)}
        self.sensors = {sensor.name: sensor for sensor in sensors}

        def made(kind, changes):
            return kind(sensors, settings, {
                name: CanSensorSettings(**{**ids[name], **(changes or {})}) for name in ids})
        super().__init__(made(CanNodes, nodes), made(CanBus, driver), longest_retry=0.1)
        self.start()

    def faults(self):
        problem = self.acquisition.problem
        return problem or '; '.join(self.source.health().faults)

    def until_well(self):
        self.until(lambda: not self.faults() and all(
            node.operational for node in self.emulator.nodes.values()))

    def until_fault(self, text):
        self.until(lambda: text in self.faults())

    def measure(self, name, value, stamp=STAMP):
        self.emulator.take(self.sensors[name], stamp, [value])

    def none_came(self):
        time.sleep(0.05)
        return not self.acquisition.take()

    def inject(self, **message):
        with can.Bus(interface='virtual', channel=self.channel) as bus:
            bus.send(can.Message(is_extended_id=False, **message))


@pytest.fixture
def bench(tmp_path, closing):
    """Return a function that sets up a bench and waits until the devices run."""
    file = tmp_path / 'machine.yaml'
    file.write_text(MECHANISM)

    def make(names=('crank_encoder',), well=True, **options):
        one = closing(Bench(file, list(names), **options))
        if well:
            one.until_well()
        return one
    return make


@pytest.mark.parametrize(('name', 'value', 'step'), [
    ('crank_encoder', 1.25, 2.0 * pi / 2 ** 18), ('crank_encoder', -700.0, 2.0 * pi / 2 ** 18),
    ('slide', 3.5, 1e-6), ('slide', -0.25, 1e-6), ('wire', 0.75, 1e-6), ('pump', 2.1e7, 1.0)])
def test_values_come_through(bench, name, value, step):
    b = bench([name])
    before = time.time_ns()
    b.measure(name, value)
    sample, = b.samples(1)
    assert sample.sensor == name
    assert sample.values[0] == pytest.approx(value, abs=0.5001 * step)
    assert before <= sample.arrival <= time.time_ns()
    assert sample.device_time is None


def test_devices_send_their_own_time(bench):
    b = bench(['crank_encoder', 'pump'], driver={'time_stamp': True})
    b.measure('crank_encoder', 0.5, STAMP)
    b.measure('pump', 1e5, STAMP + 2 ** 32 * 1000)      # microseconds in 32 bits begin anew
    assert [(s.sensor, s.device_time) for s in b.samples(2)] == [
        ('crank_encoder', STAMP), ('pump', STAMP)]


def test_synchronous_values_are_stamped_by_the_sync(bench):
    b = bench(driver={'synchronous': True}, sync_rate=20.0)     # slow enough for a busy machine
    b.measure('crank_encoder', 0.5)
    samples = b.samples(8)
    steps = [(later.arrival - one.arrival) / 1e9 for one, later in pairwise(samples)]
    assert min(steps) > 0.0
    assert sorted(steps)[len(steps) // 2] == pytest.approx(0.05, rel=0.3)


def test_frames_that_come_back_from_the_bus_change_no_value(bench):
    b = bench(driver={'synchronous': True}, sync_rate=100.0)
    b.measure('crank_encoder', 0.5)
    b.samples(1)
    b.inject(arbitration_id=0x185, data=(1000).to_bytes(4, 'little'))
    b.until(lambda: any(s.values[0] == pytest.approx(2.0 * pi * 1000 / 2 ** 18)
                        for s in b.acquisition.take()))
    for sample in b.samples(3):
        assert sample.values[0] == pytest.approx(0.5, abs=1e-4)


def with_file(bench, eds, mapping):
    """Return a bench whose device keeps its mapping, read anew as its file says."""
    configured = bench()            # leaves the device with that mapping
    configured.acquisition.close()
    source = CanBus(
        [*configured.sensors.values()], configured.source._settings,
        {'crank_encoder': CanSensorSettings(node_id=5, mapping=mapping, eds=str(eds))})
    configured.source, configured.acquisition = source, Acquisition(
        source, AcquisitionSettings(), lambda: None)
    configured.acquisition.start()
    return configured


def file_of_encoder(folder, cob_id=0x185, without=()):
    """Write the EDS file of an encoder that sends its angle, without some objects."""
    eds, dictionary = folder / 'encoder.eds', object_dictionary(ENCODER)
    dictionary[0x1800][1].default = cob_id
    dictionary[0x1A00][0].default, dictionary[0x1A00][1].default = 1, 0x60040020
    for index in without:
        del dictionary[index]
    canopen.export_od(dictionary, str(eds))
    return eds


@pytest.mark.parametrize(('mapping', 'without'), [
    ('device', ()), ('eds', ()), ('eds', (0x6501, 0x6502, 0x1017)), ('eds', (0x1001, 0x1013))])
def test_the_mapping_of_a_device_may_be_kept(bench, tmp_path, mapping, without):
    configured = with_file(bench, file_of_encoder(tmp_path, without=without), mapping)
    configured.until_well()
    configured.measure('crank_encoder', 1.0)
    assert configured.samples(1)[0].values[0] == pytest.approx(1.0, abs=1e-4)


def test_a_file_with_the_identifier_of_another_node_is_refused(bench, tmp_path):
    with pytest.raises(SensorError, match=r'\[1800sub1\] DefaultValue: COB-ID 199h of PDO 1 '
                       'belongs to node 25; expected 185h'):
        with_file(bench, file_of_encoder(tmp_path, 0x199), 'eds')


def test_a_pdo_that_a_device_does_not_send_is_named(bench):
    configured = bench()
    configured.emulator.nodes['crank_encoder']._node.sdo[0x1800][1].raw = 0x80000185
    configured = with_file(lambda: configured, '', 'device')
    configured.until_fault('node 5: its PDO 1 is switched off')


def test_diagnostics_say_how_many_turns_an_encoder_distinguishes(bench):
    """By it a person says in the mechanism file whether readings count turns."""
    b = bench(['crank_encoder', 'slide'])
    counts = b.source.health().counts
    assert counts['crank_encoder turns'] == 4096
    assert 'slide turns' not in counts


def test_unplugged_and_plugged_in_again(bench):
    b = bench()
    node = b.emulator.nodes['crank_encoder']
    for _ in range(2):
        node.unplug(b.emulator.network)
        b.until_fault('node 5: no heartbeat')
        b.until_fault('node 5: no answer')
        node.plug(b.emulator.network)
        b.until_well()
        b.measure('crank_encoder', 1.0)
        assert len(b.samples(1)) == 1


def test_a_device_that_starts_anew_is_set_up_again(bench):
    b = bench()
    node = b.emulator.nodes['crank_encoder']
    node.unplug(b.emulator.network)
    node.plug(b.emulator.network)       # within the patience for heartbeats
    b.until_well()
    b.measure('crank_encoder', 1.0)
    assert len(b.samples(1)) == 1


def test_wrong_node_ids_are_reported_with_what_is_there(bench):
    b = bench(well=False, driver={'node_id': 9})
    b.until_fault('crank_encoder: node 9: no answer; nodes on the bus: 5')


def test_a_device_of_another_kind_is_not_read(bench):
    b = bench(['pump'])
    encoder = sensors_of(load_mechanism('four_bar'), 'crank_encoder')
    source = CanBus(encoder, b.source._settings, {'crank_encoder': CanSensorSettings(node_id=5)})
    b.acquisition.close()
    b.source, b.acquisition = source, Acquisition(source, AcquisitionSettings(), lambda: None)
    b.acquisition.start()
    b.until_fault('node 5: is of profile 404, expected an encoder (CiA 406)')
    b.measure('pump', 1e5)
    assert b.none_came()


def test_readings_are_withheld_while_a_device_reports_an_error(bench):
    b = bench()
    node = b.emulator.nodes['crank_encoder']
    node.fail(True)
    b.until_fault('node 5: emergency 5000h')
    b.measure('crank_encoder', 1.0)
    assert b.none_came()
    node.fail(False)
    b.until_well()
    b.measure('crank_encoder', 1.0)
    assert len(b.samples(1)) == 1
    assert b.source.health().counts['crank_encoder withheld'] == 1


def test_wrong_frames_are_counted_and_left_out(bench):
    b = bench(['crank_encoder', 'pump'])
    for data in (b'', b'\1', b'\0\0\0', b'\0' * 8, b'\xff\xff\xff\xff'):   # beyond 2^30 counts
        b.inject(arbitration_id=0x185, data=data)
    b.inject(arbitration_id=0x186, data=(2 * 10 ** 9).to_bytes(4, 'little') + b'\0')
    b.inject(arbitration_id=0x186, data=(10 ** 5).to_bytes(4, 'little') + b'\1')    # not valid
    b.measure('crank_encoder', 1.0)
    assert len(b.samples(1)) == 1
    counts = b.source.health().counts
    assert counts['crank_encoder malformed'] == 4
    assert counts['crank_encoder implausible'] == 1
    assert counts['pump implausible'] == 2
    assert b.none_came()


def test_any_frames_are_readings_or_counted(bench):
    b = bench(['pump'], driver={'time_stamp': True})
    device, = b.source._devices
    chance = random.Random(1)
    frames = [chance.randbytes(chance.randrange(9)) for _ in range(500)]
    frames += [chance.randbytes(8) for _ in range(500)]
    for data in frames:
        device._pdo.on_message(device._pdo.cob_id, bytearray(data), time.time())
    whole = [data for data in frames if len(data) == 8]
    true = [value for data in whole
            if -1e5 <= (value := int.from_bytes(data[:4], 'little', signed=True)) <= 1e8]
    samples = b.samples(len(true))
    assert [s.values[0] for s in samples] == true
    assert device.malformed == len(frames) - len(whole)
    assert device.implausible == len(whole) - len(true)


def test_a_missing_device_does_not_hold_up_the_others(bench):
    b = bench(['crank_encoder', 'pump'])
    pump = b.emulator.nodes['pump']
    pump.unplug(b.emulator.network)
    b.until_fault('no answer')
    ages = []
    for _ in range(150):        # longer than a try to set the pump up
        b.measure('crank_encoder', 1.0)
        sample, = b.samples(1)
        ages.append(time.time_ns() - sample.arrival)
    assert sorted(ages)[len(ages) * 9 // 10] < 100_000_000
    assert 'pump' in b.faults()


def test_bus_off_is_reported_and_recovered(bench):
    b = bench()
    b.inject(arbitration_id=0x40, is_error_frame=True)
    b.until(lambda: b.acquisition.opened >= 2)
    b.until_well()
    b.measure('crank_encoder', 1.0)
    assert len(b.samples(1)) == 1
    assert b.source.health().counts['error frames'] == 1


def test_a_bus_that_breaks_is_opened_again(bench, monkeypatch):
    b = bench()
    bus = b.source._network.bus
    problems = []
    keep = b.acquisition._set_problem
    monkeypatch.setattr(b.acquisition, '_set_problem', lambda problem: (
        problems.append(problem), keep(problem)))

    def broken(timeout):
        raise can.CanOperationError('transceiver lost')
    monkeypatch.setattr(bus, '_recv_internal', broken)
    b.until(lambda: b.acquisition.opened >= 2)
    b.until_well()
    assert f'virtual {b.channel}: transceiver lost' in problems[0]
    b.measure('crank_encoder', 1.0)
    assert len(b.samples(1)) == 1


def test_an_interface_that_is_not_there_is_reported():
    encoder = sensors_of(load_mechanism('four_bar'), 'crank_encoder')
    source = CanBus(encoder, CanSettings(channel='can_nowhere'),
                    {'crank_encoder': CanSensorSettings(node_id=5)})
    with pytest.raises((SourceError, OSError)):
        source.open()
    source.close()


@pytest.mark.parametrize(('common', 'each', 'problem'), [
    ({'options': ('port',)}, {'node_id': 5}, "can.options: 'port' must be key=value"),
    ({}, {'node_id': 5, 'value': '60g4'}, "can.value: '60g4' must be index:subindex"),
    ({}, {'node_id': 5, 'eds': 'no.eds'}, 'crank_encoder.can.eds: no.eds: '),
    ({}, {'node_id': 5, 'eds': __file__}, 'crank_encoder.can.eds: '),
    ({}, {'node_id': 5}, 'crank_gyro.can.node_id: 5 is taken by crank_encoder'),
])
def test_wrong_settings_are_reported(common, each, problem):
    sensors = sensors_of(load_mechanism('four_bar'), ['crank_encoder', 'crank_gyro'])
    with pytest.raises((SensorError, ValueError), match=problem):
        CanBus(sensors, CanSettings(**common), {s.name: CanSensorSettings(**each) for s in sensors})


@given(st.integers(2, 2 ** 20), st.integers(1, 2 ** 16 - 1), st.integers(0, 2 ** 32 - 1))
def test_counts_are_angles_or_nothing(counts, turns, raw):
    sensor, = sensors_of(load_mechanism('four_bar'), 'crank_encoder')
    settings = CanSensorSettings(node_id=1, counts=float(counts), turns=turns)
    convert = angle_scaling(sensor, settings, None)
    angle, count_range = convert(raw), min(counts * turns, 2 ** 32)
    assert (angle is None) == (raw >= count_range)
    if angle is not None:
        assert abs(angle) <= pi * count_range / counts
        assert round(angle * counts / (2.0 * pi)) % count_range == raw


@given(st.integers(-2 ** 31, 2 ** 31 - 1))
def test_lengths_have_a_sign(steps):
    convert = length_scaling(None, CanSensorSettings(node_id=1), lambda index, subindex: 5000)
    assert convert(steps % 2 ** 32) == pytest.approx(steps * 5e-6)
    assert nearest(0, 1, 0) == 0


@pytest.mark.parametrize(('unit', 'factor'), [
    (0x00220000, 1.0), (0x03220000, 1e3), (0x004E0000, 1e5), (0xFD4E0000, 1e2),
    (0x00AB0000, 6894.757), (0x002D0000, None), (0x00220100, None)])
def test_units_of_pressure(unit, factor):
    assert pascals(unit) == (factor if factor is None else pytest.approx(factor))
    device = {(0x6131, 1): unit, (0x6132, 1): 2}
    settings = CanSensorSettings(node_id=1)
    if factor is None:
        with pytest.raises(SourceError, match='is no pressure'):
            pressure_scaling(None, settings, lambda *key: device[key])
    else:
        convert = pressure_scaling(None, settings, lambda *key: device[key])
        assert convert(12345) == pytest.approx(123.45 * factor)
