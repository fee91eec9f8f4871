"""Motion capture whose points have no labels: which marker each of them is."""

from collections.abc import Collection
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from scipy.special import chdtri

from mb_estimators.filter import Estimate, FilterError
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors import Sensor, measured

_KIND = 'position'
_REFUSED = 1e9           # cost of a pair that the gate leaves out


@dataclass(frozen=True)
class AssociationSettings(Settings):
    """How points are associated with markers."""

    gate_probability: float = setting(
        0.9999, at_least=0.5, at_most=0.999999,
        help='Share of points of a marker that are as near to where it is expected')
    ambiguity: float = setting(
        0.01, above=0.0, at_most=0.5,
        help='Chance of the next best association beside the best, from which on a marker is '
             'ambiguous, and not read')


@dataclass(frozen=True)
class Association:
    """Points of an instant, associated.

    labels: the marker (a sensor) of each point, '' for points that are no marker's; ambiguous:
    markers that other points, or other markers' points, fit nearly as well; missing: markers
    without a point; readings (channels): for the filter, NaN of all others.
    """

    labels: tuple[str, ...]
    ambiguous: tuple[str, ...]
    missing: tuple[str, ...]
    readings: FloatArray


class MarkerAssociation:
    """Labels of points, by their Mahalanobis distances from where a filter expects its markers.

    The points of all markers are assigned together, so that the sum of the squared distances is
    least (linear sum assignment); pairs beyond a gate are left out.  Markers are sensors of kind
    `position` with all axes.  Source: Rodriguez et al. 2023, Sec. 8 [11]; Bar-Shalom et al. 2011.
    """

    def __init__(self, mechanism: Mechanism, sensors: list[Sensor] | tuple[Sensor, ...],
                 settings: AssociationSettings | None = None) -> None:
        """Set up for the Mechanism of a filter and all of its Sensors.  Raises FilterError."""
        self._mechanism, self._settings = mechanism, settings or AssociationSettings()
        self._channels = SensorChannels(sensors)
        self._markers = {sensor.name: sensor for sensor in sensors if sensor.kind == _KIND}
        for sensor in self._markers.values():
            if len(sensor.channels) != mechanism.dimension:
                raise FilterError(f'{sensor.name}: a marker without a label needs all axes')
        if not self._markers:
            raise FilterError(f'no sensor of the kind {_KIND}: there are no markers to find')

    def associate(self, estimate: Estimate, points: ArrayLike,
                  without: Collection[str] = ()) -> Association:
        """Return the Association of points (k, 2 or 3) [m], NaN for none.

        estimate: of a filter, predicted to the instant; without: markers that are not looked for.
        """
        points = np.asarray(points, float).reshape(-1, self._mechanism.dimension)
        names = [name for name in self._markers if name not in without]
        squares = self._squares(names, estimate, points)
        gate = float(chdtri(self._mechanism.dimension, 1.0 - self._settings.gate_probability))
        near = np.flatnonzero((squares <= gate).any(axis=0))     # few of a large cloud
        cost = np.where(squares[:, near] <= gate, squares[:, near], _REFUSED)
        cost = np.hstack([cost, np.where(np.eye(len(names)) > 0.0, gate, _REFUSED)])
        best, total = _assigned(cost)
        labels, readings = len(points) * [''], np.full(self._channels.count, np.nan)
        ambiguous, missing = [], []
        for row, column in enumerate(best):
            if column >= len(near):
                missing.append(names[row])
                continue
            labels[near[column]] = names[row]
            if self._is_ambiguous(cost, row, column, total):
                ambiguous.append(names[row])
            else:
                readings[self._channels.slices[names[row]]] = points[near[column]]
        return Association(tuple(labels), tuple(ambiguous), tuple(missing), readings)

    def _squares(self, names, estimate, points):
        """Return the squared Mahalanobis distance of points from named markers (m, k)."""
        n, g, q = self._mechanism.n, self._mechanism.g, estimate.q
        P = estimate.covariance[:g, :g]
        still = np.zeros((1, n))
        moved, R = q + np.eye(n), self._mechanism.R(q)
        squares = np.full((len(names), len(points)), np.inf)
        there = np.isfinite(points).all(axis=1)
        for row, name in enumerate(names):
            sensor = self._markers[name]
            marker = measured(self._mechanism, sensor.records, q[np.newaxis], still, still)[0]
            # exact: positions are linear in natural coordinates
            by_q = measured(self._mechanism, sensor.records, moved, *2 * [np.zeros((n, n))])
            H = (by_q - marker).T @ R
            S = H @ P @ H.T + sensor.settings.variance * np.eye(len(marker))
            off = points[there] - marker
            squares[row, there] = np.einsum('ki,ki->k', off, np.linalg.solve(S, off.T).T)
        return squares

    def _is_ambiguous(self, cost, row, column, total):
        """Return whether another association without a pair is nearly as likely as the best."""
        other = cost.copy()
        other[row, column] = _REFUSED
        _, second = _assigned(other)
        return second - total < -2.0 * log(self._settings.ambiguity)


def correct_by_points(filter_: Any, association: MarkerAssociation,
                      points: ArrayLike) -> Association:
    """Correct a filter by points without labels; return their Association.

    Sure markers correct first, then all that become sure by that, until no more do.  Raises
    as Filter.correct does.
    """
    points = np.array(points, float)
    done: dict[str, int] = {}
    readings: FloatArray | None = None
    while True:
        left = points.copy()
        left[list(done.values())] = np.nan
        labelled = association.associate(filter_.estimate, left, done)
        sure = {label: k for k, label in enumerate(labelled.labels)
                if label and label not in labelled.ambiguous}
        if readings is None:
            readings = labelled.readings
        if not sure:
            break
        filter_.correct(labelled.readings)
        readings = np.where(np.isfinite(labelled.readings), labelled.readings, readings)
        done |= sure
    labels = list(labelled.labels)
    for name, k in done.items():
        labels[k] = name
    return Association(tuple(labels), labelled.ambiguous, labelled.missing, readings)


def _assigned(cost: FloatArray) -> tuple[Any, float]:
    """Return the column of every row in the cheapest assignment, and its cost."""
    rows, columns = linear_sum_assignment(cost)
    return columns, float(cost[rows, columns].sum())
