"""The load of an arm by two bags, of which one is without it."""

import numpy as np
import pytest
from robot_drives import ARM, arm_samples

from mb_estimators import DynamicsSamples, FitError, FitRecording, FitSettings, fit
from mb_model import Mechanism

LOAD, SETTINGS = 4.2, FitSettings(held_out=0.0)
LAST = list(ARM.bodies)[-1]
FILE = {**ARM.raw, 'bodies': {**ARM.raw['bodies'], 'load': {
    'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, 0.05], 'inertia': [0.01, 0.01, 0.01],
    'points': {'flange': [0.0, 0.0, 0.0]}}},
    'joints': {**ARM.raw['joints'], 'grip': {
        'kind': 'weld', 'bodies': [LAST, 'load'], 'at': [[0.0, 0.0, 0.0], 'flange']}}}
LOADED = Mechanism(FILE, 'loaded_arm.yaml')


@pytest.fixture(scope='module')
def recordings():
    """Recordings without and with a load, each with 2 % of noise."""
    t, random = np.arange(0.0, 6.0, 0.01), np.random.default_rng(5)
    heavy = LOADED.replace(bodies={'load': {
        'mass': LOAD, 'centre_of_gravity': [0.03, -0.02, 0.12], 'inertia': [0.03, 0.02, 0.015]}})
    noisy = []
    for arm in (ARM, heavy):
        exact = arm_samples(arm, t)
        size = 0.02 * np.sqrt(np.mean(exact.torques ** 2, axis=0))
        noisy.append(DynamicsSamples(exact.motion, exact.torques
                                     + size * random.standard_normal(exact.torques.shape)))
    return noisy


def test_a_load_is_weighed_beside_an_arm_that_is_not_known(recordings):
    empty, loaded = recordings
    found = fit(LOADED, ['masses', 'inertias'], [
        FitRecording(empty, {'bodies.load.mass': 0.0}), FitRecording(loaded)], settings=SETTINGS)
    assert found.values['bodies.load.mass'] == pytest.approx(LOAD, rel=0.03)
    found_of = {number.path: number for number in found.numbers}
    assert found_of['bodies.load.mass'].is_known
    assert not found_of[f'bodies.{LAST}.mass'].is_known


def test_one_bag_alone_does_not_separate_load_and_arm(recordings):
    found = fit(LOADED, ['masses', 'inertias'], [FitRecording(recordings[1])], settings=SETTINGS)
    assert not any(number.is_known for number in found.numbers
                   if number.path.startswith('bodies.load.'))


def test_another_known_mass_of_a_free_body_is_refused(recordings):
    with pytest.raises(FitError, match='can know a mass of 0 alone'):
        fit(LOADED, ['masses', 'inertias'],
            [FitRecording(recordings[0], {'bodies.load.mass': 1.0})])
