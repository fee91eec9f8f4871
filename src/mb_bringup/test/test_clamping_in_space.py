"""A delta robot as users launch it, whose arm and rod clamp a ball: detected, named, let go."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import pytest

PAIR = ['arm2', 'left2']
CLAMPED = '{bodies: [arm2, left2], time: 2.64, mass: 0.6, friction: 0.9}'
DURATION = 3.2      # [s]


@pytest.mark.whole
@pytest.mark.launch_test
def generate_test_description():
    """Run until links clamp a ball; the machine lets go then, but for damping."""
    results = passing_folder('clamping_')
    script = results / 'ball.yaml'
    script.write_text(f'collisions: [{CLAMPED}]')
    arguments = {'results': str(results), 'mechanism': 'delta', 'collisions': str(script),
                 'imu': 'ideal', 'reaction': 'release', 'resume_after': '0.0',
                 'duration': str(DURATION), 'strict': 'false', 'real_time_factor': '0.3'}
    return launched_file('parallel_robot_contact', arguments), {
        'folder': results / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'contact_monitor', 200


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_it_is_detected_and_nothing_else(self, folder):
        """By both methods, the observer later."""
        report = report_in(folder)
        self.assertEqual(report['false_alarms'], [])
        contact, = report['contacts']
        self.assertEqual((contact['kind'], contact['bodies']), ('clamped', PAIR))
        self.assertEqual(contact['method'], 'direct')
        self.assertLess(contact['methods']['direct']['after'], 5.0)
        self.assertLess(contact['methods']['momentum_observer']['after'], 40.0)

    def test_the_pair_is_among_what_it_may_be(self, folder):
        """Its force on z may be a push's, too: then it is ambiguous, never another for sure."""
        contact = report_in(folder)['contacts'][0]
        self.assertIn(contact['naming'], ('right', 'ambiguous'))
        self.assertIn(', '.join(PAIR), contact['may_be'])

    def test_the_machine_lets_go(self, folder):
        """Nothing is clamped any more a fifth of a second after it was."""
        contact, = report_in(folder)['contacts']
        self.assertLess(contact['end'], DURATION - 0.2)
        self.assertLess(contact['end'] - contact['begin'], 0.3)
