"""The launch file with machines in space, and little but their names."""

from pathlib import Path
import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import pytest

from mb_evaluation.report_kinds.accuracy_report import objections

PATIENCE = 300.0        # of a machine that does other things [s]
CASES = [*((name, 'error_ekf') for name in (
    'six_axis_arm', 'quadruped_leg', 'quarter_car', 'stewart', 'delta', 'excavator')),
    ('flexible_crane', 'error_ekf_fe'),
    # links without mass, a thin rod, dampers
    (str(Path(__file__).parents[2] / 'mb_import/test/descriptions/crossed_rod.urdf'), 'error_ekf')]


@pytest.mark.launch_test
@pytest.mark.whole
@pytest.mark.timeout(900)
@launch_testing.parametrize('mechanism, estimator', CASES)
def generate_test_description(mechanism, estimator):
    """Run three simulated seconds."""
    results = passing_folder('in_space_')
    arguments = {'mechanism': mechanism, 'estimator': estimator, 'duration': '3.0',
                 'record': 'false', 'results': str(results)}
    return launched_file('three_simulation', arguments), {'results': results}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'accuracy_monitor', PATIENCE


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_the_machine_is_followed(self, results):
        """The observer beats the model in every degree of freedom; nothing was lost."""
        report = report_in(results / 'latest')
        self.assertEqual(objections(report), [])
