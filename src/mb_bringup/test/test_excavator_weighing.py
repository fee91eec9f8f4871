"""The excavator that weighs its bucket as users launch it: processes, weighings, report, bag."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest
import yaml

from mb_contact.nodes import weigh_bag
from mb_evaluation.reports.run_figures import digest
from mb_model import WorkCycle, load_mechanism
from mb_sensors import open_bag
from mb_simulation.as_built import as_built
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes import make_prototype

DURATION, RATE = 75.0, 100.0         # s, states per second
ANGLES = 'boom_angle', 'arm_angle', 'bucket_angle'
LEARNING = 45.0         # s: with an empty bucket weighed once, the second load is judged
CONFIG = {'weighing_monitor': {'ros__parameters': {
    'learning': LEARNING, 'angle_bound': 10.0, 'load_bound': 20.0, 'force_bound': 60.0,
    'coverage_goal': 0.0}}}


@pytest.mark.launch_test
@pytest.mark.whole
def generate_test_description():
    """Run the moves to the stops and two of the cycles."""
    results = passing_folder('excavator_weighing_')
    (results / 'early.yaml').write_text(yaml.safe_dump(CONFIG))
    arguments = {'results': str(results), 'duration': str(DURATION), 'seed': '1',
                 'config': f'excavator_afloat,{results / "early.yaml"}'}
    return launched_file('excavator_weighing', arguments), {'folder': results / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'weighing_monitor', 1500


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_report(self, folder):
        """Something was weighed, no reading was lost or rejected, and all is written."""
        report = report_in(folder)
        self.assertEqual(report['silent'], [])
        self.assertEqual(report['messages_lost'], 0)
        self.assertEqual(report['readings']['rejected'], 0)
        self.assertGreaterEqual(len(report['loads']['weighings']), 1)
        self.assertGreater(report['edge']['peak'], 1e4)
        for name in ('report.png', 'report.html', 'report.md', 'machine.yaml', 'model.yaml'):
            self.assertGreater((folder / name).stat().st_size, 1000)

    def test_the_bag_is_weighed_to_the_same_digits(self, folder):
        """By one command, with the parameters of the run: the load and the force at the edge."""
        output = folder.parent / 'again'
        self.assertEqual(weigh_bag.main([
            str(folder / 'bag'), '--tool', '--output', str(output)]), 0)
        for topic, kind in (('/tool_scales/payload', 'mb_interfaces/msg/PayloadEstimate'),
                            ('/tool_scales/edge', 'geometry_msgs/msg/WrenchStamped')):
            found = []
            for place in (folder / 'bag', output):
                with open_bag(place, 'PayloadEstimate') as bag:
                    found.append({stamp: repr(message)
                                  for stamp, message in bag.of(bag.named(topic, kind))})
            live, again = found
            self.assertGreater(len(live), 1000)
            self.assertEqual(live, again)

    def test_the_truth_is_that_of_the_cycle_on_any_machine(self, folder):
        """All true angles equal a simulation without nodes: no command came late."""
        machine = as_built(load_mechanism('excavator_afloat'), 0)
        cycle = WorkCycle.load(cycle_file('excavator_afloat'), machine)
        prototype = make_prototype('mujoco', machine, 1.0 / RATE, 1e-3)
        places, found, before = machine.indices(ANGLES), [], -1
        for k in range(round(DURATION * RATE) + 1):
            found.append([prototype.state.q[places], prototype.state.qd[places]])
            row = int(np.searchsorted(cycle.times, k / RATE + 1e-9, side='right')) - 1
            if row != before:
                before = row
                prototype.set_valves(cycle.valves[row])
                prototype.set_drive_torques(np.array([
                    cycle.drives[name][row] for name in machine.drives]))
                load = float(cycle.parameters['load'][row])
                if load != prototype.parameters['load']:
                    prototype.set_parameters({'load': load})
            prototype.advance()
        stamps = 1_000_000_000 + 10_000_000 * np.arange(len(found))
        report = report_in(folder)
        columns = [np.array(part) for part in zip(*found, strict=True)]
        self.assertEqual(report['truth_digest'], digest(stamps, columns))
