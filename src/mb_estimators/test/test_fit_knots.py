"""Knots with which forces are foreseen best, against a planar arm written out."""

import numpy as np
import pytest
from test_fit_zeros import NAMES, PLANAR, SETTINGS, needed

from mb_estimators import DynamicsSamples, FitRecording, FitSettings, fit
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.knot_choice import foreseeing_spacing
from mb_model import Mechanism
from mb_sensors import EncoderMotion, sensors_of

ARM = Mechanism(PLANAR, 'arm.yaml')
FILE = ARM.replace(bodies={'upper': {'mass': 3.0}, 'lower': {'mass': 0.7}})
MASSES = ['bodies.upper.mass', 'bodies.lower.mass']


def read_with(noise):
    """Return what reads waves of a third of a second by encoders with noise [rad], by any knots."""
    random = np.random.default_rng(0)
    t = np.arange(0.0, 8.0, 2e-3)
    rates = random.uniform(12.0, 20.0, (2, 2))
    wave = rates * t[:, np.newaxis, np.newaxis] + random.uniform(0.0, 6.0, (2, 2))
    states = (ARM.z0 + 0.05 * np.sin(wave).sum(axis=1), 0.05 * (rates * np.cos(wave)).sum(axis=1),
              -0.05 * (rates ** 2 * np.sin(wave)).sum(axis=1))
    u = needed(ARM, *states)
    angles = states[0] + noise * random.standard_normal(u.shape)
    stamps = np.round(1e9 * t).astype(np.int64)

    def read(spacing):
        motion = EncoderMotion(ARM, sensors_of(ARM, NAMES), stamps, angles, spacing).motion
        chosen = np.isin(stamps, motion.stamps)
        return [FitRecording(DynamicsSamples(motion, u[chosen]))]
    return read


def fitted(recordings, settings):
    return fit(FILE, MASSES, recordings, settings=settings)


@pytest.mark.parametrize(('noise', 'expected'), [(1e-7, 0.02), (1e-5, 0.05), (1e-3, 0.08)])
def test_the_more_noise_the_farther_apart_are_knots(noise, expected):
    """Expected is where the forces that are left are least, exact ones by Lagrange's equations."""
    read = read_with(noise)
    chosen, left = foreseeing_spacing(read, fitted, SETTINGS)
    assert chosen == expected
    assert chosen == min(left, key=lambda one: np.sum(np.log(left[one])))
    away = {}
    for spacing in (0.0125, 0.02, 0.05, 0.08, 0.125):
        (one,) = read(spacing)
        motion = one.samples.motion
        away[spacing] = np.std(needed(ARM, motion.z, motion.zd, motion.zdd) - one.samples.torques)
    assert away[chosen] == min(away.values())


def test_recordings_that_no_knots_suit_are_reported():
    def failing(recordings, settings):
        raise FitError('two samples')
    with pytest.raises(FitError, match='knot_spacing=0: no fit with knots every'):
        foreseeing_spacing(lambda spacing: [], failing, FitSettings())
