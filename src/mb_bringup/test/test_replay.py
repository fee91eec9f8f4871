"""A bag replayed by the launch file that users run: figures, the new bag, and clean ends."""

from functools import partial
import json
import unittest

import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest
from recorded_four_bar import SEED, experiment, write_bag
import rosbag2_py

from mb_estimators.nodes import estimate_bag
from mb_evaluation.nodes import report
from mb_model.file_api import write_recorded
from mb_sensors.bag import open_bag

EXPERIMENT = experiment(3.0)
PARAMETERS = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder'],
              'model_errors.gravity': -1.0, 'model_errors.z0': np.pi / 16}


@pytest.mark.launch_test
def generate_test_description():
    """Replay a compressed bag of a robot in a namespace, by another filter than was recorded."""
    folder = passing_folder('replay_')
    new_writer = partial(rosbag2_py.SequentialCompressionWriter, rosbag2_py.CompressionOptions(
        'zstd', rosbag2_py.CompressionMode.FILE))
    write_bag(EXPERIMENT, folder / 'bag', '/arm/crank_encoder',
              ['/prototype/state', '/estimator/state'], new_writer)
    write_recorded({'estimator': PARAMETERS}, folder)
    arguments = {'bag': str(folder / 'bag'), 'estimator': 'dekf', 'rate': '2.0',
                 'results': str(folder / 'results')}
    return launched_file('replay', arguments), {'folder': folder}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'replay_monitor', 180


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_figures(self, folder):
        """They equal the library's, and no reading was lost."""
        compared = json.loads((folder / 'results/latest/comparison.json').read_text())
        figures, result = compared['estimators']['dekf'], EXPERIMENT.run('dekf', SEED)
        self.assertTrue(compared['has_truth'])
        for key in ('position_rmse', 'velocity_rmse', 'acceleration_rmse'):
            np.testing.assert_allclose(figures[key], getattr(result, key), rtol=1e-9)
        self.assertEqual(figures['readings']['used'], len(EXPERIMENT.stamps))
        self.assertEqual(figures['readings']['rejected'], 0)

    def test_a_report_of_the_new_bag(self, folder):
        """It begins with the truth, as a replay does not say when its bag began."""
        self.assertEqual(report.main([str(folder / 'results/latest'), '--output',
                                      str(folder / 'report')]), 0)
        made = json.loads((folder / 'report/report.json').read_text())
        self.assertEqual(made['estimator'], 'dekf')

    def test_the_new_bag_has_old_and_new_estimates(self, folder):
        """The new ones equal what estimate_bag gives, from old and from new readings."""
        new = folder / 'results/latest/bag'
        for name, bag, options in (('old', folder / 'bag', ['--estimator', 'dekf']),
                                   ('new', new, [])):
            self.assertEqual(estimate_bag.main([
                str(bag), '--output', str(folder / name), *options]), 0)
        found = {}
        for name, bag in (('live', new), ('old', folder / 'old'), ('new', folder / 'new')):
            with open_bag(bag) as opened:
                found[name] = {stamp: state.covariance.tobytes() + state.zdd.tobytes()
                               for stamp, state in opened.of('/estimator/state')}
                if name == 'live':
                    self.assertEqual(len(list(opened.of('/recorded/estimator/state'))),
                                     len(EXPERIMENT.stamps))
        self.assertEqual(len(found['live']), len(EXPERIMENT.stamps))
        self.assertEqual(found['live'], found['old'])
        self.assertEqual(found['live'], found['new'])
