"""The direct forms of the error-state family against the indirect ones."""

import numpy as np
import pytest

from mb_estimators import Experiment, make_filter, smooth
from mb_model import load_mechanism

DT = 0.005


@pytest.mark.parametrize('variant', ['', '_ej', '_fe'])
@pytest.mark.parametrize(('mechanism', 'sensors'), [
    ('four_bar', ['crank_encoder', 'coupler_gyro']), ('five_bar', ['crank_encoders'])])
def test_direct_and_indirect_form_are_the_same(variant, mechanism, sensors):
    mechanism = load_mechanism(mechanism)
    indirect, direct = (make_filter(f'error_ekf{variant}', mechanism, sensors, DT, form=form)
                        for form in ('error', 'direct'))
    random = np.random.default_rng(3)
    moved = 0.0
    for _ in range(300):
        h = DT * random.uniform(0.3, 1.0)
        readings = np.resize(mechanism.z0, 2) + 0.02 * random.normal(size=2)
        if mechanism.g == 1:
            readings[1] = 0.05 * random.normal()
        readings[random.random(2) < 0.3] = np.nan
        indirect.predict(h)
        direct.predict(h)
        before = indirect.estimate.z
        fits = indirect.correct(readings), direct.correct(readings)
        np.testing.assert_allclose(fits[0].residual, fits[1].residual, atol=1e-12)
        a, b = indirect.estimate, direct.estimate
        moved = max(moved, np.abs(a.z - before).max())
        for name in ('z', 'zd', 'q', 'qd', 'covariance'):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12, atol=1e-12)
        # The dynamics magnify rounding where the mechanism is close to a singular position.
        np.testing.assert_allclose(a.zdd, b.zdd, rtol=1e-11, atol=1e-11)
        if variant == '_fe':
            np.testing.assert_allclose(a.forces, b.forces, rtol=1e-11, atol=1e-11)
    assert moved > 1e-3


@pytest.mark.parametrize('variant', ['', '_ej', '_fe'])
def test_both_forms_are_smoothed_alike(variant):
    """What a correction has added is the same, whether the states are errors or not."""
    mechanism, sensors = load_mechanism('four_bar'), ['crank_encoder']
    recording = Experiment(mechanism, sensors, {'gravity': -1.0}, 0.5, DT).recording(1)
    error, direct = (smooth(make_filter(f'error_ekf{variant}', mechanism, sensors, DT, form=form),
                            recording, DT) for form in ('error', 'direct'))
    assert np.abs(error.motion.z - error.filtered.z).max() > 1e-4
    for a, b in ((error.motion.z, direct.motion.z), (error.motion.zd, direct.motion.zd),
                 (error.covariance, direct.covariance)):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
