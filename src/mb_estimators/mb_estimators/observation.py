"""A filter observes readings: the motion it makes of them, how likely it is, how consistent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mb_estimators.consistency.window import ConsistencySettings, ConsistencyWindow
from mb_estimators.filter import (
    Filter,
    FilterError,
    ImpossibleReadingError,
    Innovation,
    OfMechanism,
)
from mb_estimators.timeline import HeldInputs, predict_between
from mb_model import FreeOrientations, Turns
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import Sensor


@dataclass(frozen=True)
class ObservedHydraulics:
    """The estimated oil at k instants, and the covariance of z, zd, zdd, pressures, spools."""

    pressures: FloatArray       # (k, v) [Pa]
    spools: FloatArray          # (k, u)
    forces: FloatArray          # of cylinders (k, c) [N]
    covariance: FloatArray      # (k, l, l), in SI units


@dataclass(frozen=True)
class Observation:
    """The estimates of a filter from readings at k instants.

    z, zd, zdd (k, g), turns: a Motion; covariance (k, l, l) of z, zd, ...; innovation (k, channels)
    and innovation_covariance (k, channels, channels), NaN where no reading is or it was left out;
    nis (k), NaN where the readings were impossible; parameters of the model and their deviations:
    name -> (k), where the filter estimates some; hydraulics: None if it does not estimate oil.
    """

    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    covariance: FloatArray
    innovation: FloatArray
    innovation_covariance: FloatArray
    nis: FloatArray
    parameters: dict[str, FloatArray]
    parameter_deviations: dict[str, FloatArray]
    hydraulics: ObservedHydraulics | None
    turns: Turns | None = None


def corrected(filter_: Any, stamps: Sequence[int] | IntArray, readings: FloatArray, dt: float,
              inputs: HeldInputs | None = None) -> Iterator[Innovation | None]:
    """Run a filter over readings as `observe` does; yield the Innovation of each instant.

    None where the readings were impossible.
    """
    inputs = inputs or HeldInputs()
    for k, row in enumerate(readings):
        if k > 0:
            predict_between(filter_, int(stamps[k - 1]), int(stamps[k]), dt, inputs)
        try:
            innovation = filter_.correct(row)
        except ImpossibleReadingError:
            innovation = None
        yield innovation


def observe(filter_: Filter, stamps: Sequence[int] | IntArray, readings: FloatArray, dt: float,
            inputs: HeldInputs | None = None) -> Observation:
    """Run a filter over readings; its state holds at the first stamp.

    stamps: increasing, of k instants [ns]; readings (k, channels), NaN where there is none; dt:
    longest step of the model [s]; inputs: HeldInputs, None for none.  Returns an Observation.
    Raises DivergenceError.
    """
    frames = []
    orientations = FreeOrientations(filter_.mechanism) if isinstance(filter_, OfMechanism) else None
    count, channels = np.shape(readings)
    observed = _room(count, channels, filter_.estimate)
    z, zd, zdd, covariance = observed.z, observed.zd, observed.zdd, observed.covariance
    for k, fit in enumerate(corrected(filter_, stamps, readings, dt, inputs)):
        if fit is not None:
            _note_fit(observed, k, fit)
        estimate = filter_.estimate
        z[k], zd[k], zdd[k] = estimate.z, estimate.zd, estimate.zdd
        covariance[k] = estimate.covariance
        if orientations:
            frames.append(orientations.frames(estimate.q, estimate.qd, estimate.qdd))
        if estimate.parameters:
            _note_parameters(observed, k, estimate)
        if estimate.hydraulics:
            for values, value in zip(vars(observed.hydraulics).values(), estimate.hydraulics,
                                     strict=True):
                values[k] = value
    if orientations:
        motion = orientations.motion(z, zd, zdd, np.array(frames))
        return replace(observed, **vars(motion))
    return observed


def _room(count, channels, estimate):
    """Return an Observation with room for `count` instants."""
    of_z, oil = (count, len(estimate.z)), estimate.hydraulics
    values, deviations = ({name: np.empty(count) for name in estimate.parameters or ()}
                          for _ in range(2))
    return Observation(
        np.empty(of_z), np.empty(of_z), np.empty(of_z),
        np.empty((count, *estimate.covariance.shape)), np.full((count, channels), np.nan),
        np.full((count, channels, channels), np.nan), np.full(count, np.nan),
        values, deviations,
        oil and ObservedHydraulics(*(np.empty((count, *value.shape)) for value in oil)))


def _note_parameters(observed: Observation, k: int, estimate: Any) -> None:
    """Write the parameters of an Estimate to row k."""
    deviations = estimate.parameter_deviations
    for name, value in estimate.parameters.items():
        observed.parameters[name][k] = value
        observed.parameter_deviations[name][k] = deviations[name]


def _note_fit(observed: Observation, k: int, fit: Innovation) -> None:
    """Write an Innovation to row k."""
    observed.nis[k] = fit.nis
    if len(fit.channels) == observed.innovation.shape[1]:      # in their order
        observed.innovation[k], observed.innovation_covariance[k] = fit.residual, fit.covariance
        return
    observed.innovation[k, fit.channels] = fit.residual
    observed.innovation_covariance[k][np.ix_(fit.channels, fit.channels)] = fit.covariance


_LEFT_OUT = 450.0       # what a reading 30 standard deviations off costs; 30 is the usual gate


def log_likelihood(readings: FloatArray, observed: Observation) -> float:
    """Return the mean over readings of the logarithm of their density, given those before.

        sum over instants of -1/2 (r' S^-1 r + log det S + k log 2 pi)

    of k innovations r with the covariance S that the filter expects, by the number of readings.
    readings (k, channels), observed: the Observation of them.  Readings that the filter left out
    count as so improbable that leaving any out does not pay.
    Source: Schweppe 1965, "Evaluation of likelihood functions for Gaussian signals".
    """
    given, used = np.isfinite(readings), np.isfinite(observed.innovation)
    total = -_LEFT_OUT * np.count_nonzero(given & ~used)
    for channels in np.unique(used, axis=0):
        rows = np.flatnonzero((used == channels).all(axis=1))
        columns = np.flatnonzero(channels)
        if columns.size:
            r = observed.innovation[np.ix_(rows, columns)]
            S = observed.innovation_covariance[np.ix_(rows, columns, columns)]
            total += _log_density(r, S)
    return total / np.count_nonzero(given)


def _log_density(r: FloatArray, S: FloatArray) -> Any:
    """Return the sum over k of the logarithm of N(r; 0, S); r (k, c), S (k, c, c)."""
    squares = np.einsum('ki,ki->k', r, np.linalg.solve(S, r[:, :, None])[:, :, 0])
    return -0.5 * np.sum(squares + np.linalg.slogdet(2.0 * np.pi * S)[1])


def inconsistent_share(sensors: Sequence[Sensor], stamps: IntArray,
                       observed: Observation) -> float:
    """Return the share of judgements with a verdict on any sensor.

    As a running estimator judges, once in a period, the innovations of an Observation at stamps (k)
    [ns].  Each judgement counts once; one of too few readings, which says nothing, does not.
    Raises FilterError where there is no judgement.
    """
    window, inconsistent = ConsistencyWindow(sensors, ConsistencySettings()), []
    judged = window.judgement
    for k, stamp in enumerate(stamps.tolist()):
        there = np.flatnonzero(np.isfinite(observed.innovation[k]))
        if not there.size:
            continue
        window.add(stamp, Innovation(
            there, observed.innovation[k, there],
            observed.innovation_covariance[k][np.ix_(there, there)], float(observed.nis[k]),
            np.array([], np.int64)))
        if window.judgement is not judged:
            judged = window.judgement
            if any(one.count > 1 for one in judged):
                inconsistent.append(any(one.verdict for one in judged))
    if not inconsistent:
        raise FilterError('observation: too few innovations for a judgement, expected two at '
                          'least, a period apart')
    return float(np.mean(inconsistent))
