"""A mechanism followed by points without labels alone, so that each of them gets its label."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import DivergenceError, ImpossibleReadingError
from mb_estimators.marker_association import (
    Association,
    AssociationSettings,
    MarkerAssociation,
    correct_by_points,
)
from mb_estimators.plugins import make_filter
from mb_estimators.timeline import HeldInputs, predict_between, seconds
from mb_model import Mechanism, setting
from mb_ros.stamp_jump_guard import StampJumpGuard
from mb_sensors import NANOSECONDS, Sensor


@dataclass(frozen=True)
class MarkerTrackSettings(AssociationSettings):
    """How a mechanism is followed by its markers."""

    estimator: str = setting(
        'kinematic_kf', help='Name of the filter that follows the mechanism from one set of points '
                             'to the next')
    dt: float = setting(0.005, unit='s', above=0.0, at_most=1.0, help='Longest step of that filter')
    lost_after: float = setting(
        1.0, unit='s', above=0.0, at_most=60.0,
        help='Time in which points come, and none of them is a marker, after which the mechanism '
             'is looked for at its start again; also a gap between points that is too long')


class MarkerTrack:
    """Labels points by a filter of its own, which nothing else corrects.

    What it says depends on stamped points alone.  Points that are too old, and points
    whose stamp no other confirms, are counted and left out.

    Attributes: counts, by name: points that were labelled, points that were not, markers missing,
    markers ambiguous, sets of points left out, starts again.
    """

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], rate: float,
                 settings: MarkerTrackSettings | None = None,
                 report: Callable[[str], object] = lambda problem: None) -> None:
        """Set up.

        sensors: the markers, Sensors of kind `position` with all axes; rate: of the points [Hz];
        report: called with a sentence when the mechanism is lost.  Raises ValueError.
        """
        self._settings = settings or MarkerTrackSettings()
        self._mechanism, self._report = mechanism, report
        self._filter = make_filter(self._settings.estimator, mechanism, sensors, self._settings.dt)
        self._association = MarkerAssociation(mechanism, self._filter.sensors, self._settings)
        self._longest = round(self._settings.lost_after * NANOSECONDS)
        self._guard = StampJumpGuard(round(NANOSECONDS / rate), self._longest, self._longest)
        self.counts: Counter[str] = Counter()
        self.reset()

    def reset(self) -> None:
        """Look for the mechanism at its start, with the next points."""
        self._guard.forget()
        self._begin()

    def add(self, stamp: int, points: ArrayLike) -> list[tuple[int, Association]]:
        """Add the points (k, 2 or 3) [m] of a stamp [ns]; return the Associations now sure.

        None where the stamp is in doubt until the next one.
        """
        passage = self._guard.take(stamp, np.asarray(points, float))
        self.counts['left out'] += len(passage.lies)
        if passage.anew:
            self._start_again(f'stamps have jumped to {seconds(passage.believed[0][0])}')
        labelled = ((at, self._labelled(at, given)) for at, given in passage.believed)
        return [(at, association) for at, association in labelled if association is not None]

    def _labelled(self, stamp: int, points: ArrayLike) -> Association | None:
        """Return the Association of points, None where they come too late or say nothing."""
        if self._now is not None and stamp <= self._now:
            self.counts['left out'] += 1
            return None
        if self._now is not None and stamp - self._now > self._longest:
            self._start_again(f'no points for {(stamp - self._now) / NANOSECONDS:.3g} s')
        try:
            if self._now is not None:
                predict_between(self._filter, self._now, stamp, self._settings.dt, HeldInputs())
            self._now = stamp
            association = correct_by_points(self._filter, self._association, points)
        except (DivergenceError, ImpossibleReadingError) as error:
            self._start_again(str(error))
            self.counts['left out'] += 1
            return None
        self._count(association)
        self._watch(stamp, association)
        return association

    def _watch(self, stamp: int, association: Association) -> None:
        """Start again when points come and none has been a marker for too long."""
        if any(association.labels) or not association.labels or self._seen is None:
            self._seen = stamp
        elif stamp - self._seen > self._longest:
            self._start_again(f'none of the points has been a marker for '
                              f'{(stamp - self._seen) / NANOSECONDS:.3g} s')

    def _count(self, association: Association) -> None:
        known = sum(label != '' for label in association.labels)
        self.counts['labelled'] += known
        self.counts['not labelled'] += len(association.labels) - known
        self.counts['missing'] += len(association.missing)
        self.counts['ambiguous'] += len(association.ambiguous)

    def _start_again(self, why: str) -> None:
        self.counts['starts again'] += 1
        self._report(f'{why}: the mechanism is looked for at its start again')
        self._begin()

    def _begin(self) -> None:
        self._filter.reset(self._mechanism.z0, self._mechanism.zd0)
        self._now: int | None = None        # stamp of the filter [ns]
        self._seen: int | None = None       # stamp at which a point was a marker, or none came
