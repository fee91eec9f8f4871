"""Machines on ros2_control as users launch them; a stand-in publishes what broadcasters would."""

import unittest

from bag_reports import message_counts, report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest

from mb_evaluation.report_kinds.accuracy_report import objections
from mb_model.file_api import stamp_of
from mb_sensors import open_bag

JOINTS, COMMANDS = '/joint_states', '/effort_controller/commands'
IMU, WRENCH = '/imu_sensor_broadcaster/imu', '/force_torque_sensor_broadcaster/wrench'
TORQUES = '/prototype/drive_torques'
TOPICS = {'four_bar': (JOINTS, IMU, COMMANDS), 'quadruped_leg': (JOINTS, IMU, COMMANDS, WRENCH)}
MEASURED = {'four_bar': ['crank_joint'],
            'quadruped_leg': ['abduction_joint', 'hip_joint', 'lever_joint']}


def passive_joints(state):
    """Return the angles of joints without an encoder in a MechanismState [rad]."""
    q = dict(zip(state.coordinates, state.q, strict=True))
    if 'q3' in q:
        return np.array([q['q3']])      # the knee, which the lever moves by its link
    crank, end = (complex(q[f'{point}.x'], q[f'{point}.y']) for point in ('P1', 'P2'))
    return np.angle([end - crank, 10.0 - end])      # coupler; rocker, to its pivot B


@pytest.mark.whole
@pytest.mark.launch_test
@launch_testing.parametrize('mechanism', list(TOPICS))
def generate_test_description(mechanism):
    """Run for a second and a half."""
    results = passing_folder('ros2_control_')
    return launched_file('ros2_control', {
        'results': str(results), 'duration': '1.5', 'mechanism': mechanism, 'hardware': 'stand_in',
        'real_time_factor': '0.5'}), {'folder': results / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor = 'accuracy_monitor'


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_the_estimate_is_right(self, folder):
        """By nothing but what ros2_control publishes."""
        self.assertEqual(objections(report_in(folder)), [])

    def test_passive_joints_are_known_better_than_encoders_read(self, folder):
        """No encoder is on them; a thousandth of a radian is the noise of the others."""
        with open_bag(folder / 'bag') as bag:
            truth, estimates = (dict(bag.of(f'/{node}/state', None))
                                for node in ('prototype', 'estimator'))
        errors = np.array([passive_joints(state) - passive_joints(truth[stamp])
                           for stamp, state in estimates.items() if stamp in truth])
        self.assertGreater(len(errors), 250)
        moved = np.ptp([passive_joints(state) for state in truth.values()], axis=0)
        self.assertGreater(moved.min(), 0.02)
        self.assertLess(np.sqrt(np.mean(errors[len(errors) // 3:] ** 2, axis=0)).max(), 1e-3)

    def test_broadcasters_and_commands_are_in_the_bag(self, folder, mechanism):
        """Efforts of driven joints alone, one message an update, commands as they were."""
        counts = message_counts(folder / 'bag')
        for topic in TOPICS[mechanism]:
            self.assertGreater(counts[topic], 250, topic)
        with open_bag(folder / 'bag') as bag:
            joints = [message for _, message in bag.of(JOINTS)]
            commanded = {tuple(message.data) for _, message in bag.of(COMMANDS)}
            given = [tuple(message.effort) for _, message in bag.of(TORQUES)]
        self.assertEqual({tuple(one.name) for one in joints}, {tuple(MEASURED[mechanism])})
        stamps = [stamp_of(one) for one in joints]
        self.assertEqual(sorted(set(stamps)), stamps)
        self.assertGreater(np.mean([one in commanded for one in given]), 0.99)
