"""Several nodes in one process."""

import os
import signal
import subprocess
import time

import pytest
import rclpy

from mb_ros.compose import node_class, parts

DRIVERS = ['mb_sensors/encoder_driver', '--ros-args', '-r', '__node:=crank', '-p',
           'sensors:=[crank_encoder]', '--', 'mb_sensors/imu_driver', '--ros-args', '-p',
           'sensors:=[crank_gyro, coupler_gyro]']


def compose(*words):
    return subprocess.Popen(
        ['ros2', 'run', 'mb_ros', 'compose', *words], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def topics_of(node, name):
    try:
        return {topic for topic, _ in node.get_publisher_names_and_types_by_node(name, '/')}
    except RuntimeError:        # no node of this name
        return set()


def nodes_with_topics(wanted):
    """Return {node: topics that it publishes} once each node has all that are wanted of it.

    It looks every ten seconds as a new participant: a name can be lost to one for good.
    """
    until, found = time.monotonic() + 60, {}
    while time.monotonic() < until:
        rclpy.init()
        node, again = rclpy.create_node('onlooker'), time.monotonic() + 10
        try:
            while time.monotonic() < again:
                rclpy.spin_once(node, timeout_sec=0.1)
                found = {name: topics_of(node, name) for name in wanted}
                if all(wanted[name] <= found[name] for name in wanted):
                    return found
        finally:
            node.destroy_node()
            rclpy.shutdown()
    return found


def test_every_node_has_its_own_name_and_parameters():
    process = compose(*DRIVERS)
    try:
        topics = nodes_with_topics({'crank': {'/crank_encoder'},
                                    'imu_driver': {'/crank_gyro', '/coupler_gyro'}})
        os.killpg(process.pid, signal.SIGINT)      # as a terminal does
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert '/crank_encoder' in topics['crank']
    assert {'/crank_gyro', '/coupler_gyro'} <= topics['imu_driver']
    assert '/crank_gyro' not in topics['crank']
    assert (process.returncode, output) == (0, '')


@pytest.mark.parametrize(('words', 'complaint'), [
    (['mb_sensors/encoder'], 'mb_sensors/encoder: unknown node, expected PACKAGE/NODE with one of '
                             'broadcasters, emulate, encoder_driver,'),
    (['encoder_driver'], 'encoder_driver: unknown node, expected PACKAGE/NODE'),
    ([*DRIVERS, '--', 'mb_sensors/imu_driver', '--ros-args', '-p', 'sensors:=[gyro]'],
     'gyro: unknown sensor of four_bar'),
    ([], 'no node given')])
def test_what_the_user_got_wrong_is_reported_in_words(words, complaint):
    process = compose(*words)
    output, _ = process.communicate(timeout=60)
    assert complaint in output
    assert 'Traceback' not in output
    assert process.returncode == 2


def test_two_dashes_separate_nodes():
    assert parts(['a/b', '--ros-args', '-p', 'x:=1', '--', 'c/d', '--']) == [
        ['a/b', '--ros-args', '-p', 'x:=1'], ['c/d']]
    assert node_class('mb_sensors/imu_driver').__name__ == 'ImuDriver'
