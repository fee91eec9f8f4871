"""Masses, offsets and whole bodies of an arm in space from its motion and its drives' torques."""

import numpy as np
import pytest
from robot_drives import ARM, arm_samples

from mb_estimators import FitRecording, FitSettings, fit
from mb_model.file_api import parameter_overrides

TRUTH = {'bodies.upper_arm.points.elbow.x': 0.015, 'upper': 0.44, 'bodies.forearm.mass': 3.9}
SETTINGS = FitSettings(held_out=0.0)


def test_exact_motion_gives_exact_offsets_and_masses():
    """Bodies of the changed file share points as ever."""
    exact = arm_samples(ARM.replace(**parameter_overrides(ARM, TRUTH)), np.arange(0.0, 2.0, 0.02))
    arm = ARM.replace(bodies={body: {'variable_places': True} for body in ARM.bodies})
    found = fit(arm, list(TRUTH), [FitRecording(exact)], settings=SETTINGS)
    assert found.values == pytest.approx(TRUTH, rel=1e-5)
    assert all(number.is_known for number in found.numbers)
    assert found.quality.residual.max() < 1e-5 * np.abs(exact.torques).max()


def test_a_whole_arm_moves_as_the_true_one_does():
    """The file shares out what the motion does not separate; torques of another motion agree."""
    true = ARM.replace(**parameter_overrides(ARM, {'bodies.forearm.mass': 3.9}))
    recorded = arm_samples(true, np.arange(0.0, 4.0, 0.02))
    found = fit(ARM, ['masses', 'inertias'], [FitRecording(recorded)], settings=SETTINGS)
    z, zd, zdd = ARM.z0 + 0.2, np.linspace(1.0, -1.0, ARM.g), np.linspace(-2.0, 3.0, ARM.g)
    np.testing.assert_allclose(found.mechanism.inverse_dynamics(z, zd, zdd),
                               true.inverse_dynamics(z, zd, zdd), rtol=1e-3, atol=1e-2)
    assert len(found.sums) < len(found.numbers)
