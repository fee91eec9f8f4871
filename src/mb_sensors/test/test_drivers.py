"""The driver nodes: readings from the prototype's truth, and what they make of bad input."""

from dataclasses import replace
import os
import time
from types import SimpleNamespace

from driver_bench import FOUR_BAR, RUN, STAMPS, START, STEP, WAIT, expected_readings
from geometry_msgs.msg import PointStamped
import numpy as np
import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import FluidPressure, Imu, JointState, Range
import yaml

from mb_model import load_mechanism, simulate
from mb_ros.compose import node_class
from mb_ros.node_bench import complaint_of
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import mechanism_state
from mb_sensors import sensors_of
from mb_sensors.faults import FaultSettings
from mb_sensors.nodes.sensor_driver import (
    EncoderDriver,
    ImuDriver,
    PositionDriver,
    PressureDriver,
    RangeDriver,
    SensorDriver,
)
from mb_sensors.recorded import RecordedSensor, in_order_of_arrival
from mb_sensors.sent_readings import SentReadings
from mb_sensors.topics import by_topic

PUMP = """\
name: crank_with_pump
points: {A: {fixed: [0.0, 0.0]}, P: {start: [1.0, 0.0]}}
bodies: {crank: {points: [A, P], length: 1.0, mass: 1.0}}
coordinates: {theta: {kind: angle, body: crank}}
independent: [theta]
sensors: {pump: {kind: pressure, sigma: 1000.0, resolution: 500.0, delay: 0.01}}
"""
IN_SPACE = """\
extends: six_axis_arm
name: six_axis_arm
sensors: {attitude: {kind: orientation, body: wrist3, sigma: 2.0e-3, rate: 500.0}}
"""
MANY = """\
extends: four_bar
name: four_bar
sensors:
  elbow: {kind: relative_angle_encoder, bodies: [crank, coupler], sigma: 0.01}
  slide: {kind: linear_encoder, coordinate: P2.x, sigma: 0.01}
  imu: {kind: accelerometer, body: coupler, at: [4, 0.3], axes: [z, x], sigma: 0.1}
  wire: {kind: distance, points: [A, P2], sigma: 0.01}
  tracker: {kind: position, point: P2, sigma: 0.01}
  height: {kind: position, point: P2, axes: [y], sigma: 0.01}
"""


def test_encoder_readings_are_those_of_an_offline_run(driver_bench):
    b = driver_bench(EncoderDriver, ['seed:=3'], [(JointState, '/crank_encoder')])
    b.send()
    b.spin_until(len(STAMPS))
    assert [nanoseconds(m.header.stamp) for m in b.received] == STAMPS
    assert list(b.received[0].name) == ['crank_encoder']
    np.testing.assert_array_equal(
        [m.position[0] for m in b.received], expected_readings('crank_encoder', 3)[:, 0])


def test_imu_readings_mark_what_is_not_measured(driver_bench):
    b = driver_bench(ImuDriver, ['sensors:=[coupler_gyro]'], [(Imu, '/coupler_gyro')])
    b.send()
    b.spin_until(len(STAMPS))
    np.testing.assert_array_equal(
        [m.angular_velocity.z for m in b.received], expected_readings('coupler_gyro')[:, 0])
    imu = b.received[0]
    assert imu.header.frame_id == 'coupler'
    assert imu.orientation_covariance[0] == imu.linear_acceleration_covariance[0] == -1.0
    assert imu.angular_velocity_covariance[8] == pytest.approx(983.943e-6 ** 2)


@pytest.mark.parametrize(('driver', 'name', 'message_type', 'read'), [
    (EncoderDriver, 'elbow', JointState, lambda m: m.position[0]),
    (EncoderDriver, 'slide', JointState, lambda m: m.position[0]),
    (ImuDriver, 'imu', Imu, lambda m: (m.linear_acceleration.z, m.linear_acceleration.x)),
    (RangeDriver, 'wire', Range, lambda m: m.range),
    (PositionDriver, 'tracker', PointStamped, lambda m: (m.point.x, m.point.y)),
    (PositionDriver, 'height', PointStamped, lambda m: m.point.y),
])
def test_every_kind_of_reading_reaches_its_topic(
        driver_bench, tmp_path, driver, name, message_type, read):
    file = tmp_path / 'many.yaml'
    file.write_text(MANY)
    b = driver_bench(driver, [f'mechanism:={file}', f'sensors:=[{name}]'],
                     [(message_type, f'/{name}')])
    b.send()
    b.spin_until(len(STAMPS))
    expected = expected_readings(name, 0, load_mechanism(str(file))).squeeze()
    single = 1e-6 if message_type is Range else 0.0
    np.testing.assert_allclose([read(m) for m in b.received], expected, rtol=0.0, atol=single)
    if message_type is Imu:
        imu = b.received[0]
        np.testing.assert_allclose(imu.linear_acceleration_covariance[::4], [0.01, 1e6, 0.01])
        assert imu.orientation_covariance[0] == imu.angular_velocity_covariance[0] == -1.0


@pytest.mark.parametrize('topic', ['tool_imu', 'attitude'])
def test_readings_in_space_are_those_of_an_offline_run(driver_bench, tmp_path, topic):
    file = tmp_path / 'arm.yaml'
    file.write_text(IN_SPACE)
    mechanism = load_mechanism(str(file))
    names = {'tool_imu': ['tool_gyro', 'tool_accelerometer'], 'attitude': ['attitude']}[topic]
    run = simulate(mechanism, 0.04, 0.002, estimate_error=False)
    b = driver_bench(SensorDriver, [f'mechanism:={file}', 'seed:=3',
                                    f'sensors:=[{", ".join(names)}]'], [(Imu, f'/{topic}')])
    b.send([START + k * 2_000_000 for k in range(len(run.t))], run)
    b.spin_until(len(run.t))
    readings = by_topic(sensors_of(mechanism, names))[topic].readings
    read = [dict(readings(message)) for message in b.received]
    for name in names:
        np.testing.assert_allclose(
            [one[name] for one in read], expected_readings(name, 3, mechanism, run, 500),
            rtol=1e-12, atol=1e-12)


def test_one_driver_reads_sensors_of_all_kinds(driver_bench, tmp_path):
    file = tmp_path / 'many.yaml'
    file.write_text(MANY)
    types = {'elbow': JointState, 'imu': Imu, 'wire': Range, 'tracker': PointStamped}
    b = driver_bench(SensorDriver, [f'mechanism:={file}', f'sensors:=[{", ".join(types)}]'],
                     [(kind, f'/{name}') for name, kind in types.items()])
    b.send()
    b.spin_until(len(types) * len(STAMPS))
    found = {kind: [m for m in b.received if isinstance(m, kind)] for kind in types.values()}
    for messages in found.values():
        assert [nanoseconds(m.header.stamp) for m in messages] == STAMPS
    mechanism = load_mechanism(str(file))
    np.testing.assert_array_equal([m.position[0] for m in found[JointState]],
                                  expected_readings('elbow', 0, mechanism)[:, 0])
    np.testing.assert_array_equal([(m.point.x, m.point.y) for m in found[PointStamped]],
                                  expected_readings('tracker', 0, mechanism))


def test_noise_may_be_set_by_parameters_and_a_delay_keeps_the_stamp(driver_bench):
    b = driver_bench(EncoderDriver, ['crank_encoder.sigma:=0.0', 'crank_encoder.delay:=0.03',
                                     'crank_encoder.rate:=100.0'],
                     [(JointState, '/crank_encoder')])
    b.send(STAMPS[:9])
    b.spin_until(2)
    for _ in range(3):
        b.executor.spin_once(timeout_sec=0.02)
    assert [nanoseconds(m.header.stamp) for m in b.received] == [STAMPS[0], STAMPS[2]]
    assert b.received[1].position[0] == RUN.q[2, 4]
    b.spin_until(5)      # the truth has ended: those on their way come all the same
    assert nanoseconds(b.received[-1].header.stamp) == STAMPS[8]


@pytest.mark.parametrize('stamped_at_arrival', [False, True])
def test_a_second_life_sends_what_the_first_has_not_sent(driver_bench, tmp_path,
                                                         stamped_at_arrival):
    path, seed = tmp_path / 'sent', 5
    fault = {'stuck_from': 1.02, 'stuck_for': 0.06}
    noise = {'delay': 0.01, 'delay_spread': 0.01, 'stamped_at_arrival': stamped_at_arrival}
    b = driver_bench(EncoderDriver, [
        f'checkpoint:={path}', f'seed:={seed}',
        *(f'crank_encoder.{name}:={str(value).lower()}' for name, value in noise.items()),
        *(f'crank_encoder.fault.{name}:={value}' for name, value in fault.items())],
        [(JointState, '/crank_encoder')])
    sensor, = sensors_of(FOUR_BAR, ['crank_encoder'])
    recorded = RecordedSensor(
        sensor.with_settings(replace(sensor.settings, **noise)), RUN, STAMPS)
    expected = list(in_order_of_arrival([recorded], seed, {sensor.name: FaultSettings(**fault)}))
    for begin, end in ((0, 9), (9, 15), (15, len(STAMPS))):
        if begin:
            b.come_back(path)
        b.send(STAMPS[begin:end], begin=begin)
        b.spin_until(sum(arrival <= STAMPS[end - 1] for arrival, *_ in expected))
    b.spin_until(len(expected))
    assert [(nanoseconds(m.header.stamp), m.position[0]) for m in b.received] == [
        (stamp, values[0]) for _, _, stamp, values in expected]


def note(sent, *readings):
    """Note readings of sensors by name."""
    sent.note([(SimpleNamespace(name=name), when, None) for name, when in readings])


def test_only_the_file_of_an_earlier_life_is_gone_on_from(tmp_path):
    path = tmp_path / 'sent'
    sent = SentReadings(path, ['a', 'b'])
    note(sent, ('a', START), ('b', START))
    note(sent, ('a', START + STEP))
    again = SentReadings(path, ['b', 'a'])
    assert again.earlier == START + STEP
    assert again.by_earlier_life('b', START)
    assert not again.by_earlier_life('b', START + STEP)
    note(again, ('b', START + STEP))
    assert not again.by_earlier_life('b', START + STEP)     # it was sent in this life
    assert SentReadings(path, ['a']).earlier == 0
    for text in ('a', f'a {START} b {START}', 'a x', '\xff'):
        path.write_text(text)
        assert SentReadings(path, ['a', 'b']).earlier == 0
    note(SentReadings(path, ['a']), ('a', START))
    os.utime(path, (time.time() - 60.0,) * 2)
    assert SentReadings(path, ['a']).earlier == 0
    with pytest.raises(ValueError, match=r'checkpoint: .*no/file: No such file or directory'):
        SentReadings(tmp_path / 'no' / 'file', ['a'])


def test_readings_of_another_run_are_not_waited_for(driver_bench, tmp_path):
    path = tmp_path / 'sent'
    note(SentReadings(path, ['crank_encoder']), ('crank_encoder', STAMPS[-1]))
    b = driver_bench(EncoderDriver, ['use_sim_time:=true', f'checkpoint:={path}',
                                     'sensors:=[crank_encoder]'], [(JointState, '/crank_encoder')])
    clock = b.node.create_publisher(Clock, '/clock', 10)
    end = time.monotonic() + WAIT
    while not b.driver.get_clock().now().nanoseconds:
        assert time.monotonic() < end
        clock.publish(Clock(clock=stamp(START)))
        b.executor.spin_once(timeout_sec=0.05)
    b.send(STAMPS[:5])
    b.spin_until(5)


def test_faults_come_when_set(driver_bench):
    fault = 'crank_encoder.fault.'
    b = driver_bench(EncoderDriver, [
        f'{fault}dead_from:=1.010', f'{fault}dead_for:=0.010',          # readings 2 and 3
        f'{fault}stuck_from:=1.040', f'{fault}stuck_for:=0.015',        # 8, 9, 10
        f'{fault}spike_from:=1.070', f'{fault}spike_for:=0.010', f'{fault}spike_size:=5.0',
        f'{fault}spike_share:=1.0'], [(JointState, '/crank_encoder')])     # 14 and 15
    b.send()
    kept = [k for k in range(len(STAMPS)) if k not in (2, 3)]
    b.spin_until(len(kept))
    assert [nanoseconds(m.header.stamp) for m in b.received] == [STAMPS[k] for k in kept]
    read = dict(zip(kept, (m.position[0] for m in b.received), strict=True))
    sound = expected_readings('crank_encoder')[:, 0]
    assert all(read[k] == sound[k] for k in kept if k not in (8, 9, 10, 14, 15))
    assert read[8] == read[9] == read[10] == sound[7]
    np.testing.assert_allclose([abs(read[k] - sound[k]) for k in (14, 15)], 5.0, rtol=1e-12)


def test_a_driver_survives_bad_truth(driver_bench):
    b = driver_bench(EncoderDriver, [], [(JointState, '/crank_encoder')])
    other = load_mechanism('five_bar')
    b.truth.publish(mechanism_state(other, START, q=other.q0))
    b.truth.publish(mechanism_state(FOUR_BAR, START, q=FOUR_BAR.q0[:3]))
    b.truth.publish(mechanism_state(FOUR_BAR, START, q=RUN.q[0] * np.nan, qd=RUN.qd[0],
                                    qdd=RUN.qdd[0]))
    b.send(STAMPS[1:2])
    b.send(STAMPS[0:1])        # goes backwards
    b.send(STAMPS[2:3])
    b.spin_until(2)
    assert [nanoseconds(m.header.stamp) for m in b.received] == STAMPS[1:3]


def test_a_driver_reports_where_truth_is_missing_or_too_slow(driver_bench):
    b = driver_bench(EncoderDriver, ['crank_encoder.rate:=1000.0'],
                     [(JointState, '/crank_encoder')])
    warned = []
    b.driver.get_logger().warning = lambda text, **_: warned.append(text)
    b.send(STAMPS[:3])
    b.spin_until(11)
    assert b.driver.health().message == 'reading'
    b.send([STAMPS[2] + 400 * 1_000_000], begin=3)
    b.send([STAMPS[2] + 401 * 1_000_000], begin=4)       # confirms that there was a gap
    b.spin_until(13)
    health = b.driver.health()
    assert health.message == 'truth is missing where readings are due: crank_encoder'
    assert health.values['crank_encoder instants without truth'] == 399
    assert b.driver.health().message == 'reading'
    text, = warned
    assert 'crank_encoder: reads at 1000 Hz, the truth comes at 200 Hz' in text
    b.driver.reset()        # time begins anew: nothing of before it is read from
    b.send(STAMPS[:2])
    b.spin_until(19)
    assert [nanoseconds(m.header.stamp) for m in b.received[13:]] == [
        START + k * 1_000_000 for k in range(6)]


def test_pressure_readings(driver_bench, tmp_path):
    file = tmp_path / 'crank_with_pump.yaml'
    file.write_text(PUMP)
    b = driver_bench(PressureDriver, [f'mechanism:={file}'], [(FluidPressure, '/pump')],
                     truth=(FluidPressure, '/prototype/pump'))
    for k in range(200):
        message = FluidPressure(fluid_pressure=1e7)
        message.header.stamp = stamp(START + k * STEP)
        b.truth.publish(message)
    b.truth.publish(FluidPressure(fluid_pressure=float('nan')))
    b.spin_until(200)
    values = np.array([m.fluid_pressure for m in b.received])
    np.testing.assert_array_equal(values % 500.0, 0.0)
    assert values.mean() == pytest.approx(1e7, abs=4 * 1000 / np.sqrt(200))
    assert values.std() == pytest.approx(1010.0, rel=0.2)
    assert b.received[0].variance == pytest.approx(1000.0 ** 2 + 500.0 ** 2 / 12.0)


def test_true_torques_of_a_topic_are_taken_one_by_one(driver_bench, tmp_path):
    """One that is no number, or no motor at all, keeps none of the others back."""
    file, drives = tmp_path / 'robot.yaml', load_mechanism('three_rrr').drives
    motor = {'kind': 'motor_torque', 'topic': 'motors', 'sigma': 0.0, 'rate': 1e9 / STEP}
    file.write_text(yaml.safe_dump({'extends': 'three_rrr', 'name': 'three_rrr', 'sensors': {
        name: {**motor, 'drive': name} for name in drives}}))
    b = driver_bench(SensorDriver, [f'mechanism:={file}', f'sensors:=[{", ".join(drives)}]'],
                     [(JointState, '/motors')], truth=(JointState, '/prototype/motors'))
    for k, (names, efforts) in enumerate((
            (drives, [1.0, 2.0, 3.0]), (drives, [4.0, float('nan'), 6.0]), (['drive4'], [7.0]),
            (drives, [8.0, 9.0, 10.0]))):
        message = JointState(name=names, effort=efforts)
        message.header.stamp = stamp(START + k * STEP)
        b.truth.publish(message)
    b.spin_until(4)
    read = {(nanoseconds(m.header.stamp) - START) // STEP: dict(zip(m.name, m.effort, strict=True))
            for m in b.received if m.name[0] == 'drive1'}
    assert read[0] == {'drive1': 1.0, 'drive2': 2.0, 'drive3': 3.0}
    assert read[1] == {'drive1': 4.0, 'drive3': 6.0}
    assert read[3] == {'drive1': 8.0, 'drive2': 9.0, 'drive3': 10.0}
    assert b.driver.health().values['truth rejected'] == 1      # other joints are no fault


@pytest.mark.parametrize(('node', 'parameters', 'text'), [
    ('encoder_driver', ['sensors:=[crank_encodr]'], 'crank_encodr: unknown sensor of four_bar'),
    ('encoder_driver', ['sensors:=[crank_gyro]'],
     'crank_gyro: is of kind gyroscope, expected angle_encoder'),
    ('imu_driver', ['source:=bus'], "source: 'bus' must be one of simulated"),
    ('imu_driver', ['mechanism:=six_bar'], 'six_bar'),
    ('pressure_driver', [], 'four_bar: has no pressure sensor'),
    ('encoder_driver', ['crank_encoder.sigma:=-0.1'], 'crank_encoder.sigma'),
    ('encoder_driver', ['source:=can'],
     'crank_encoder.can.node_id: missing; expected: Node id of the device'),
    ('encoder_driver', ['source:=can', 'sensors:=[crank_encoder]', 'crank_encoder.can.node_id:=5',
                        'can.interface:=sockecan'],
     "can.interface: 'sockecan' must be one of "),
    ('imu_driver', ['source:=can'],
     'crank_gyro: is of kind gyroscope, source can reads angle_encoder'),
    ('emulate', ['device:=can', 'sensors:=[crank_encoder]', 'crank_encoder.can.node_id:=5',
                 'can.interface:=virtuel'], 'virtuel'),
])
def test_bad_parameters_end_a_driver_with_two_and_a_word(node, parameters, text, capfd):
    assert text in complaint_of(node_class(f'mb_sensors/{node}'), parameters, capfd)
