"""Ordinary machines as a first user brings them: the recommended filter passes without tuning."""

import numpy as np
import pytest

from benchmarks.first_machines import verdict
from benchmarks.ordinary_machines import KINDS, machine
from mb_evaluation.report_kinds.accuracy_report import commands

LIGHT_ARM = 1006        # seed of a loader of 44 g, lost with the noise of the four-bar linkage


def test_machines_are_of_all_kinds_and_the_same_for_the_same_seed():
    raw, sensors = machine(1)
    again, _ = machine.__wrapped__(1)
    assert raw['name'] == 'desk_lamp_1' == again['name']
    assert raw['forces'] == again['forces']
    assert set(sensors) == set(raw['sensors'])
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS) == 10


@pytest.mark.parametrize(('settings', 'passes'), [
    ({}, True), ({'acceleration_variance': 2.291e-3}, False)])
def test_a_light_arm_passes_by_default_and_is_lost_with_the_noise_of_the_papers(settings, passes):
    found = verdict(LIGHT_ARM, 'error_ekf_fe', **settings)
    assert (not found.objections) == passes, found.objections
    mean = found.figures['consistency']['nees']['mean_per_state']
    assert (0.2 < mean < 2.0) == passes
    assert np.isfinite(mean)


def test_a_failed_verdict_says_how_to_tune_and_how_to_launch_with_the_result():
    figures = verdict(LIGHT_ARM, 'error_ekf_fe', acceleration_variance=2.291e-3).figures
    launched = {'bag': '/tmp/my runs/bag', 'arguments': {
        'mechanism': 'my machine.yaml', 'estimator': 'error_ekf_fe',
        'sensors': ['one', 'other'], 'duration': 10.0, 'gravity_error': -1.0, 'start_error': 0.02}}
    tune, launch = commands(figures | {'launched': launched})
    assert tune.startswith('ros2 run mb_estimators tune ')
    assert tune.endswith("my runs/bag' --vary acceleration_variance --output tuned.yaml")
    assert launch == (
        "ros2 launch mb_bringup three_simulation.launch.py 'mechanism:=my machine.yaml' "
        "estimator:=error_ekf_fe 'sensors:=one, other' duration:=10 gravity_error:=-1 "
        'start_error:=0.02 config:=tuned.yaml')
    launched['bag'] = ''
    simulated, _ = commands(figures | {'launched': launched})
    assert simulated == (
        "ros2 run mb_estimators tune --mechanism 'my machine.yaml' --estimator error_ekf_fe "
        '--sensors one other --model-error gravity=-1 z0=0.02 --duration 10 --vary '
        'acceleration_variance --output tuned.yaml')
