"""A linkage as users launch it, whose joint that closes the loop gives way."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsCleanly, launched_file, passing_folder
import pytest

from mb_evaluation.report_kinds.accuracy_report import objections


@pytest.mark.whole
@pytest.mark.launch_test
@launch_testing.parametrize('stiffness', ['0.0', '1e5'])
def generate_test_description(stiffness):
    """Run for a second."""
    results = passing_folder('elastic_joints_')
    return launched_file('three_simulation', {
        'results': str(results), 'duration': '1.0', 'joint_stiffness': stiffness,
        'joint_damping': '1000.0', 'estimator': 'error_ekf_fe'}), {'folder': results / 'latest'}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_the_prototype_says_how_far_it_gives_way(self, proc_info, proc_output, stiffness):
        """By some 40 N m / 2 m / 1e5 N/m and more in the swing; rigid joints stay closed."""
        proc_info.assertWaitForShutdown(process='accuracy_monitor', timeout=240)
        said = ''.join(output.text.decode() for output in proc_output)
        gap = float(said.partition('largest loop residual ')[2].partition(' m')[0])
        if stiffness == '0.0':
            self.assertLess(gap, 1e-5)
        else:
            self.assertGreater(gap, 1e-4)
            self.assertLess(gap, 5e-3)


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_the_estimate_is_right_all_the_same(self, folder):
        """The crank does not care for a millimetre at the other end."""
        self.assertEqual(objections(report_in(folder)), [])
