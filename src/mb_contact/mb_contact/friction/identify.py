"""Friction of a machine from recordings of it with known masses."""

import numpy as np

from mb_contact.friction.fit import FrictionFitSettings, fit_friction
from mb_contact.friction.law import CYLINDER
from mb_contact.friction.samples import friction_samples, joined
from mb_estimators import make_filter, observe


def identify_friction(cases, sensors, estimator='hydraulic_kinematic_ekf', dt=1e-3, settings=None,
                      keep=True, **filter_settings):
    """Fit the friction of every cylinder; return {cylinder: FrictionFit}.

    cases: pairs of a mechanism, with the masses of the recording, and a Recording with valve
    commands as inputs; sensors: Sensors, as the recordings have them; estimator: a filter that
    estimates pressures and accelerations; dt: its longest step [s]; settings: FrictionFitSettings;
    keep: whether parameters that the recordings hardly determine stay as in the mechanism.
    Raises ValueError in the user's words, DivergenceError.
    """
    settings = settings or FrictionFitSettings()
    found = [_samples(mechanism, recording, sensors, estimator, dt, settings, filter_settings)
             for mechanism, recording in cases]
    known = known_friction(cases[0][0]) if keep else {}
    return {name: fit_friction(joined([part[name] for part in found]), settings, known.get(name))
            for name in found[0]}


def known_friction(mechanism):
    """Return {cylinder: parameters of its friction by name} as in a mechanism."""
    return {name: {key: getattr(cylinder.friction, key) for key in CYLINDER.parameters}
            for name, cylinder in mechanism.described.hydraulics.cylinders.items()}


def _samples(mechanism, recording, sensors, estimator, dt, settings, filter_settings):
    """Return {cylinder: FrictionSamples} of one recording."""
    filter_ = make_filter(estimator, mechanism, sensors, dt, **filter_settings)
    observed = observe(filter_, recording.stamps, recording.readings, dt, recording.inputs)
    if observed.hydraulics is None:
        raise ValueError(f'{estimator}: does not estimate pressures, from which friction follows')
    read = np.isfinite(recording.readings).any(axis=1) & (recording.t >= settings.settling_time)
    t, oil = recording.t[read], observed.hydraulics
    windows = _windows(t, settings.averaging_time)
    z, zd, zdd, p, covariance = (
        _means(values[read], windows) for values in
        (observed.z, observed.zd, observed.zdd, oil.pressures, oil.covariance))
    covariance /= (windows[1] - windows[0])[:, None, None]      # of means
    accelerations = _changes(t, observed.zd[read], windows)
    slow = (np.abs(accelerations) <= settings.largest_acceleration).all(axis=1)
    return friction_samples(mechanism, t[slow], (z[slow], zd[slow], zdd[slow]), p[slow],
                            covariance[slow])


def _windows(t, width):
    """Return first and last + 1 instant of the window around each instant (k), (k)."""
    return (np.searchsorted(t, t - 0.5 * width - 1e-9),
            np.searchsorted(t, t + 0.5 * width + 1e-9))


def _means(values, windows):
    """Return the means of values (k, ...) over the window of each instant (k, ...)."""
    first, last = windows
    sums = np.cumsum(np.concatenate([np.zeros((1, *values.shape[1:])), values]), axis=0)
    counts = (last - first).reshape(-1, *[1] * (values.ndim - 1))
    return (sums[last] - sums[first]) / counts


def _changes(t, velocity, windows):
    """Return the mean accelerations (k, g) of smoothed velocities over the windows."""
    first, last = windows[0], windows[1] - 1
    smooth = _means(velocity, windows)
    return (smooth[last] - smooth[first]) / np.maximum(t[last] - t[first], 1e-9)[:, None]
