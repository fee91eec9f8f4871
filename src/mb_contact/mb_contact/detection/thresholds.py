"""Thresholds from a motion without contacts, its largest forces times a factor, and their file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mb_contact.arguments import ContactError
from mb_contact.detection.contact import Contact, ContactTrack
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.recorded import Recorded
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_model.arrays import FloatArray
from mb_model.file_api import sections_text

_CERTAIN = 0.25       # share of the states by which thresholds begin, the most certain ones
_PASSES = 20          # most of them until thresholds stay
_NO_LIMIT = 1e9       # largest_deviation of a detector that judges every state
_DIGITS = 4
NAMES = {'direct': 'direct_threshold', 'momentum_observer': 'momentum_threshold'}


class Judged(NamedTuple):
    """Forces at states of a bag: stamps (k) [ns], of every method force and deviation (k, g).

    force: NaN where a state gives none; deviation: by the covariance of the force, 0 without.
    """

    stamps: np.ndarray
    force: dict[str, np.ndarray]
    deviation: dict[str, np.ndarray]


def judge(detector: ContactDetector, recorded: Recorded) -> Judged:
    """Return the Judged states of a Recorded bag.

    Raises ContactError for a method without forces.
    """
    judged = list(_judged(detector, recorded))
    if not judged:
        raise ContactError(f'{recorded.folder}: no state with torques in it')
    force, deviation = ({method: np.full((len(judged), detector.mechanism.g), empty)
                         for method in detector.methods} for empty in (np.nan, 0.0))
    for row, (_, contact) in enumerate(judged):
        for estimated in contact.forces:
            force[estimated.method][row] = estimated.force
            if len(estimated.covariance):
                deviation[estimated.method][row] = np.sqrt(np.diag(estimated.covariance))
    for method, forces in force.items():
        if np.isnan(forces).all():
            (why, _), = Counter(contact.reason for _, contact in judged).most_common(1)
            raise ContactError(f'{recorded.folder}: {method}: no state gives a force: {why}')
    return Judged(np.array([state.stamp for state, _ in judged]), force, deviation)


def _judged(detector: ContactDetector, recorded: Recorded) -> Iterator[tuple[State, Contact]]:
    """Yield (State, Contact) in the order of the bag."""
    stream, newest = ContactStream(detector, recorded.inputs, recorded.encoders), 0
    beside = merge(*([(stamp, add, values) for stamp, values in rows] for add, rows in (
        (stream.add_torques, recorded.torques), (stream.add_angles, recorded.angles))),
        key=lambda one: one[0])
    coming = next(beside, None)
    for state in recorded.states:
        newest = max(newest, state.stamp)
        while coming is not None and coming[0] <= newest:
            stamp, add, values = coming
            yield from add(stamp, values)
            coming = next(beside, None)
        yield from stream.add_state(state)


class Largest(NamedTuple):
    """The largest sizes of a force (g) [N or N m] and the stamps at which they were (g) [ns]."""

    force: np.ndarray
    stamps: np.ndarray


def largest_forces(stamps: ArrayLike, force: Mapping[str, FloatArray]) -> dict[str, Largest]:
    """Return {method: Largest} of forces {method: (k, g)} at stamps (k), NaN where there is none.

    Raises ContactError for a method without forces.
    """
    largest = {}
    for method, forces in force.items():
        known = np.isfinite(forces).all(axis=1)
        if not known.any():
            raise ContactError(f'{method}: no state gives a force')
        rows = np.argmax(np.abs(forces[known]), axis=0)
        largest[method] = Largest(np.abs(forces[known])[rows, np.arange(len(rows))],
                                  np.asarray(stamps)[known][rows])
    return largest


def contact_free_thresholds(track: ContactTrack, factor: float = 2.0) -> dict[str, FloatArray]:
    """Return thresholds {method: (g)} by the ContactTrack of a motion without contacts.

    Source: Mohammad et al. 2025, Sec. V, where the factor is 2.
    """
    return {method: factor * largest.force
            for method, largest in largest_forces(track.stamps, track.force).items()}


class LargestOfBags(NamedTuple):
    """Largest forces of recorded motions: {method: sizes (g)}, and when each of them was.

    at: {method: (folder of the bag, seconds since its first judged state) of each (g)}.
    """

    force: dict[str, FloatArray]
    at: dict[str, list[tuple[str, float]]]


def recorded_thresholds(detector: ContactDetector, recorded: Sequence[Recorded],
                        factor: float = 2.0) -> LargestOfBags:
    """Return the LargestOfBags of Recorded motions without contacts.

    The states count that a detector judges whose thresholds are the factor times these: their
    covariance lets a force deviate by no more than largest_deviation of a threshold.  Thresholds
    of `detector` do not matter.
    Raises ContactError where no state counts.
    """
    mechanism, settings = detector.mechanism, detector.settings
    judges_all = ContactDetector(mechanism, detector.drives, replace(
        settings, largest_deviation=_NO_LIMIT, body_uncertainty=0.0, force_uncertainty=0.0,
        torque_deviation=0.0))      # covariances of forces are those by the state alone
    judged, limits = [judge(judges_all, one) for one in recorded], {}
    deviation = _together(judged, 'deviation')
    for method, force in _together(judged, 'force').items():
        known = np.isfinite(force).all(axis=1)
        limits[method] = _lowest(method, force[known], deviation[method][known], factor,
                                 settings.largest_deviation)
    for _ in range(_PASSES):
        again = ContactDetector(mechanism, detector.drives, replace(settings, **{
            NAMES[method]: tuple(limit.tolist()) for method, limit in limits.items()}))
        judged = [judge(again, one) for one in recorded]
        instants = [(one.folder, 1e-9 * (stamp - of_one.stamps[0]))
                  for one, of_one in zip(recorded, judged, strict=True)
                  for stamp in of_one.stamps.tolist()]
        largest = largest_forces(np.arange(len(instants)), _together(judged, 'force'))
        before, limits = limits, {name: factor * one.force for name, one in largest.items()}
        if all((limits[method] == before[method]).all() for method in limits):
            return LargestOfBags({name: one.force for name, one in largest.items()},
                         {name: [instants[row] for row in one.stamps]
                          for name, one in largest.items()})
    raise ContactError(f'{", ".join(one.folder for one in recorded)}: thresholds change the states '
                       'that they are from, over and over; expected a more certain estimate or a '
                       'larger largest_deviation')


def _together(judged: Sequence[Judged], name: str) -> dict[str, FloatArray]:
    """Return forces or deviations of several bags as if of one, {method: (k, g)}."""
    parts = [getattr(one, name) for one in judged]
    return {method: np.concatenate([part[method] for part in parts]) for method in parts[0]}


def _lowest(method: str, force: FloatArray, deviation: FloatArray, factor: float,
            share: float) -> FloatArray:
    """Return the lowest thresholds (g) for which the most certain states are certain enough.

    force, deviation (k, g).  What these thresholds allow raises them, until they allow no more.
    Raises ContactError where they do not allow for the most certain state.
    """
    order = np.argsort((deviation / np.maximum(np.median(deviation, axis=0), 1e-300)).max(axis=1),
                       kind='stable')
    counts = np.zeros(len(force), bool)
    counts[order[:max(1, round(_CERTAIN * len(order)))]] = True
    while True:
        limits = factor * np.abs(force[counts]).max(axis=0)
        allowed = (deviation <= share * limits).all(axis=1)
        if (counts | allowed).sum() == counts.sum():
            break
        counts |= allowed
    if not allowed.any():
        least = (deviation / np.maximum(limits, 1e-300)).max(axis=1).min()
        raise ContactError(
            f'{method}: no state is certain enough: by its covariance a force deviates by '
            f'{least:.2g} of {factor:g} times the largest force, more than largest_deviation, '
            f'{share:g}; expected a more certain estimate, a larger factor or a larger '
            'largest_deviation')
    return limits


def thresholds_text(mechanism: str | Path, settings: Mapping[str, Any],
                    thresholds: Mapping[str, FloatArray], comments: Iterable[str] = ()) -> str:
    """Return a file for `ros2 run mb_contact contact_detector --ros-args --params-file FILE`.

    mechanism: name or path; settings: chosen ones of the detector, by name; thresholds {method:
    (g)}; comments: lines at the top.
    """
    parameters = {'mechanism': str(mechanism)} | {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()}
    parameters |= {NAMES[method]: [float(f'{value:.{_DIGITS}g}') for value in values]
                   for method, values in thresholds.items()}
    text = sections_text({'contact_detector': parameters})
    return ''.join(f'# {line}\n' for line in comments) + text
