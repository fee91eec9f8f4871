"""The excavator that weighs its bucket as users launch it: processes, weighings, report, bag."""

import json
import unittest

import launch_testing
import launch_testing.asserts
from launched_file import launched_file, passing_folder
import pytest
import yaml

from mb_ros.own_domain import own_domain

DOMAIN = str(own_domain())
LEARNING = 45.0         # s: with an empty bucket weighed once, the second load is judged
CONFIG = {'weighing_monitor': {'ros__parameters': {
    'learning': LEARNING, 'angle_bound': 10.0, 'load_bound': 20.0, 'force_bound': 60.0,
    'coverage_goal': 0.0}}}


@pytest.mark.launch_test
@pytest.mark.slow
def generate_test_description():
    """Run the moves to the stops and two of the cycles."""
    results = passing_folder('excavator_weighing_')
    (results / 'early.yaml').write_text(yaml.safe_dump(CONFIG))
    arguments = {'results': str(results), 'duration': '75.0', 'seed': '1',
                 'config': f'excavator_afloat,{results / "early.yaml"}'}
    return launched_file('excavator_weighing', DOMAIN, arguments), {'folder': results / 'latest'}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run."""
        proc_info.assertWaitForShutdown(process='weighing_monitor', timeout=1500)


@launch_testing.post_shutdown_test()
class TestOutcome(unittest.TestCase):
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)

    def test_report(self, folder):
        """Something was weighed, no reading was lost or rejected, and all is written."""
        report = json.loads((folder / 'report.json').read_text())
        self.assertEqual(report['silent'], [])
        self.assertEqual(report['messages_lost'], 0)
        self.assertEqual(report['readings']['rejected'], 0)
        self.assertGreaterEqual(len(report['loads']['weighings']), 1)
        self.assertGreater(report['edge']['peak'], 1e4)
        for name in ('report.png', 'report.html', 'report.md', 'machine.yaml', 'model.yaml'):
            self.assertGreater((folder / name).stat().st_size, 1000)
