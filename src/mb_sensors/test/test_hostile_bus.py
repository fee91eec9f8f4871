"""Garbage on a CAN bus over UDP: the emulator and the driver go on, and count it."""

import socket

import can
from can.interfaces.udp_multicast.utils import pack_message, unpack_message
from hypothesis import HealthCheck, given, settings, strategies as st
import msgpack
import pytest
from source_bench import SourceBench

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.sources.can_bus import CanBus
from mb_sensors.sources.can_bus.can_network import is_garbage
from mb_sensors.sources.can_bus.can_nodes import CanNodes
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings, CanSettings

FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))
GROUP, PORT = '239.74.163.9', 43999
EMERGENCY = 0x85        # of node 5
PRIMITIVES = st.one_of(st.none(), st.booleans(), st.integers(-2 ** 63, 2 ** 63), st.floats(),
                       st.text(max_size=5), st.binary(max_size=12))
FIELDS = ('timestamp', 'arbitration_id', 'is_extended_id', 'is_remote_frame', 'is_error_frame',
          'channel', 'dlc', 'data', 'is_fd', 'bitrate_switch', 'error_state_indicator')
FRAMES = st.builds(
    lambda number, data: pack_message(can.Message(
        arbitration_id=number, data=data, is_extended_id=False)),
    st.one_of(st.integers(0, 0x7FF), st.sampled_from(
        [0, 0x80, 0x85, 0x185, 0x205, 0x585, 0x605, 0x705])), st.binary(max_size=8))
DATAGRAMS = st.one_of(
    st.binary(max_size=60), FRAMES,
    st.dictionaries(st.one_of(st.sampled_from(FIELDS), st.text(max_size=4)), PRIMITIVES,
                    max_size=12).map(msgpack.packb),
    PRIMITIVES.filter(lambda value: not isinstance(value, int) or abs(value) < 2 ** 63).map(
        msgpack.packb))


def mutated(data):
    """Return a datagram that is a frame but for some of its bytes."""
    frame = bytearray(data.draw(FRAMES))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    return bytes(frame[:data.draw(st.integers(0, len(frame)))])


@pytest.mark.fuzz
@FUZZ
@given(data=st.data())
def test_what_is_no_frame_is_garbage_and_not_the_end_of_the_bus(data):
    datagram = data.draw(st.one_of(DATAGRAMS, st.builds(lambda: mutated(data))))
    try:
        try:
            unpack_message(datagram, replace={'timestamp': 1.0}, check=True)
        except Exception as error:      # as python-can's bus does
            raise can.CanOperationError('could not unpack received message') from error
    except can.CanOperationError as error:
        garbage = error
    else:
        return
    assert is_garbage(garbage)


@pytest.mark.parametrize('error', [
    can.CanOperationError('bus-off'), OSError(100, 'Network is down'), can.CanTimeoutError()])
def test_what_ends_a_bus_is_no_garbage(error):
    assert not is_garbage(error)
    failed = can.CanOperationError('Failed to receive')
    failed.__cause__ = OSError(100, 'Network is down')
    assert not is_garbage(failed)


@pytest.fixture(scope='module')
def bench():
    """An emulated encoder, its driver, and another process's socket."""
    settings_of_bus = CanSettings(interface='udp_multicast', channel=GROUP,
                                  options=(f'port={PORT}',), heartbeat=1.0)
    sensors = sensors_of(load_mechanism('four_bar'), ['crank_encoder'])
    each = {'crank_encoder': CanSensorSettings(node_id=5)}
    made = SourceBench(CanNodes(sensors, settings_of_bus, each),
                       CanBus(sensors, settings_of_bus, each), longest_retry=0.1)
    try:
        made.start()
    except Exception as error:
        pytest.skip(f'no multicast here: {error}')
    made.sensor, = sensors
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)
        made.send = lambda datagram: stranger.sendto(datagram, (GROUP, PORT))
        yield made
    made.close()


def goes_on(bench):
    """Wait until a value comes through, anew each time: garbage may have reset the device."""
    def came():
        bench.emulator.take(bench.sensor, 1_000_000_000, [1.25])
        return any(abs(one.values[0] - 1.25) < 1e-3 for one in bench.acquisition.take())
    bench.until(came)


@pytest.mark.fuzz
@settings(FUZZ, max_examples=max(5, settings.default.max_examples // 20))
@given(st.lists(st.one_of(
    st.binary(max_size=60), st.dictionaries(st.sampled_from(FIELDS), PRIMITIVES.filter(
        lambda value: not isinstance(value, int) or abs(value) < 2 ** 63), max_size=12).map(
            msgpack.packb)), min_size=1, max_size=10))
def test_driver_and_emulator_go_on(bench, datagrams):
    for datagram in datagrams:
        bench.send(datagram)
    goes_on(bench)
    assert bench.acquisition.problem == ''


@pytest.mark.parametrize('key', [123, 0x6004, 'nothing'])
def test_missing_objects_are_said_in_words(bench, key, monkeypatch):
    device, = bench.source._devices

    def set_up():
        raise KeyError(key)
    monkeypatch.setattr(device, '_set_up', set_up)
    device._running, device._next_try = False, 0.0
    device.look_after()
    fault = device.fault.partition('node 5: ')[2]
    assert len(fault.split()) >= 3 or key == 'nothing'
    assert not fault.isdecimal()


@pytest.mark.fuzz
@settings(FUZZ, max_examples=max(3, settings.default.max_examples // 50))
@given(st.lists(FRAMES, min_size=1, max_size=5))
def test_devices_are_set_up_anew_after_frames_of_strangers(bench, frames):
    """Other nodes may reset, stop and configure a device.

    An emergency in its name is believed until the device takes it back: nothing distinguishes them.
    """
    for frame in frames:
        if unpack_message(frame).arbitration_id != EMERGENCY:
            bench.send(frame)
    goes_on(bench)
