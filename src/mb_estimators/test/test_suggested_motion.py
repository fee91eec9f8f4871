"""A motion that shows what recordings leave open."""

import csv

import numpy as np
import pytest
from robot_drives import ARM, ROBOT, arm_samples, noisy, samples

from mb_estimators import (
    DynamicsSamples,
    FitError,
    FitRecording,
    FitSettings,
    MotionSettings,
    fit,
    suggest_motion,
)
from mb_estimators.fitting.outcome import motion_text
from mb_model import Mechanism
from mb_sensors import RecordedMotion

SETTINGS = FitSettings(held_out=0.0)
WITHIN = MotionSettings(reach=0.04, tries=10, duration=6.0, highest_rate=3.0)
NAMES = ['masses', 'inertias', 'friction']


@pytest.fixture(scope='module')
def slow():
    """A fit to a motion that is too slow for masses."""
    return fit(ROBOT, NAMES, [FitRecording(noisy(samples(ROBOT, pace=0.1), 0, 0.05,
                                                 (1e-6, 1e-4, 1e-3)))], settings=SETTINGS)


def test_it_shows_what_a_fit_to_it_finds(slow):
    """A recording of the motion, beside the first, has the deviations that are expected."""
    suggestion = suggest_motion(slow, settings=SETTINGS, within=WITHIN)
    now = {number.path: number.deviation for number in slow.numbers}
    then = {number.path: number.deviation for number in suggestion.numbers}
    assert then['platform_mass'] < 0.3 * now['platform_mass']
    assert all(then[path] <= now[path] * (1.0 + 1e-9) for path in now)
    motion = RecordedMotion(np.round(1e9 * suggestion.t).astype(int), suggestion.z,
                            suggestion.zd, suggestion.zdd)
    random = np.random.default_rng(3)
    size = slow.quality.residual
    recorded = DynamicsSamples(motion, suggestion.force + size * random.standard_normal(
        suggestion.force.shape))
    found = fit(slow.mechanism, NAMES, [FitRecording(recorded)], settings=SETTINGS)
    for number in found.numbers:
        assert number.deviation < 3.0 * then[number.path] + 1e-12


def test_it_begins_and_ends_at_rest_within_its_limits(slow):
    one = suggest_motion(slow, settings=SETTINGS, within=WITHIN)
    np.testing.assert_allclose(one.z[[0, -1]], [ROBOT.z0] * 2, atol=1e-4)
    np.testing.assert_allclose(one.zd[0], 0.0, atol=1e-12)
    assert np.abs(one.z - ROBOT.z0).max() <= WITHIN.reach + 1e-12
    for k, (lower, upper) in enumerate(((one.z, one.zd), (one.zd, one.zdd))):
        by_differences = np.gradient(lower, one.t, axis=0)[2:-2]
        size = np.abs(upper).max()
        np.testing.assert_allclose(by_differences, upper[2:-2], atol=2e-2 * size, err_msg=str(k))


def test_forces_stay_within_their_limit(slow):
    free = suggest_motion(slow, settings=SETTINGS, within=WITHIN)
    limit = 0.5 * np.abs(free.force).max()
    held = suggest_motion(slow, settings=SETTINGS, within=MotionSettings(
        reach=0.04, tries=10, duration=6.0, highest_rate=3.0, largest_force=float(limit)))
    assert np.abs(held.force).max() <= limit
    with pytest.raises(FitError, match='no motion within these limits'):
        suggest_motion(slow, settings=SETTINGS, within=MotionSettings(
            reach=0.04, tries=2, duration=6.0, largest_force=1e-3))


def test_limits_of_the_file_are_its_reach():
    coordinates = {name: {**entry, 'limits': {'lower': float(start) - 0.1,
                                              'upper': float(start) + 0.3}}
                   for (name, entry), start in zip(ARM.raw['coordinates'].items(), ARM.z0,
                                                   strict=True)}
    arm = Mechanism({**ARM.raw, 'coordinates': coordinates}, 'arm.yaml')
    found = fit(arm, ['bodies.forearm.mass'], [FitRecording(
        arm_samples(ARM, np.arange(0.0, 1.0, 0.02)))], settings=SETTINGS)
    one = suggest_motion(found, settings=SETTINGS, within=MotionSettings(tries=3, duration=4.0))
    assert (one.z >= ARM.z0 - 0.1 - 1e-12).all()
    assert (one.z <= ARM.z0 + 0.3 + 1e-12).all()
    rows = list(csv.reader(motion_text(one, arm.independent).splitlines()))
    assert rows[0] == ['t', *arm.independent, *(f'{name}_rate' for name in arm.independent),
                       *(f'force_{name}' for name in arm.drives)]
    assert len(rows) == 401
