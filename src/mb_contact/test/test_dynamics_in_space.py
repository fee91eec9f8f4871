"""Masses and places of an arm in space from its motion and the torques of its drives."""

import numpy as np
import pytest
from robot_drives import torques

from mb_contact.dynamics import DynamicsFitSettings, DynamicsSamples, fit_dynamics
from mb_model import load_mechanism
from mb_model.file_api import parameter_overrides
from mb_sensors.recording.motion import RecordedMotion

ARM = load_mechanism('six_axis_arm')
TRUTH = {'bodies.upper_arm.points.elbow.x': 0.015, 'upper': 0.44, 'bodies.forearm.mass': 3.9}


@pytest.fixture(scope='module')
def exact():
    """Samples of the arm of the changed file, whose bodies share points as ever."""
    t = np.arange(0.0, 2.0, 0.02)
    phase = t[:, None] * np.linspace(2.0, 7.0, ARM.g) + np.arange(ARM.g)
    rates = np.linspace(2.0, 7.0, ARM.g)
    states = (ARM.z0 + 0.3 * np.sin(phase), 0.3 * rates * np.cos(phase),
              -0.3 * rates ** 2 * np.sin(phase))
    arm = ARM.replace(**parameter_overrides(ARM, TRUTH))
    return DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), *states),
                           torques(arm, *states))


def test_exact_motion_gives_exact_places_and_masses(exact):
    arm = ARM.replace(bodies={body: {'variable_places': True} for body in ARM.bodies})
    fit = fit_dynamics(arm, list(TRUTH), [exact],
                       settings=DynamicsFitSettings(settling_time=0.0))
    assert fit.parameters == pytest.approx(TRUTH, rel=1e-6)
    assert fit.doubts == ()
    assert np.abs(fit.residual).max() < 1e-5 * np.abs(exact.torques).max()
