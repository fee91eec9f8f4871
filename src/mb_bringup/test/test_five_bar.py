"""The launch file with two degrees of freedom, several kinds of sensors, and nodes composed."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import pytest

from mb_evaluation.report_kinds.accuracy_report import objections

PATIENCE = 240.0        # of a machine that does other things [s]


@pytest.mark.whole
@pytest.mark.launch_test
def generate_test_description():
    """Run three simulated seconds with encoders and accelerometers on both cranks."""
    results = passing_folder('five_bar_')
    arguments = {'mechanism': 'five_bar', 'sensors': '[crank_encoders, crank_accelerometers]',
                 'duration': '3.0', 'record': 'false', 'results': str(results), 'seed': '4',
                 'composed': 'true'}
    return launched_file('three_simulation', arguments), {'results': results}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'accuracy_monitor', PATIENCE


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_both_cranks_are_followed(self, results):
        """Readings of all sensors are fused; nothing was lost."""
        report = report_in(results / 'latest')
        self.assertEqual(objections(report), [])
        self.assertEqual(report['seed'], 4)
        self.assertEqual(sorted(report['consistency']['sensors']), [
            'left_crank_accelerometers', 'left_crank_encoder',
            'right_crank_accelerometers', 'right_crank_encoder'])
        self.assertEqual(report['readings']['used'], 4 * 601)
        for error in report['observer']['position_rmse_after_2s']:
            self.assertLess(error, 0.02)
        self.assertFalse((results / 'latest' / 'bag').exists())
