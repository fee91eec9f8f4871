"""The launch file that users run, as processes: figures, bag, and clean ends.

test_three_simulation_variants.py has further runs, which are slow together.
"""

import os
from pathlib import Path
import re
import signal
import time
import unittest

from bag_reports import message_counts, report_in, report_of_bag
import launch_testing
from launched_file import EndsCleanly, launched_file, passing_folder
import pytest
from rclpy.serialization import deserialize_message, serialize_message
import rosbag2_py

from mb_estimators.nodes import estimate_bag
from mb_evaluation.report_kinds.accuracy_report import objections
from mb_interfaces.msg import EstimatorStatus
from mb_model.bags.messages import message_types, tidied
from mb_ros.process_tree import descendants, node_names

PATIENCE = 240.0        # of a machine that does other things [s]
README = Path(__file__).parents[3] / 'README.md'
STANDSTILL = 1.0        # wall time [s]
DURATION, RATE = 10.0, 200.0
STATES = int(DURATION * RATE) + 1
TOPICS = {'/estimator/state': 'mb_interfaces/msg/MechanismState',
          '/estimator/joint_states': 'sensor_msgs/msg/JointState',
          '/estimator/status': 'mb_interfaces/msg/EstimatorStatus'}
TYPES = message_types('EstimatorStatus', 'SensorConsistency', 'ParameterEstimate')


@pytest.mark.core
@pytest.mark.launch_test
@launch_testing.parametrize('prototype, estimator, standstills', [('mujoco', 'error_ekf', ())])
def generate_test_description(prototype, estimator, standstills):
    """Run ten simulated seconds, recorded."""
    return recorded_run(prototype, estimator)


def recorded_run(prototype, estimator):
    """Return the description of such a run, and what its tests take."""
    results = passing_folder('three_simulation_')
    arguments = {'prototype': prototype, 'estimator': estimator, 'results': str(results),
                 'duration': str(DURATION), 'real_time_factor': '2.0', 'record': 'true',
                 'composed': 'false'}
    return launched_file('three_simulation', arguments), {'results': results}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_it_ends_by_itself(self, proc_info, proc_output, standstills):
        """The monitor ends the run, well before the time limit."""
        if standstills:
            proc_output.assertWaitFor('x real time', timeout=PATIENCE, stream='stdout')
            processes = {node_names(one): one for one in descendants(os.getpid())}
        for names in standstills:
            for name in names:
                os.kill(processes[name], signal.SIGSTOP)
            time.sleep(STANDSTILL)
            for name in names:
                os.kill(processes[name], signal.SIGCONT)
        proc_info.assertWaitForShutdown(process='accuracy_monitor', timeout=PATIENCE)


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_figures(self, results, prototype):
        """The observer is as good as the papers' and nothing was lost."""
        report = report_in(results / 'latest')
        self.assertEqual(objections(report), [])
        self.assertEqual(report['messages_lost'], 0)
        self.assertGreater(report['model']['position_rmse_after_2s'][0], 0.3)
        self.assertLess(report['observer']['position_rmse_after_2s'][0], 0.0070)
        if prototype == 'multibody':
            self.assertLess(report['observer']['position_rmse_after_2s'][0], 0.0062)
            self.assertGreater(report['observer']['position_rmse_after_2s'][0], 0.0045)
        self.assertEqual(report['prototype'], prototype)
        self.assertGreater((results / 'latest' / 'report.png').stat().st_size, 20000)
        page = (results / 'latest' / 'report.html').read_text('utf-8')
        self.assertIn('PASSED', page)

    def test_the_bag_gives_the_same_report_again(self, results):
        """All figures that do not depend on the times at which messages came."""
        run, again = results / 'latest', results / 'reported'
        live, anew = report_in(run), report_of_bag(
            run, again)
        for key in ('kind', 'mechanism', 'estimator', 'sensors', 'seed', 'duration', 'simulated',
                    'model', 'observer', 'consistency', 'readings', 'lost', 'model_errors'):
            self.assertEqual(live[key], anew[key], key)
        self.assertIn('PASSED', (again / 'report.html').read_text('utf-8'))

    def test_the_readme_has_these_figures(self, results, prototype, estimator):
        """Of the demonstration, to their digits."""
        if (prototype, estimator) != ('mujoco', 'error_ekf'):
            return
        report = report_in(results / 'latest')
        rows = iter(re.findall(r'^    │ +(?:theta|after)[^│]*│ +(\S+) │ +(\S+) │',
                               README.read_text('utf-8'), re.MULTILINE))
        for quantity in ('position', 'velocity', 'acceleration'):
            for key in (f'{quantity}_rmse', f'{quantity}_rmse_after_2s'):
                shown = next(rows)
                found = [report[name][key][0] for name in ('model', 'observer')]
                self.assertEqual([f'{value:.4g}' for value in found], list(shown), key)
        self.assertEqual(list(rows), [])

    def test_bag_holds_everything(self, results):
        """Not one message is missing from the bag."""
        bag = results / 'latest' / 'bag'
        counts = message_counts(bag)
        self.assertEqual(counts['/prototype/state'], STATES)
        self.assertEqual(counts['/model_simulation/state'], STATES)
        self.assertGreaterEqual(counts['/estimator/state'], STATES - 1)
        self.assertGreaterEqual(counts['/estimator/status'], STATES - 1)
        self.assertGreaterEqual(counts['/crank_encoder'], STATES - 1)
        self.assertGreater(counts['/clock'], STATES / 2)

    def test_recorded_readings_give_the_same_estimates_again(self, results):
        """Bit by bit: an estimate is a function of the stamped readings alone."""
        run, again = results / 'latest', results / 'again'
        self.assertEqual(estimate_bag.main([str(run / 'bag'), '--output', str(again)]), 0)
        live, offline = (read_bag(bag, TOPICS) for bag in (run / 'bag', again))
        for topic in ('/estimator/state', '/estimator/joint_states'):
            self.assertEqual(live[topic], offline[topic])
        for one, other in zip(*(bag['/estimator/status'] for bag in (live, offline)), strict=True):
            message, again = (deserialize_message(data, EstimatorStatus) for data in (one, other))
            again.step_time = message.step_time     # nothing else depends on the machine
            self.assertEqual(*(tidied(TYPES, serialize_message(either), TOPICS['/estimator/status'])
                               for either in (message, again)))      # NaN, too


def read_bag(path, topics):
    """Return the serialised messages of topics (name: type) of a bag, by topic."""
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(path), storage_id='mcap'),
                rosbag2_py.ConverterOptions('', ''))
    reader.set_filter(rosbag2_py.StorageFilter(topics=list(topics)))
    messages = {topic: [] for topic in topics}
    while reader.has_next():
        topic, data, _ = reader.read_next()
        messages[topic].append(tidied(TYPES, data, topics[topic]))
    return messages
