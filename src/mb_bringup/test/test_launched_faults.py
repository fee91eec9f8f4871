"""A run in which everything goes wrong: nodes killed, readings disturbed, the disk full."""

import os
import shutil
import signal
import subprocess

import numpy as np
import pytest
import rclpy

from mb_bringup.endurance import launched
from mb_bringup.nodes.run_listener import RunListener
from mb_ros.process_tree import keeper_of, life_of, template_of

DURATION = 25.0         # simulated [s]
DISK, FULL = '2m', 2 ** 18      # full after a few seconds, and when it is called so [byte]
ESTIMATOR, DRIVER = 'mb_estimators/estimator', 'mb_sensors/sensor_driver'
BACK = 'going on from the checkpoint', 'starting anew'      # anew where a busy machine takes long
DRIVEN_AGAIN = 'SensorDriver: ended by SIGKILL, begins again',
VICTIMS = (             # what is killed of which node when [s], and what the next life says
    (life_of, ESTIMATOR, 4.0, BACK), (life_of, DRIVER, 7.0, DRIVEN_AGAIN),
    (template_of, ESTIMATOR, 10.0, BACK), (keeper_of, ESTIMATOR, 13.0, BACK))
PATIENCE = 240.0        # of a machine that does other things [s]


@pytest.fixture
def small_disk(tmp_path):
    """A folder that holds little; skips where none can be made."""
    folder = tmp_path / 'small'
    folder.mkdir()
    made = subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={DISK}', 'tmpfs', str(folder)],
                          capture_output=True, check=False).returncode == 0
    if not made:
        pytest.skip('a small file system can be made by root alone')
    yield folder
    subprocess.run(['umount', '--lazy', str(folder)], check=True)


def times_said(log, sentences):
    """Return how often a log has one of several sentences."""
    printed = log.read_text()
    return sum(map(printed.count, sentences))


@pytest.mark.whole
def test_a_run_survives_kills_bad_readings_and_a_full_disk(small_disk, tmp_path):
    rclpy.init()
    log = tmp_path / 'log.txt'
    arguments = {'respawn': 'true', 'composed': 'false', 'disturbed': 0.1, 'duration': DURATION,
                 'results': small_disk}
    node = rclpy.create_node('onlooker')
    try:
        listener, free = RunListener(node), []

        def ended():
            free.append(shutil.disk_usage(small_disk).free)
            return process.poll() is not None

        with log.open('w') as output, launched('three_simulation.launch.py', arguments,
                                               output) as process:
            for find, program, when, sentences in VICTIMS:
                listener.until(lambda when=when: max(listener.truth) > when, PATIENCE)
                before = times_said(log, sentences)
                os.kill(find(program, process.pid), signal.SIGKILL)
                listener.until(lambda said=sentences, before=before:
                               times_said(log, said) > before, PATIENCE)
            listener.until(ended, PATIENCE)
    finally:
        node.destroy_node()
        rclpy.shutdown()
    printed = log.read_text()
    for sentences, count in ((('EstimatorNode: ended by SIGKILL, begins again',), 2),
                             (('was killed, begins again',), 1), (BACK, 3), (DRIVEN_AGAIN, 1)):
        assert times_said(log, sentences) == count, printed
    assert BACK[0] in printed
    assert 'readings used' in printed          # of the table: shown though it cannot be kept
    assert min(free) < FULL
    # What a recorder says of a full disk is the recorder's affair.
    assert 'Traceback' not in ''.join(line for line in printed.splitlines() if '[bag-' not in line)
    assert 'another run published' not in printed      # a killed node is no other run
    assert max(listener.estimates) > DURATION - 0.5
    errors = listener.errors(begin=DURATION - 6.0)
    assert len(errors) > 500
    assert np.sqrt(np.mean(errors ** 2)) < 0.02
    counted = {what: int(listener.values['/estimator'][f'readings {what}'])
               for what in ('used', 'rejected')}
    assert counted['used'] > counted['rejected'] > 100
