"""Encoders that count turns, and that do not: keys, simulated readings, motions, devices."""

from math import pi

from hypothesis import given, strategies as st
import numpy as np
from planar_machines import GEAR, HOIST
import pytest

from mb_model import Mechanism, load_mechanism, simulate
from mb_sensors import RecordedSensor, SensorError, motion_of_encoders, sensors_of
from mb_sensors.encoder_turns import EncoderTurns
from mb_sensors.readings import true_values
from mb_sensors.sources import SourceError
from mb_sensors.sources.can_bus.can_scaling import angle_scaling
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings

TURN = 2.0 * pi
RATE, START = 100.0, 1_000_000_000
ENCODER = {'kind': 'angle_encoder', 'body': 'rotor', 'sigma': 0.0, 'rate': RATE}


def hoist(**keys):
    return Mechanism({**HOIST, 'sensors': {'encoder': {**ENCODER, **keys}}}, 'hoist.yaml')


def encoder(mechanism):
    return sensors_of(mechanism, 'encoder')[0]


def test_limits_are_those_of_the_coordinate_unless_the_sensor_has_some():
    coordinates = {name: entry | {'limits': {'lower': -0.5, 'upper': 20.0}}
                   for name, entry in HOIST['coordinates'].items()}
    for keys, limits in (({}, (-0.5, 20.0)), ({'limits': [-1.0, 8.0]}, (-1.0, 8.0))):
        machine = Mechanism({**HOIST, 'coordinates': coordinates,
                             'sensors': {'encoder': {**ENCODER, **keys}}}, 'hoist.yaml')
        assert encoder(machine).turns.limits == limits
    one_sided = {name: entry | {'limits': {'lower': -0.5}}
                 for name, entry in HOIST['coordinates'].items()}
    machine = Mechanism({**HOIST, 'coordinates': one_sided,
                         'sensors': {'encoder': ENCODER}}, 'hoist.yaml')
    assert encoder(machine).turns.limits is None


@given(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.floats(-50.0, 50.0),
       st.floats(0.0, 60.0))
def test_the_turn_is_the_nearest_that_the_limits_allow(reading, near, low, width):
    turns = np.arange(-40, 41)
    every = reading + TURN * turns
    angle, possible = EncoderTurns().nearest(reading, near)
    assert possible == 0
    assert abs(angle - near) == pytest.approx(np.abs(every - near).min())
    high = low + width
    angle, possible = EncoderTurns(limits=(low, high)).nearest(reading, near)
    inside = every[(every >= low) & (every <= high)]
    assert abs(possible - len(inside)) <= (np.abs(every[:, None] - [low, high]) < 1e-9).sum()
    assert (angle - reading) / TURN == pytest.approx(round((angle - reading) / TURN))
    if possible and len(inside) == possible:
        assert abs(angle - near) == pytest.approx(np.abs(inside - near).min())


@pytest.mark.parametrize(('kind', 'coordinate'), [
    ({'kind': 'angle_encoder', 'body': 'rotor'}, 'motor'),
    ({'kind': 'relative_angle_encoder', 'bodies': ['arm', 'rotor']}, 'between')])
def test_an_encoder_that_counts_turns_reads_the_coordinate(kind, coordinate):
    entry = {**kind, 'sigma': 0.0, 'counts_turns': True}
    mechanism = Mechanism({**HOIST, 'sensors': {'encoder': entry}}, 'hoist.yaml')
    sensor, q = encoder(mechanism), mechanism.assemble([3.0], mechanism.q0)
    assert sensor.turns == EncoderTurns(True, None, coordinate)
    read = true_values(mechanism, sensor, *np.array([[q], [0 * q], [0 * q]]))[0, 0]
    assert read == pytest.approx(75.0 if coordinate == 'motor' else 72.0)


def test_in_space_a_joint_s_angle_counts_turns_if_it_is_a_coordinate():
    arm = load_mechanism('six_axis_arm')
    joint = next(one.joint for name, one in arm.described.coordinates.items() if name == 'q1')
    entry = {'kind': 'relative_angle_encoder', 'joint': joint, 'sigma': 0.0, 'counts_turns': True}
    sensor = encoder(arm.replace(sensors={'encoder': entry}, sensor_groups=None))
    assert sensor.turns.coordinate == 'q1'
    assert arm.coordinates[sensor.records['coordinate'][0]] == 'q1'
    assert sensor.records['whole_turns_unknown'][0] == 0


@pytest.mark.parametrize(('keys', 'words'), [
    ({'counts_turns': 2}, r'counts_turns: 2 must be true or false'),
    ({'limits': 3.0}, r'limits: 3.0 must be a list of two angles'),
    ({'limits': [1.0, 0.5]}, r'limits: .* must be finite, the least angle first'),
    ({'limits': ['a', 1]}, r'hoist.yaml: sensors.encoder.limits: '),
    ({'limits': [None, 1]}, r'hoist.yaml: sensors.encoder.limits: ')])
def test_what_cannot_be_is_refused(keys, words):
    with pytest.raises(SensorError, match=words):
        encoder(hoist(**keys))


@pytest.mark.parametrize('keys', [{'counts_turns': True}, {'limits': [0, 1]}])
@pytest.mark.parametrize(('kind', 'words'), [
    ({'kind': 'angle_encoder', 'body': 'rocker'}, r'\{kind: angle, body: rocker\}'),
    ({'kind': 'relative_angle_encoder', 'bodies': ['crank', 'coupler']},
     r'\{kind: relative_angle, bodies: ')])
def test_turns_of_what_is_no_coordinate_are_refused_with_the_coordinate_to_add(keys, kind, words):
    machine = load_mechanism('four_bar').replace(
        sensors={'encoder': {**kind, 'sigma': 0.0, **keys}}, sensor_groups=None)
    with pytest.raises(SensorError, match=f'nothing counts its turns.*{words}'):
        encoder(machine)


@pytest.mark.parametrize(('counts', 'most'), [(None, 60.0), (True, 60.0), (False, pi)])
def test_simulated_readings_are_those_of_the_device(counts, most):
    machine = hoist() if counts is None else hoist(counts_turns=counts)
    run = simulate(machine, duration=1.0, dt=1.0 / RATE)
    turns_on = np.linspace(0.0, 2.4, len(run.t))
    run.q[:] = [machine.assemble([z], machine.q0) for z in turns_on]
    stamps = START + np.round(1e9 * run.t).astype(int)
    read = RecordedSensor(encoder(machine), run, stamps).readings(1)[:, 0]
    assert np.abs(read).max() <= most + 1e-12
    off = (read - GEAR * turns_on) / TURN
    np.testing.assert_allclose(off, np.round(off), atol=1e-9)
    assert counts is False or not np.round(off).any()


@pytest.mark.parametrize(('keys', 'wrapped', 'first'), [
    ({}, False, 0.7), ({'counts_turns': True}, False, 0.7), ({}, True, 0.0),
    ({'counts_turns': False, 'limits': [17.0, 19.0]}, True, 0.7)])
def test_the_motion_of_encoders_counts_turns(keys, wrapped, first):
    machine = hoist(**keys)
    t = np.arange(0.0, 2.0, 1.0 / RATE)
    q = first + 0.3 * np.sin(2.0 * t) ** 2
    read = GEAR * q[:, None]
    read = np.arctan2(np.sin(read), np.cos(read)) if wrapped else read
    motion = motion_of_encoders(machine, [encoder(machine)],
                                START + np.round(1e9 * t).astype(int), read, 0.05)
    true = np.interp((motion.stamps - START) / 1e9, t, q)
    np.testing.assert_allclose(motion.z[:, 0], true, atol=1e-3)


@given(st.sampled_from([8, 12, 16]), st.integers(2, 300),
       st.lists(st.integers(-2000, 2000), min_size=1, max_size=60))
def test_a_device_of_several_turns_is_counted_on_where_its_range_ends(bits, turns, steps):
    counts = 2 ** bits
    settings = CanSensorSettings(node_id=1, counts=float(counts), turns=turns)
    convert = angle_scaling(encoder(hoist(counts_turns=True)), settings, None)
    single = angle_scaling(encoder(hoist(counts_turns=False)), settings, None)
    count = 0
    assert convert(0) == 0.0
    for step in steps:
        count += max(-counts * turns // 2 + 1, min(step, counts * turns // 2 - 1))
        assert convert(count % (counts * turns)) == pytest.approx(TURN * count / counts)
        angle = single(count % (counts * turns))
        assert -pi <= angle <= pi
        assert round(angle * counts / TURN) % counts == count % counts


def test_a_device_of_one_turn_cannot_count_them():
    settings = CanSensorSettings(node_id=1, counts=4096.0, turns=1)
    with pytest.raises(SourceError, match=r'distinguishes 1 turn \(6502h\), expected several'):
        angle_scaling(encoder(hoist(counts_turns=True)), settings, None)
    for keys in ({}, {'counts_turns': False}):
        convert = angle_scaling(encoder(hoist(**keys)), settings, None)
        assert [round(convert(raw) * 4096 / TURN) for raw in (0, 2047, 2048, 4095, 0)] == [
            0, 2047, -2048, -1, 0]
