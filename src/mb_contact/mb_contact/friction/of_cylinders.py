"""Friction of cylinders, from recordings of a machine with known masses."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mb_contact.friction.fit import FrictionFit, FrictionFitSettings, fit_friction
from mb_contact.friction.law import CYLINDER
from mb_contact.friction.samples import FrictionSamples, joined
from mb_estimators import Recording, make_filter, observe
from mb_model import Circuit, Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.record.hydraulics import AIR_PRESSURE
from mb_sensors import Sensor

_NEAR_END = 2e-3            # of an end stop, which may push as well [m]


def identify_friction(cases: Sequence[tuple[Mechanism, Recording]], sensors: Sequence[Sensor],
                      estimator: str = 'hydraulic_kinematic_ekf', dt: float = 1e-3,
                      settings: FrictionFitSettings | None = None, keep: bool = True,
                      **filter_settings: Any) -> dict[str, FrictionFit]:
    """Fit the friction of every cylinder; return {cylinder: FrictionFit}.

    cases: pairs of a mechanism, with the masses of the recording, and a Recording with valve
    commands as inputs; sensors: Sensors, as the recordings have them; estimator: a filter that
    estimates pressures and accelerations; dt: its longest step [s]; settings: FrictionFitSettings;
    keep: whether parameters that the recordings hardly determine stay as in the mechanism.
    Raises ValueError in the user's words, DivergenceError.
    """
    settings = settings or FrictionFitSettings()
    samples = [_samples(mechanism, recording, sensors, estimator, dt, settings, filter_settings)
               for mechanism, recording in cases]
    known = known_of_cylinders(cases[0][0]) if keep else {}
    return {name: fit_friction(joined([part[name] for part in samples]), settings, known.get(name))
            for name in samples[0]}


def known_of_cylinders(mechanism: Mechanism) -> dict[str, dict[str, float]]:
    """Return {cylinder: parameters of its friction by name} as in a mechanism."""
    return {name: {key: getattr(cylinder.friction, key) for key in CYLINDER.parameters}
            for name, cylinder in mechanism.described.hydraulics.cylinders.items()}


def _samples(mechanism: Mechanism, recording: Recording, sensors: Sequence[Sensor],
             estimator: str, dt: float, settings: FrictionFitSettings,
             filter_settings: Mapping[str, Any]) -> dict[str, FrictionSamples]:
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


def _windows(t: FloatArray, width: float) -> tuple[IntArray, IntArray]:
    """Return first and last + 1 instant of the window around each instant (k), (k)."""
    return (np.searchsorted(t, t - 0.5 * width - 1e-9),
            np.searchsorted(t, t + 0.5 * width + 1e-9))


def _means(values: FloatArray, windows: tuple[IntArray, IntArray]) -> FloatArray:
    """Return the means of values (k, ...) over the window of each instant (k, ...)."""
    first, last = windows
    sums = np.cumsum(np.concatenate([np.zeros((1, *values.shape[1:])), values]), axis=0)
    counts = (last - first).reshape(-1, *[1] * (values.ndim - 1))
    return (sums[last] - sums[first]) / counts


def _changes(t: FloatArray, velocity: FloatArray,
             windows: tuple[IntArray, IntArray]) -> FloatArray:
    """Return the mean accelerations (k, g) of smoothed velocities over the windows."""
    first, last = windows[0], windows[1] - 1
    smooth = _means(velocity, windows)
    return (smooth[last] - smooth[first]) / np.maximum(t[last] - t[first], 1e-9)[:, None]


def friction_samples(mechanism: Mechanism, t: FloatArray,
                     motion: tuple[FloatArray, FloatArray, FloatArray], pressures: FloatArray,
                     covariance: FloatArray) -> dict[str, FrictionSamples]:
    """Return {cylinder: FrictionSamples} of a mechanism whose masses are all known.

    t (k) [s]; motion: (z, zd, zdd), each (k, g); pressures (k, v) [Pa]; covariance (k, l, l) of z,
    zd, zdd, p and more.  The forces that bodies, weights and springs need go to the cylinders;
    there must be as many as degrees of freedom.  Source: Pyrhonen et al. 2023b, Eqs. (50), (54),
    (55).  Raises ValueError.
    """
    circuit = mechanism.circuit
    if circuit is None or len(circuit.cylinders) != mechanism.g:
        raise ValueError(f'{mechanism.file}: friction can be found only where there are as many '
                         f'cylinders as degrees of freedom ({mechanism.g})')
    chambers = _chamber_pressures(circuit, pressures)
    still = np.zeros(mechanism.g)
    count, g = len(t), mechanism.g
    lengths, speeds, forces, spreads, rates = (np.empty((count, g)) for _ in range(5))
    q = mechanism.q0
    for k, (z, zd, zdd) in enumerate(zip(*motion, strict=True)):
        here = mechanism.operational_space(z, zd, q)
        q, R = here.q, here.R[circuit.cylinder_coordinates]
        lengths[k], speeds[k] = q[circuit.cylinder_coordinates], R @ zd
        needed = np.linalg.solve(R.T, here.needed(zd, zdd))
        forces[k] = circuit.force(pressures[k], still) - needed
        by_pressure = circuit.force_derivatives(pressures[k], still)[1]
        by_state = np.hstack([-np.linalg.solve(R.T, here.mass), by_pressure])
        states = slice(2 * g, 2 * g + by_state.shape[1])
        spreads[k] = _deviations(by_state, covariance[k, states, states])
        rates[k] = _deviations(R, covariance[k, g:2 * g, g:2 * g])
    inside = (np.abs(lengths - circuit.retracted - 0.5 * circuit.stroke)
              < 0.5 * circuit.stroke - _NEAR_END)
    return {name: FrictionSamples(
        t, speeds[:, c], forces[:, c], chambers[:, 2 * c], chambers[:, 2 * c + 1], rates[:, c],
        spreads[:, c], np.zeros(count, dtype=int))[inside[:, c]]
        for c, name in enumerate(circuit.cylinders)}


def _chamber_pressures(circuit: Circuit, pressures: FloatArray) -> FloatArray:
    """Return the gauge pressures of piston and rod side of each cylinder (k, 2 c) [Pa]."""
    record, count = circuit.record[0], len(circuit.volumes)
    around = np.tile(record['supply_pressure'], (len(pressures), 1))
    around[:, :count] = pressures
    return around[:, record['chamber'][:2 * len(circuit.cylinders)]] - AIR_PRESSURE


def _deviations(by_state: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the deviations of linear functions (c, states) of states with a covariance."""
    return np.sqrt(np.einsum('ci,ij,cj->c', by_state, covariance, by_state))
