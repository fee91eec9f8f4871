"""Drivers of real devices at 1 kHz and more: what they lose, and what they take of a core.

Each driver is a process of its own that reads an emulated device of this process.
"""

from dataclasses import dataclass
from pathlib import Path
import signal
import subprocess
import sys
from tempfile import TemporaryDirectory
import time

from diagnostic_msgs.msg import DiagnosticArray
import rclpy
from rclpy.node import Node

from benchmarks.figures import Figure
from mb_model import load_mechanism
from mb_ros.process_tree import processor_time
from mb_sensors import emulator_class, sensors_of

SECONDS = 15.0          # of each driver; 60 are asked for: --seconds 60
LONGEST_BURST = 0.01    # [s]
PATIENCE = 30.0         # with its start and its last message [s]
SENSORS = """\
extends: four_bar
name: four_bar
sensors: {pump: {kind: pressure, sigma: 1.0}}
"""
LARGEST_SHARE = 40.0    # of a core [%]


@dataclass
class Case:
    """A driver, its source, a sensor and its rate [Hz], and settings of the source."""

    driver: str
    source: str
    sensor: str
    rate: float
    settings: dict
    each: dict


def cases(folder):
    """Return the four kinds of devices."""
    bus = {'interface': 'udp_multicast', 'channel': '239.74.163.2', 'options': ['port=43300']}
    return [Case('encoder_driver', 'can', 'crank_encoder', 1000.0, bus, {'node_id': 5}),
            Case('imu_driver', 'serial_imu', 'crank_gyro', 1000.0, {'port': f'{folder}/port'}, {}),
            Case('imu_driver', 'bmi160', 'crank_gyro', 1600.0, {'bus': f'{folder}/bus'}, {}),
            Case('pressure_driver', 'analog', 'pump', 1000.0,
                 {'folder': f'{folder}/iio', 'device_files': f'{folder}/dev', 'buffered': True},
                 {'at_20_ma': 1e7})]


def measure(seconds=SECONDS):
    """Return loss and share of a core of every driver, each run for a time [s]."""
    figures = []
    with TemporaryDirectory() as folder:
        mechanism = Path(folder) / 'four_bar.yaml'
        mechanism.write_text(SENSORS)
        for case in cases(folder):
            sent, published, rate, share = run(case, str(mechanism), seconds)
            name = f'{case.source}, {case.rate:g} Hz'
            figures += [Figure(f'{name}: rate reached', rate, 'Hz', 0.98 * case.rate,
                               at_least=True),
                        Figure(f'{name}: lost of {sent}', sent - published, '', 0.0),
                        Figure(f'{name}: driver', 100.0 * share, '% of a core', LARGEST_SHARE)]
    return figures


def run(case, mechanism, seconds):
    """Return (readings sent, published, rate of sending [Hz], share of a core) of a driver."""
    sensor, = sensors_of(load_mechanism(mechanism), case.sensor)
    sensor = sensor.with_settings(sensor.settings.from_mapping(
        {'sigma': 0.0, 'rate': case.rate}))
    kind = emulator_class(case.source)
    device = kind([sensor], kind.Settings(**case.settings),
                  {case.sensor: kind.SensorSettings(**case.each)})
    device.open()
    driver = subprocess.Popen(
        [sys.executable, '-c', f'from mb_sensors.nodes.{case.driver} import main; main()',
         '--ros-args', *arguments(case, mechanism)])
    rclpy.init()
    node = Node('benchmark')
    health = {}
    node.create_subscription(DiagnosticArray, '/diagnostics',
                             lambda message: read_health(message, health), 10)
    try:
        until(node, lambda: node.count_publishers(f'/{case.sensor}'))
        return feed(case, sensor, device, driver, node, health, seconds)
    finally:
        driver.send_signal(signal.SIGINT)
        driver.wait(PATIENCE)
        node.destroy_node()
        rclpy.shutdown()
        device.close()


def feed(case, sensor, device, driver, node, health, seconds):
    """Let the device measure at its rate; return what run() does."""
    before_share, start = processor_time(driver.pid), time.monotonic()
    count, due = 0, start
    while due < start + seconds:
        # A device never sends a burst because this process was busy.
        due = max(due + 1.0 / case.rate, time.monotonic() - LONGEST_BURST)
        time.sleep(max(0.0, due - time.monotonic()))
        device.take(sensor, round(count * 1e9 / case.rate), [1.0 + count % 1000 * 1e-3])
        count += 1
    took = time.monotonic() - start
    share = (processor_time(driver.pid) - before_share) / took
    key = f'{case.sensor} readings'
    end = time.monotonic() + 3.0        # diagnostics come once a second
    while health.get(key, 0) < count and time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)
    return count, health[key], count / took, share


def arguments(case, mechanism):
    """Return the parameters of the driver."""
    parameters = {'mechanism': mechanism, 'sensors': f'[{case.sensor}]', 'source': case.source,
                  f'{case.sensor}.rate': case.rate}
    parameters |= {f'{case.source}.{key}': value for key, value in case.settings.items()}
    parameters |= {f'{case.sensor}.{case.source}.{key}': value
                   for key, value in case.each.items()}
    return [item for key, value in parameters.items()
            for item in ('-p', f'{key}:={value}'.replace("'", '"'))]


def read_health(message, health):
    """Note the counts of a driver."""
    for status in message.status:
        health |= {item.key: int(item.value) for item in status.values if item.value.isdecimal()}


def until(node, condition):
    """Spin until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError('the driver does not answer')
        rclpy.spin_once(node, timeout_sec=0.1)
