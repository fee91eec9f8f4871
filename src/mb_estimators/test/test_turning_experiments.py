"""Experiments and recordings with bodies that turn freely, more than half a turn."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import TORQUE_FREE

from mb_estimators import make_filter
from mb_estimators.experiment import Experiment
from mb_estimators.recording.recording import judged
from mb_estimators.smoothing import smooth
from mb_model import Mechanism

DATA = deepcopy(TORQUE_FREE) | {'sensors': {
    'compass': {'kind': 'orientation', 'body': 'box', 'sigma': 5e-3, 'rate': 100.0},
    'place': {'kind': 'position', 'point': {'body': 'box', 'at': [0.1, 0.0, 0.0]}, 'sigma': 5e-3,
              'rate': 100.0}}}
FREE = Mechanism(DATA, 'free.yaml')
SENSORS = ['compass', 'place']


@pytest.fixture(scope='module')
def experiment():
    return Experiment(FREE, SENSORS, {'z0': 0.02}, 3.0, 2e-3)


@pytest.fixture(scope='module')
def result(experiment):
    return experiment.run('error_ekf_ej', 3, acceleration_psd=1e-3, initial_variance=4e-4)


def test_the_body_turns_more_than_half_a_turn(experiment):
    run = experiment.truth
    turns = Rotation.from_matrix([FREE.body_motion('box', q).rotation for q in run.q])
    assert (turns[0].inv() * turns).magnitude().max() > 0.9 * np.pi


def test_the_observer_is_judged_by_rotation_vectors(experiment, result):
    """Against rotations of scipy, at the filter's own estimates."""
    turns = [Rotation.from_matrix(motion.turns.rotations[:, 0])
             for motion in (result.truth, result.observer)]
    off = (turns[0].inv() * turns[1]).as_rotvec()
    assert result.position_rmse[3:] == pytest.approx(np.sqrt(np.mean(off ** 2, axis=0)))
    assert max(result.position_rmse_after_2s) < 5e-3
    assert np.abs(result.observer.z - result.truth.z)[:, 3:].max() > 0.1     # plain differences


def test_claimed_covariances_fit_the_errors(result):
    """NEES per state; a difference of z of orientations would make it thousands."""
    late = result.nees[result.t >= 2.0]
    assert 0.3 < late.mean() / result.covariance.shape[1] < 2.0


def test_a_smoother_is_judged_in_the_same_way(experiment):
    filter_ = make_filter('error_ekf_ej', experiment.mechanism, experiment.sensors, 2e-3,
                          acceleration_psd=1e-3, initial_variance=4e-4)
    smoothed = smooth(filter_, experiment.recording(3), 2e-3)
    assert max(smoothed.filtered.position_rmse[3:]) < 1e-2
    assert max(smoothed.motion.position_rmse[3:]) < max(smoothed.filtered.position_rmse[3:])


def test_a_truth_without_orientations_is_refused(experiment, result):
    with pytest.raises(ValueError, match='does not say how bodies are turned'):
        judged(result.t, result.observer, replace(result.truth, turns=None))
