"""Masses, offsets and friction of an arm in space from its motion and the torques of its drives."""

import numpy as np
import pytest
from robot_drives import torques

from mb_contact.dynamics.fit import fit_dynamics
from mb_contact.dynamics.samples import DynamicsFitSettings, DynamicsSamples
from mb_contact.friction.of_coordinates import CoordinateFitSettings, fit_coordinates
from mb_model import Mechanism, load_mechanism
from mb_model.file_api import parameter_overrides
from mb_sensors.recorded_motion import RecordedMotion

ARM = load_mechanism('six_axis_arm')
TRUTH = {'bodies.upper_arm.points.elbow.x': 0.015, 'upper': 0.44, 'bodies.forearm.mass': 3.9}


def samples_of(arm, t):
    """Return exact DynamicsSamples of an arm at times (k) [s]."""
    rates = np.linspace(2.0, 7.0, ARM.g)
    phase = t[:, None] * rates + np.arange(ARM.g)
    states = (ARM.z0 + 0.3 * np.sin(phase), 0.3 * rates * np.cos(phase),
              -0.3 * rates ** 2 * np.sin(phase))
    return DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), *states),
                           torques(arm, *states))


@pytest.fixture(scope='module')
def exact():
    """Samples of the arm of the changed file, whose bodies share points as ever."""
    return samples_of(ARM.replace(**parameter_overrides(ARM, TRUTH)), np.arange(0.0, 2.0, 0.02))


def test_exact_motion_gives_exact_offsets_and_masses(exact):
    arm = ARM.replace(bodies={body: {'variable_places': True} for body in ARM.bodies})
    fit = fit_dynamics(arm, list(TRUTH), [exact],
                       settings=DynamicsFitSettings(settling_time=0.0))
    assert fit.parameters == pytest.approx(TRUTH, rel=1e-6)
    assert fit.doubts == ()
    assert np.abs(fit.residual).max() < 1e-5 * np.abs(exact.torques).max()


def test_exact_motion_gives_exact_friction():
    """Torques by another formulation than the fit's; lift and elbow rub."""
    truth = {'lift_friction': {'coulomb': 4.0, 'viscous': 1.5},
             'elbow_friction': {'coulomb': 2.0, 'viscous': 0.7}}
    arm = Mechanism({**ARM.raw, 'forces': {
        name: {'kind': 'friction', 'coordinate': coordinate, 'transition_velocity': 0.1, **values}
        for coordinate, (name, values) in zip(('q2', 'q3'), truth.items(), strict=True)}},
        'arm.yaml')
    recorded = samples_of(arm, np.arange(0.0, 3.0, 0.005))
    fits = fit_coordinates(
        arm.replace(forces={name: {'coulomb': 1.0, 'viscous': 0.1} for name in truth}),
        tuple(truth), [recorded], arm.drives,
        CoordinateFitSettings(settling_time=0.0, averaging_time=0.005), keep=False)
    for name, values in truth.items():
        found = {key: fits[name].parameters[key] for key in values}
        assert found == pytest.approx(values, rel=0.02), name
