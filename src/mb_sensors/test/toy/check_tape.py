"""What everything makes of a source of devices that one file has added."""

import time

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState

from mb_interfaces.msg import MechanismState
from mb_model import SettingError, load_mechanism, simulate
from mb_ros.own_domain import own_domain
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import mechanism_state
from mb_sensors import SensorError, SensorNoise, sensors_of
from mb_sensors.commands import sources
from mb_sensors.nodes.emulate import EmulateNode, EmulatorSettings
from mb_sensors.nodes.sensor_driver import DriverSettings, SensorDriver
from mb_sensors.readings import true_values
from mb_sensors.sources import check_kinds, emulator_class, source_class

START, STEP = 1_000_000_000, 5_000_000


def test_settings_and_pages_describe_it(capsys):
    assert DriverSettings(source='tape').source == EmulatorSettings(device='tape').device == 'tape'
    with pytest.raises(SettingError, match=r'one of simulated, .*tape'):
        DriverSettings(source='tap')
    assert sources.main(['--markdown']) == 0
    listed = capsys.readouterr().out
    for text in ('| `tape` | A tape: ', '| `tape.pause` | 0.005 | s |', '| `<sensor>.tape.mark` |'):
        assert text in listed


def test_its_emulator_is_found_through_it():
    tape = source_class('tape')
    assert emulator_class('tape').Settings is tape.Settings


def test_it_says_what_it_reads():
    gyroscope = sensors_of(load_mechanism('four_bar'), 'crank_gyro')
    with pytest.raises(SensorError, match='source tape reads radial_speed or angle_encoder'):
        check_kinds('tape', source_class('tape'), gyroscope)


def test_a_driver_reads_what_its_emulator_measures(tmp_path, monkeypatch):
    mechanism = load_mechanism('four_bar')
    run = simulate(mechanism, 0.1, STEP / 1e9)
    stamps = [START + k * STEP for k in range(len(run.t))]
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
    parameters = ['device:=tape', 'source:=tape', 'sensors:=[crank_encoder]',
                  f'tape.file:={tmp_path / "tape"}', 'crank_encoder.tape.mark:=crank',
                  'acquisition.clock:=synchronised', 'use_sim_time:=true']
    rclpy.init(args=['--ros-args', *(word for one in parameters for word in ('-p', one))])
    nodes, received = [EmulateNode(), SensorDriver(), Node('bench')], []
    executor, bench = SingleThreadedExecutor(), nodes[-1]
    try:
        for node in nodes:
            executor.add_node(node)
        truth = bench.create_publisher(MechanismState, '/prototype/state', STREAM_QOS)
        bench.create_subscription(JointState, '/crank_encoder', received.append, STREAM_QOS)
        end, sent = time.monotonic() + 20.0, False
        while len(received) < len(stamps):
            assert time.monotonic() < end, len(received)
            executor.spin_once(timeout_sec=0.05)
            if not sent and bench.count_publishers('/crank_encoder'):
                sent = True
                for k, stamp in enumerate(stamps):
                    truth.publish(mechanism_state(
                        mechanism, stamp, z=run.z[k], q=run.q[k], qd=run.qd[k], qdd=run.qdd[k]))
    finally:
        executor.shutdown()
        for node in nodes:
            node.destroy_node()
        rclpy.shutdown()
    assert [nanoseconds(message.header.stamp) for message in received] == stamps
    encoder, = sensors_of(mechanism, 'crank_encoder')
    expected = SensorNoise(encoder.settings, 0, 'crank_encoder').readings(
        np.arange(200, 200 + len(stamps)),
        true_values(mechanism, encoder, run.q, run.qd, run.qdd))
    np.testing.assert_array_equal([message.position for message in received], expected)
