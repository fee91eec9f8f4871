"""A driver of an IMU and of an orientation on a machine in space, live."""

import time

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import Imu

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism, simulate
from mb_ros.own_domain import own_domain
from mb_ros.qos import STREAM_QOS
from mb_ros.states import mechanism_state
from mb_sensors import SensorNoise, sensors_of, true_values
from mb_sensors.nodes.sensor_driver import SensorDriver
from mb_sensors.topics import by_topic

START, STEP, SEED = 1_000_000_000, 2_000_000, 3
FILE = """\
extends: six_axis_arm
name: six_axis_arm
sensors: {attitude: {kind: orientation, body: wrist3, sigma: 2.0e-3, rate: 500.0}}
"""


@pytest.mark.parametrize('topic', ['tool_imu', 'attitude'])
def test_a_driver_publishes_what_a_run_offline_has(tmp_path, monkeypatch, topic):
    file = tmp_path / 'arm.yaml'
    file.write_text(FILE)
    mechanism = load_mechanism(str(file))
    names = {'tool_imu': ['tool_gyro', 'tool_accelerometer'], 'attitude': ['attitude']}[topic]
    sensors = sensors_of(mechanism, names)
    run = simulate(mechanism, 0.04, STEP / 1e9, estimate_error=False)
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
    rclpy.init(args=['--ros-args', '-p', f'mechanism:={file}', '-p', f'seed:={SEED}', '-p',
                     f'sensors:=[{", ".join(names)}]'])
    driver, bench, received = SensorDriver(), Node('bench'), []
    executor = SingleThreadedExecutor()
    try:
        for node in (driver, bench):
            executor.add_node(node)
        truth = bench.create_publisher(MechanismState, '/prototype/state', STREAM_QOS)
        bench.create_subscription(Imu, f'/{topic}', received.append, STREAM_QOS)
        for k in range(len(run.t)):
            truth.publish(mechanism_state(mechanism, START + k * STEP, z=run.z[k], q=run.q[k],
                                          qd=run.qd[k], qdd=run.qdd[k]))
        end = time.monotonic() + 20.0
        while len(received) < len(run.t):
            assert time.monotonic() < end, len(received)
            executor.spin_once(timeout_sec=0.05)
    finally:
        executor.shutdown()
        for node in (driver, bench):
            node.destroy_node()
        rclpy.shutdown()
    read = [dict(by_topic(sensors)[topic].readings(message)) for message in received]
    for sensor in sensors:
        expected = SensorNoise(sensor.settings, SEED, sensor.name, sensor.is_rotation).readings(
            np.arange(500, 500 + len(run.t)),
            true_values(mechanism, sensor, run.q, run.qd, run.qdd))
        np.testing.assert_allclose([one[sensor.name] for one in read], expected, rtol=1e-12,
                                   atol=1e-12)
