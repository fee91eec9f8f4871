"""The crane as users launch it: mass, intervals, bag, in space too; sensors that fail meanwhile."""

from pathlib import Path
import unittest

from bag_reports import interrupted, message_counts, report_in, report_of_bag
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import pytest

from mb_evaluation.report_kinds.payload_report import objections

IN_SPACE = Path(__file__).parents[2] / 'mb_model' / 'test' / 'crane_in_space.yaml'
CASES = [{'load': '50.0', 'duration': '12.0'},
         {'load': '50.0', 'duration': '12.0', 'mechanism': str(IN_SPACE)},
         {'load': '100.0', 'prototype': 'multibody', 'config': 'crane,crane_faults'}]
FAULTS = [(5.0, 8.0, 'silent: pressure1'), (9.5, 12.5, 'cylinder_encoder repeats itself exactly'),
          (13.5, 18.5, 'pressure2 has sent incredible readings')]     # of crane_faults.yaml [s]
RATE = 200.0                            # of the truth [Hz]


@pytest.mark.launch_test
@pytest.mark.whole
@launch_testing.parametrize('given', CASES)
def generate_test_description(given):
    """Run the crane, recorded."""
    results = passing_folder('crane_payload_')
    arguments = {'results': str(results), 'record': 'true', **given}
    return launched_file('crane_payload', arguments), {'folder': results / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'payload_monitor', 150


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_verdict(self, folder):
        """The mass is right, no interval too narrow, nothing lost, no complaint that lasts."""
        report = report_in(folder)
        self.assertEqual(objections(report), [])
        self.assertEqual(report['messages_lost'], 0)
        self.assertEqual(report['updating']['below_transition_velocity'], 0)
        self.assertGreater(report['updating']['share'], 0.3)
        for name in ('report.png', 'report.html', 'report.md', 'machine.yaml', 'model.yaml'):
            self.assertGreater((folder / name).stat().st_size, 1000)

    def test_the_bag_gives_the_same_report_again(self, folder):
        """All figures that do not depend on the times at which messages came."""
        live, again = report_in(folder), report_of_bag(folder, folder.parent / 'again')
        for key in ('kind', 'estimator', 'cycle', 'seed', 'duration', 'first_motion', 'masses',
                    'observer', 'updating', 'readings', 'lost', 'bounds'):
            self.assertEqual(live[key], again[key], key)

    def test_the_first_part_of_the_bag_gives_a_report(self, folder):
        """As of a run that was interrupted: until then nothing is lost, and the mass is right."""
        part = interrupted(folder, folder.parent / 'part', 10.0)
        report = report_of_bag(part, part)
        self.assertEqual(report['kind'], 'payload')
        self.assertTrue(5.0 < report['duration'] < 10.0, report['duration'])
        self.assertEqual(report['messages_lost'], 0)
        mass = report['masses']['load']
        self.assertLess(abs(mass['estimate'] - mass['truth']), 0.05 * mass['truth'])
        self.assertTrue((part / 'report.html').exists())

    def test_bag_holds_everything(self, folder):
        """Not one message of the truth, the estimates and the readings is missing."""
        report = report_in(folder)
        counts = message_counts(folder / 'bag')
        states = round(report['duration'] * RATE) + 1
        self.assertEqual(counts['/prototype/state'], states)
        self.assertEqual(counts['/prototype/hydraulics'], states)
        readings = sum(counts[f'/{name}'] for name in report['sensors'])
        self.assertEqual(readings, report['readings']['due'])
        self.assertGreaterEqual(counts['/valve_command'], 1)
        self.assertGreaterEqual(counts['/prototype/parameters'], 1)
        for topic in ('/estimator/hydraulics', '/payload_estimator/payload'):
            self.assertEqual(counts[topic], counts['/estimator/state'])

    def test_faults_are_reported_and_survived(self, folder, given):
        """Each fault is reported while it lasts, or soon after; the mass is held meanwhile."""
        complaints = report_in(folder)['complaints']
        failing = 'crane_faults' in given.get('config', '')
        for begin, end, words in FAULTS:
            for node in ('/estimator', '/payload_estimator'):
                reported = any(begin <= one['from'] <= end and words in one['message']
                               for one in complaints if one['node'] == node)
                self.assertEqual(reported, failing, (node, words, complaints))
