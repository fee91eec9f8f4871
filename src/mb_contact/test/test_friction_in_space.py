"""Friction of an arm in space from its motion and the torques of its drives."""

import numpy as np
import pytest

from mb_contact.friction.of_coordinates import CoordinateFitSettings, fit_coordinates
from mb_estimators import DynamicsSamples
from mb_model import Mechanism, load_mechanism
from mb_sensors import RecordedMotion

ARM = load_mechanism('six_axis_arm')
TRUTH = {'lift_friction': {'coulomb': 4.0, 'viscous': 1.5},
         'elbow_friction': {'coulomb': 2.0, 'viscous': 0.7}}


def recorded(arm, t):
    """Return exact DynamicsSamples of an arm, by another formulation than the fit's."""
    rates = np.linspace(2.0, 7.0, ARM.g)
    phase = t[:, None] * rates + np.arange(ARM.g)
    states = (ARM.z0 + 0.3 * np.sin(phase), 0.3 * rates * np.cos(phase),
              -0.3 * rates ** 2 * np.sin(phase))
    needed = [arm.inverse_dynamics(*row, formulation='index3_al')
              for row in zip(*states, strict=True)]
    return DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), *states),
                           np.array(needed))


def test_exact_motion_gives_exact_friction():
    arm = Mechanism({**ARM.raw, 'forces': {
        name: {'kind': 'friction', 'coordinate': coordinate, 'transition_velocity': 0.1, **values}
        for coordinate, (name, values) in zip(('q2', 'q3'), TRUTH.items(), strict=True)}},
        'arm.yaml')
    fits = fit_coordinates(
        arm.replace(forces={name: {'coulomb': 1.0, 'viscous': 0.1} for name in TRUTH}),
        tuple(TRUTH), [recorded(arm, np.arange(0.0, 3.0, 0.005))], arm.drives,
        CoordinateFitSettings(settling_time=0.0, averaging_time=0.005), keep=False)
    for name, values in TRUTH.items():
        found = {key: fits[name].parameters[key] for key in values}
        assert found == pytest.approx(values, rel=0.02), name
