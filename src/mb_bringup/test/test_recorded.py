"""A recording of a real machine played by the launch file that users run, judged by the truth."""

import json
import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest

from mb_estimators.nodes import estimate_bag
from mb_evaluation.verdict import objections
from mb_sensors import open_bag

RECORDINGS = {          # name -> (how fast it is played, readings in its excerpt)
    'double_pendulum': ('1.0', 2 * 4887), 'racing_car': ('4.0', 4 * 4000)}


@pytest.mark.whole
@pytest.mark.launch_test
@launch_testing.parametrize('recording', list(RECORDINGS))
def generate_test_description(recording):
    """Play a recording."""
    folder = passing_folder('recorded_')
    arguments = {'results': str(folder), 'recording': recording, 'rate': RECORDINGS[recording][0]}
    return launched_file('recorded', arguments), {'folder': folder / 'latest'}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'recorded_monitor', 180


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_live_estimates_are_those_of_the_log(self, folder, recording):
        """Bit by bit, also the forces; the figures follow from them and from what is recorded."""
        bag = folder / 'recording/bag'
        self.assertEqual(estimate_bag.main([str(bag), '--output', str(folder / 'again')]), 0)
        states = {}
        for name in ('bag', 'again'):
            with open_bag(folder / name) as opened:
                states[name] = dict(opened.of('/estimator/state'))
        self.assertEqual(*({stamp: (state.z.tobytes(), state.generalized_force.tobytes())
                            for stamp, state in one.items()} for one in states.values()))
        report = report_in(folder)
        self.assertEqual(report['readings'],
                         {'used': RECORDINGS[recording][1], 'rejected': 0, 'late': 0})
        truth, found, constant = (_forces if recording == 'double_pendulum' else _sideslip)(
            bag, states['bag'])
        for k, one in enumerate(report['judged']):
            errors = np.array([found[stamp][k] - truth[stamp][k] for stamp in truth])
            values = np.array([truth[stamp][k] for stamp in truth])
            np.testing.assert_allclose(one['rmse'], np.sqrt(np.mean(errors ** 2)))
            np.testing.assert_allclose(one['constant_rmse'], np.sqrt(
                np.mean((values - constant(values)) ** 2)))
            self.assertGreater(one['held'], 0.9)

    def test_the_verdict_needs_errors_below_those_of_a_constant(self, folder):
        """As the shipped estimator has them; a worse one fails."""
        self.assertEqual(objections(folder), [])
        path = folder / 'report.json'
        report = json.loads(path.read_text())
        path.write_text(json.dumps(report | {'judged': [
            one | {'rmse': one['constant_rmse']} for one in report['judged']]}))
        self.assertEqual(len(objections(folder)), len(report['judged']))

    def test_page_and_picture(self, folder):
        """The page says what the estimator was given."""
        self.assertIn('The estimator is given', (folder / 'report.md').read_text())
        self.assertTrue((folder / 'report.png').read_bytes().startswith(b'\x89PNG'))


def _forces(bag, states):
    """Return true and estimated forces by stamp, and the answer to be bettered."""
    with open_bag(bag) as opened:
        truth = {stamp: message.effort
                 for stamp, message in opened.of('/prototype/external_forces')}
    return truth, {stamp: state.generalized_force for stamp, state in states.items()}, np.zeros_like


def _sideslip(bag, states):
    """Return the same of the angle between heading and velocity."""
    with open_bag(bag) as opened:
        truth = {stamp: message.position for stamp, message in opened.of('/sideslip')}
    return truth, {stamp: [np.arctan2(np.sin(angle), np.cos(angle))] for stamp, angle in (
        (stamp, np.arctan2(state.zd[1], state.zd[0]) - state.z[2])
        for stamp, state in states.items())}, np.mean
