"""The parallel robot as users launch it: contacts detected, bodies named, where it stops."""

import unittest

from bag_reports import interrupted, message_counts, report_in, report_of_bag
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest

from mb_evaluation.report_kinds.contact_report import objections
from mb_evaluation.reports.run_figures import digest
from mb_model import load_mechanism
from mb_simulation.collisions import CollisionScript, read_collisions
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import ControlSettings, TrajectorySettings, plan

REACTION_DELAY = 0.015      # [s]


@pytest.mark.launch_test
def generate_test_description():
    """Run into a pylon that stays, with an IMU that is late; the robot stops there."""
    results = passing_folder('parallel_robot_')
    script = results / 'pylon.yaml'
    script.write_text('collisions: [{bodies: [platform], time: 1.3, direction: 0.3}]')
    arguments = {'results': str(results), 'collisions': str(script), 'duration': '2.0',
                 'resume_after': '0.0', 'reaction_delay': str(REACTION_DELAY)}
    return launched_file('parallel_robot_contact', arguments), {
        'folder': results / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'contact_monitor', 200


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_the_contact_is_detected_and_the_body_named(self, folder):
        """By both methods, within milliseconds; nothing else is detected, nothing lost."""
        report = report_in(folder)
        self.assertEqual(objections(report), [])
        contact, = report['contacts']
        self.assertEqual((contact['bodies'], contact['named']), (['platform'], 'platform'))
        for method in ('direct', 'momentum_observer'):
            self.assertLess(contact['methods'][method]['after'], 15.0)
        for name in ('report.png', 'report.html', 'report.md', 'model.yaml'):
            self.assertGreater((folder / name).stat().st_size, 1000)

    def test_the_bag_gives_the_same_report_again(self, folder):
        """All figures that do not depend on the times at which messages came."""
        live = report_in(folder)
        again = report_of_bag(folder, folder.parent / 'again')
        for key in ('kind', 'estimator', 'method', 'collisions', 'duration', 'contacts',
                    'contact_free', 'acceleration', 'truth_digest', 'readings', 'lost'):
            self.assertEqual(live[key], again[key], key)

    def test_the_first_part_of_the_bag_gives_a_report(self, folder):
        """As of a run that was interrupted; the contact, where it was there by then."""
        part = interrupted(folder, folder.parent / 'part', 1.8)
        report = report_of_bag(part, part)
        self.assertEqual((report['kind'], report['messages_lost']), ('contact', 0))
        self.assertLess(report['duration'], 2.0)
        begun = [contact for contact in report_in(folder)['contacts']
                 if contact['begin'] < report['duration']]
        self.assertEqual([contact['begin'] for contact in report['contacts']],
                         [contact['begin'] for contact in begun])

    def test_the_run_is_that_of_its_seed_on_any_machine(self, folder):
        """All true states equal a simulation without nodes that reacts when it is due."""
        report = report_in(folder)
        contact, = report['contacts']
        robot = load_mechanism('three_rrr')
        trajectory = plan(robot, TrajectorySettings(kind='rectangle', speed=1.41))
        script = CollisionScript(robot, trajectory, read_collisions(folder.parent / 'pylon.yaml'))
        judged = contact['begin'] + 1e-3 * contact['after']
        run = simulate_robot(robot, trajectory, 2.0, script.obstacles, script.act,
                             ControlSettings(), reactions=(round(judged + REACTION_DELAY, 6),))
        stamps = 1_000_000_000 + 1_000_000 * np.arange(2001)
        self.assertEqual(report['truth_digest'],
                         digest(stamps, (run.z, run.zd, run.zdd, run.q)))

    def test_the_robot_stops(self, folder):
        """The bag holds every state; after the contact none moves any more."""
        counts = message_counts(folder / 'bag')
        self.assertEqual(counts['/prototype/state'], 2001)
        self.assertEqual(counts['/prototype/drive_torques'], 2001)
        self.assertGreater(counts['/clock'], 95)        # 50 a second
        self.assertLess(counts['/clock'], 1500)         # the last one again and again
        self.assertGreater(counts['/contact_detector/contact'], 400)
        self.assertGreater(counts['/prototype/contacts'], 5)
