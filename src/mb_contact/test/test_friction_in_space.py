"""Friction of an arm in space from its motion and the torques of its drives."""

import numpy as np
import pytest
from robot_drives import ARM, arm_samples

from mb_contact.friction.of_coordinates import CoordinateFitSettings, fit_coordinates
from mb_model import Mechanism

TRUTH = {'lift_friction': {'coulomb': 4.0, 'viscous': 1.5},
         'elbow_friction': {'coulomb': 2.0, 'viscous': 0.7}}


def test_exact_motion_gives_exact_friction():
    """Torques by another formulation than the fit's; lift and elbow rub."""
    arm = Mechanism({**ARM.raw, 'forces': {
        name: {'kind': 'friction', 'coordinate': coordinate, 'transition_velocity': 0.1, **values}
        for coordinate, (name, values) in zip(('q2', 'q3'), TRUTH.items(), strict=True)}},
        'arm.yaml')
    recorded = arm_samples(arm, np.arange(0.0, 3.0, 0.005))
    fits = fit_coordinates(
        arm.replace(forces={name: {'coulomb': 1.0, 'viscous': 0.1} for name in TRUTH}),
        tuple(TRUTH), [recorded], arm.drives,
        CoordinateFitSettings(settling_time=0.0, averaging_time=0.005), keep=False)
    for name, values in TRUTH.items():
        found = {key: fits[name].parameters[key] for key in values}
        assert found == pytest.approx(values, rel=0.02), name
