"""Estimates from all readings of a recording, also the later ones."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_estimators.filter import (
    Estimate,
    Filter,
    FilterError,
    ImpossibleReadingError,
    Referring,
    Smoothable,
    WholeSmoothing,
)
from mb_estimators.filter.total_covariance import total_covariance
from mb_estimators.filters.orientations import Orientations, motion_views
from mb_estimators.recording.recording import Recording, Track
from mb_estimators.timeline import HeldInputs, arrive, steps_between
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_model.command_api import with_progress
from mb_model.kernel_api import find_references


def go_back(corrections: FloatArray, covariances: FloatArray, predicted: FloatArray,
            crossed: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corrections of the states (m, l) of a filter's passage, and their covariances.

    corrections (m, l), covariances (m, l, l): after the readings of each point; predicted, crossed
    (m - 1, l, l): P_k+1|k, and C_k of the states before and after the prediction from point k.

        G_k = C_k P_k+1|k^-1,  d_k = G_k (d_k+1 + dx_k+1),
        P_k^s = P_k + G_k (P_k+1^s - P_k+1|k) G_k^T

    in terms of d_k, the smoothed state less the filtered one: x_k+1^s - x_k+1|k is d_k+1 and the
    correction dx_k+1.  For an error-state filter, whose errors are zero after a correction, d is
    all there is.  Source: Rauch, Tung and Striebel 1965; Sarkka 2008 for C_k by sigma points.
    """
    # By their scales: a position is known to 1e-4, a velocity and a force far worse.
    scale = np.sqrt(np.einsum('kii->ki', predicted))
    correlation = predicted / (scale[:, :, None] * scale[:, None, :])
    scaled = np.swapaxes(crossed, 1, 2) / scale[:, :, None]
    gains = np.swapaxes(np.linalg.solve(correlation, scaled) / scale[:, :, None], 1, 2)
    additions, smoothed = np.zeros_like(corrections), np.array(covariances)
    for k in range(len(gains) - 1, -1, -1):
        additions[k] = gains[k] @ (additions[k + 1] + corrections[k + 1])
        P = covariances[k] + gains[k] @ (smoothed[k + 1] - predicted[k]) @ gains[k].T
        smoothed[k] = 0.5 * (P + P.T)
    return additions, smoothed


@dataclass
class Passage:
    """The record of a filter's pass, in m points with a prediction between every two.

    Lists: estimates, covariances of the states (l, l) and corrections (l) after the readings of
    each point; predicted covariances and cross-covariances (l, l) of each prediction.  instants:
    which points are the stamps of the recording.
    """

    estimates: list[Estimate] = field(default_factory=list)
    covariances: list[FloatArray] = field(default_factory=list)
    corrections: list[FloatArray] = field(default_factory=list)
    predicted: list[FloatArray] = field(default_factory=list)
    crossed: list[FloatArray] = field(default_factory=list)
    instants: list[int] = field(default_factory=list)


def pass_forward(filter_: Any, recording: Recording, dt: float,
                 progress: bool = False) -> Passage:
    """Run a Smoothable filter, at its start, over a Recording; return the Passage.

    dt: longest step of the model [s]; progress: say on stderr how far it is.
    Raises DivergenceError.
    """
    passage = Passage()
    inputs, stamps = recording.inputs or HeldInputs(), recording.stamps.tolist()
    for k in with_progress(len(stamps), 'readings', progress):
        if k > 0:
            for step, mean in steps_between(stamps[k - 1], stamps[k], dt, inputs):
                _predict(filter_, passage, step, mean)
        arrive(filter_, stamps[k], inputs)
        correction = np.zeros(len(filter_.state_covariance))
        with suppress(ImpossibleReadingError):
            filter_.correct(recording.readings[k])
            correction = filter_.correction
            if isinstance(filter_, Referring):
                _refer(passage, filter_.reference_change)
        passage.instants.append(len(passage.estimates))
        _keep(filter_, passage, correction)
    return passage


def _predict(filter_: Any, passage: Passage, step: float, inputs: FloatArray | None) -> None:
    """Predict over a step [s]; between steps there are points without readings."""
    if len(passage.predicted) == len(passage.estimates):
        _keep(filter_, passage, np.zeros(len(passage.corrections[-1])))
    filter_.predict(step, inputs)
    passage.predicted.append(filter_.state_covariance)
    passage.crossed.append(filter_.cross_covariance(passage.covariances[-1], step))


def _refer(passage: Passage, change: FloatArray | None) -> None:
    """Let the last prediction be as seen from references that have moved since; None: none has."""
    if change is not None and passage.predicted:
        passage.predicted[-1] = change @ passage.predicted[-1] @ change.T
        passage.crossed[-1] = passage.crossed[-1] @ change.T


def _keep(filter_: Any, passage: Passage, correction: FloatArray) -> None:
    """Add a point to a Passage."""
    passage.estimates.append(filter_.estimate)
    passage.covariances.append(filter_.state_covariance)
    passage.corrections.append(correction)


@dataclass(frozen=True)
class Smoothed:
    """The motion at the stamps (k) [ns] of a recording.

    motion, filtered: Tracks of z, zd, zdd by all readings, and as the filter gave them, with their
    errors where the truth is known; q, qd, qdd (k, n); covariance (k, l, l) as of the filter's
    estimates; forces (k, g): on the degrees of freedom, None if they are not estimated; biases:
    channel -> (k).
    """

    stamps: IntArray
    motion: Track
    filtered: Track
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    covariance: FloatArray
    forces: FloatArray | None
    biases: dict[str, FloatArray]


def smooth(filter_: Filter, recording: Recording, dt: float, progress: bool = False) -> Smoothed:
    """Return the Smoothed of a Recording by a filter and then a Rauch-Tung-Striebel smoother.

    filter_: at its start, which holds at the first stamp; it must be Smoothable, or one with a
    graph, which is solved as a whole; dt: longest step of the model [s]; progress: say on stderr
    how far it is.  Raises FilterError if it is not, DivergenceError.
    """
    if isinstance(filter_, WholeSmoothing):
        return _smoothed(filter_.mechanism, recording,
                         *filter_.smooth_all(recording, dt, progress))
    if not isinstance(filter_, Smoothable):
        raise FilterError(f'{type(filter_).__name__}: cannot be smoothed: it does not say how its '
                          'states before and after a step belong together')
    if filter_.mechanism.described.prescribed:
        raise FilterError(f'{filter_.mechanism.name}: cannot be smoothed with prescribed '
                          f'coordinates: {", ".join(filter_.mechanism.described.prescribed)}')
    if filter_.mechanism.rolling:
        raise FilterError(f'{filter_.mechanism.name}: cannot be smoothed with bodies that roll: '
                          f'joints.{", joints.".join(filter_.mechanism.rolling)}')
    passage = pass_forward(filter_, recording, dt, progress)
    additions, covariances = go_back(*(np.array(values) for values in (
        passage.corrections, passage.covariances, passage.predicted, passage.crossed)))
    filtered = [passage.estimates[k] for k in passage.instants]
    return _smoothed(filter_.mechanism, recording, filtered, [
        _moved(filter_, passage.estimates[k], additions[k], covariances[k],
               recording.inputs is not None) for k in passage.instants])


def _smoothed(mechanism: Mechanism, recording: Recording, filtered: list[Estimate],
              smoothed: list[Estimate]) -> Smoothed:
    """Return the Smoothed of Estimates at the stamps of a Recording, filtered and smoothed."""
    motion = *_, q, qd, qdd = [_along(smoothed, name) for name in _MOTION]
    return Smoothed(
        recording.stamps, recording.judge(Track.of(mechanism, *motion)),
        recording.judge(Track.of(mechanism, *(_along(filtered, name) for name in _MOTION))),
        q, qd, qdd, _along(smoothed, 'covariance'),
        None if smoothed[0].forces is None else _along(smoothed, 'forces'),
        {name: np.array([(estimate.biases or {})[name] for estimate in smoothed])
         for name in smoothed[0].biases or ()})


_MOTION = 'z', 'zd', 'zdd', 'q', 'qd', 'qdd'        # of an Estimate


def _along(estimates: list[Estimate], name: str) -> FloatArray:
    """Return a field of Estimates as one array."""
    return np.array([getattr(estimate, name) for estimate in estimates])


def _moved(filter_: Smoothable, estimate: Estimate, addition: FloatArray, covariance: FloatArray,
           is_driven: bool) -> Estimate:
    """Return an Estimate with an addition to its states (l) and another covariance of them (l, l).

    is_driven: whether known forces act on it.
    """
    mechanism, forces, acting = filter_.mechanism, None, None
    g = mechanism.g
    z, zd = estimate.z + addition[:g], estimate.zd + addition[g:2 * g]
    states = 2 * g if estimate.forces is None else 3 * g
    if estimate.forces is not None:
        # An error of zdd counts as a force, as in the filter itself.
        forces = acting = mechanism.inverse_dynamics(
            estimate.z, estimate.zd, estimate.zdd + addition[2 * g:3 * g], near=estimate.q)
    elif is_driven:
        acting = mechanism.inverse_dynamics(
            estimate.z, estimate.zd, estimate.zdd, near=estimate.q)
    # behind the biases there may be hidden states
    biases = {name: value + more for (name, value), more in zip(
        (estimate.biases or {}).items(), addition[states:], strict=False)}
    q = mechanism.assemble(z, near=estimate.q)
    qd = mechanism.velocity(q, zd)
    zdd = mechanism.forward_dynamics(z, zd, acting, near=q)
    P = covariance[:states, :states]
    if forces is not None:
        P = total_covariance(P, *mechanism.linearise(z, zd, forces, near=q))
    motion: Any = z, zd, zdd, q, qd, mechanism.acceleration(q, qd, zdd)
    orientations = Orientations(mechanism)
    if orientations.independent:
        works = _at(mechanism, motion)
        motion, P = orientations.in_bodies(
            mechanism.model, works, P, motion_views(mechanism, works[0]))
    changes: dict[str, Any] = dict(zip(_MOTION, motion, strict=True))
    return estimate._replace(**changes, covariance=filter_.play.covering(P, q), forces=forces,
                             biases=biases)


def _at(mechanism: Mechanism, motion: Sequence[FloatArray]) -> Any:
    """Return a workspace of a mechanism in a motion, z ... qdd."""
    works = mechanism.workspace()
    for view, values in zip(motion_views(mechanism, works[0]), motion, strict=True):
        view[:] = values
    find_references(mechanism.model, works)
    return works
