"""The tunings that come with mb_bringup do what they are there for."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from mb_estimators import Experiment
from mb_estimators.consistency.normalized import ensemble_nees

CONFIG = Path(__file__).parents[1] / 'config'
SEEDS = range(100, 106)


@pytest.mark.parametrize('sensor', ['crank_encoder', 'crank_gyro', 'coupler_gyro'])
def test_consistent_tuning_is_consistent(sensor):
    file = yaml.safe_load((CONFIG / f'four_bar_{sensor}_consistent.yaml').read_text())
    settings = file['estimator']['ros__parameters']['filter']
    experiment = Experiment('four_bar', [sensor], {'gravity': -1.0, 'z0': np.pi / 16}, 10.0, 0.005)
    nees = [experiment.run('error_ekf_fe', seed, **settings).nees for seed in SEEDS]
    assert ensemble_nees(nees, states=3).is_consistent
