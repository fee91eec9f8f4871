"""A crane whose boom bends and twists, a chain of rigid pieces in MuJoCo: followed by filters."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
import numpy as np
import pytest
import yaml

from mb_estimators import Experiment
from mb_model import STATE, Run, load_mechanism
from mb_simulation.prototypes import make_prototype

CRANE, DT, END = load_mechanism('flexible_crane'), 5e-3, 6.0
SENSORS = CRANE.sensor_groups['default']
SETTLED = round(2.0 / DT)


@pytest.fixture(scope='module')
def truth():
    """Return the Run of the chain, whose modes are fitted to its pieces."""
    prototype = make_prototype('mujoco', CRANE, DT, DT)
    t, states = DT * np.arange(round(END / DT) + 1), [prototype.state]
    while len(states) < len(t):
        prototype.advance()
        states.append(prototype.state)
    return Run(CRANE, t, *(np.array([getattr(one, name) for one in states]) for name in STATE),
               np.zeros((len(t), CRANE.g)))


def observed(truth, sensors, **tuning):
    """Return errors of z and zd, their claimed deviations, errors of the model; of a wrong model.

    Gravity and start are wrong as in the launch file; columns: z, zd.
    """
    trial = Experiment(CRANE, sensors, {'gravity': -1.0, 'z0': 0.02}, END, DT, truth)
    result = trial.run('error_ekf_fe', 31, **tuning)
    errors, alone = (np.hstack([getattr(run, name) - getattr(truth, name) for name in ('z', 'zd')])
                     for run in (result.observer, trial.model))
    deviations = np.sqrt(np.diagonal(result.covariance, axis1=1, axis2=2))[:, :2 * CRANE.g]
    return errors[SETTLED:], deviations[SETTLED:], alone[SETTLED:]


def rms(errors):
    return np.sqrt(np.mean(errors ** 2, axis=0))


@pytest.mark.filterwarnings('ignore:.*steps of 0.005 s are too long')
def test_deflections_and_twist_are_found_and_intervals_hold(truth):
    file = Path(get_package_share_directory('mb_bringup')) / 'config' / 'flexible_crane.yaml'
    tuning = yaml.safe_load(file.read_text())['estimator']['ros__parameters']['filter']
    errors, deviations, alone = observed(
        truth, SENSORS, acceleration_variance=tuning['acceleration_variance'])
    inside = (np.abs(errors) < 1.96 * deviations).mean(axis=0)
    assert (inside > 0.9).all(), inside
    slew, sway, sideways, sag, twist = (rms(errors) / rms(alone))[:CRANE.g]
    assert max(slew, sway, sag) < 0.1
    assert max(sideways, twist) < 0.4


@pytest.mark.filterwarnings('ignore:.*steps of 0.005 s are too long')
def test_gauges_across_the_axis_see_the_twist(truth):
    """Without them it is known from the model alone, whose load is too light."""
    with_all, without = (observed(truth, sensors, acceleration_variance=0.1)
                         for sensors in (SENSORS, SENSORS[:4]))
    assert rms(with_all[0])[CRANE.g - 1] < 0.5 * rms(without[0])[CRANE.g - 1]
