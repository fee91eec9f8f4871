"""The motion of a mechanism at the instants of a recording: of states, or of encoders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import BSpline, make_lsq_spline

from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray, Selection
from mb_model.file_api import STATE_TYPE
from mb_sensors.bag import Bag
from mb_sensors.encoder_turns import BEYOND, TURN
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.kinds import sensor_kinds
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor


@dataclass(frozen=True)
class RecordedMotion:
    """Motion at increasing stamps (k) [ns].

    z, zd, zdd (k, g); covariance (k, 3 g, 3 g) of these together, None where none is known.
    """

    stamps: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    covariance: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.stamps)

    def __getitem__(self, chosen: Selection) -> 'RecordedMotion':
        """Return the motion at some of the instants, by a mask or a slice."""
        covariance = None if self.covariance is None else self.covariance[chosen]
        return RecordedMotion(self.stamps[chosen], self.z[chosen], self.zd[chosen],
                              self.zdd[chosen], covariance)

    def states(self, mechanism: Mechanism) -> FloatArray:
        """Return q, qd and qdd (3, k, n) of a mechanism that moves so; raises MechanismError."""
        q, rows = mechanism.q0, []
        for z, zd, zdd in zip(self.z, self.zd, self.zdd, strict=True):
            q = mechanism.assemble(z, q)
            qd = mechanism.velocity(q, zd)
            rows.append((q, qd, mechanism.acceleration(q, qd, zdd)))
        return np.swapaxes(rows, 0, 1)


def read_motion(bag: Bag, mechanism: Mechanism, topic: str) -> RecordedMotion:
    """Return the RecordedMotion of the MechanismStates on a topic of a Bag.

    Of several states at one stamp the last counts.  Raises ValueError.
    """
    def of_mechanism(state: Any) -> Any:
        if tuple(state.independent) != mechanism.independent:
            raise ValueError(f'{topic}: degrees of freedom {", ".join(state.independent)}, but '
                             f'{mechanism.name} has {", ".join(mechanism.independent)}')
        if {len(state.z), len(state.zd), len(state.zdd)} != {mechanism.g}:
            raise ValueError(f'{topic}: not {mechanism.g} numbers for as many degrees of freedom')
        return state

    by_stamp = dict(bag.alike(bag.named(topic, STATE_TYPE), lambda state: len(state.covariance),
                              of_mechanism))
    states = [by_stamp[stamp] for stamp in sorted(by_stamp)]
    if not states:
        raise ValueError(f'{topic}: no message')
    size = (3 * mechanism.g) ** 2
    covariance = None
    if len(states[0].covariance) == size:
        covariance = np.array([state.covariance for state in states]).reshape(
            len(states), 3 * mechanism.g, 3 * mechanism.g)
    z, zd, zdd = (
        np.array([getattr(state, name) for state in states]) for name in ('z', 'zd', 'zdd'))
    return RecordedMotion(np.array(sorted(by_stamp)), z, zd, zdd, covariance)


_DEGREE = 5         # of the spline: its second derivative is still smooth
_ENDS = 3           # knots at either end between which the spline is held by one side alone
_PATCH = 12         # knots to either side for the uncertainty of one position
_SPACINGS, _SHORTEST, _MOST, _LONGEST = 12, 4, 40, 1.0      # tried: readings, knots, time [s]


class EncoderMotion:
    """The motion that readings of encoders show, and how it changes with them.

    names (g): of the coordinates that channels read; stamps (k) [ns] of the whole readings; motion:
    a RecordedMotion between its ends.
    """

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], stamps: IntArray,
                 readings: FloatArray, knot_spacing: float) -> None:
        """Set up; see motion_of_encoders."""
        self.names = coordinates_read(mechanism, sensors)
        whole = np.isfinite(readings).all(axis=1)
        self.stamps = stamps = np.asarray(stamps)[whole]
        t = (stamps - stamps[0]) / NANOSECONDS if len(stamps) else np.empty(0)
        knot_spacing = knot_spacing or fitting_spacing(t, np.unwrap(readings[whole], axis=0))
        count = int(t[-1] / knot_spacing) if len(t) else 0
        if count < 4 * _ENDS or len(t) < 2 * count:
            raise SensorError(f'encoders: {len(t)} whole readings are too few for a spline with '
                              f'knots every {knot_spacing:g} s')
        self._mechanism, self._sensors, self._readings = mechanism, sensors, readings[whole]
        self._t, self._knots = t, np.linspace(0.0, t[-1], count + 1)
        self._z = z = _positions(mechanism, sensors, self.names, self._readings)
        spline = _spline(t, z, self._knots)
        left_over = np.sqrt(np.sum((z - spline(t)) ** 2, axis=0) / (len(t) - count - _DEGREE))
        covariance = np.kron(_spread(t[-1] / count, t[-1] / (len(t) - 1)),
                             np.diag(left_over ** 2))
        self._inside = (t >= self._knots[_ENDS]) & (t <= self._knots[-1 - _ENDS])
        t, stamps = t[self._inside], stamps[self._inside]
        z, zd, zdd = (spline(t, nu) for nu in range(3))
        self.motion = RecordedMotion(stamps, z, zd, zdd,
                                     np.broadcast_to(covariance, (len(t), *covariance.shape)))

    @property
    def is_direct(self) -> bool:
        """Whether the coordinates that are read are the degrees of freedom."""
        return set(self.names) == set(self._mechanism.independent)

    def changed(self, readings: FloatArray) -> FloatArray:
        """Return by how much z, zd and zdd (k, 3 g) of the motion change if readings (k, g) do.

        Raises MechanismError.
        """
        if self.is_direct:
            z = readings[:, [self.names.index(name) for name in self._mechanism.independent]]
        else:
            z = _positions(self._mechanism, self._sensors, self.names,
                           self._readings + readings) - self._z
        spline = _spline(self._t, z, self._knots)
        return np.concatenate([spline(self._t[self._inside], nu) for nu in range(3)], axis=1)


def motion_of_encoders(mechanism: Mechanism, sensors: Sequence[Sensor], stamps: IntArray,
                       readings: FloatArray, knot_spacing: float) -> RecordedMotion:
    """Return the RecordedMotion from encoders, with its covariance; ends are left out.

    sensors: of coordinates, as many channels as degrees of freedom; stamps (k) [ns], readings (k,
    channels): rows with a reading missing are left out; knot_spacing [s]: the shorter, the faster
    motions are followed and the more noise is in them; 0: as the readings allow, see
    fitting_spacing.  The covariance is of the spline's fit, by its residuals.  Raises SensorError,
    MechanismError.
    """
    return EncoderMotion(mechanism, sensors, stamps, readings, knot_spacing).motion


def _spline(t: FloatArray, z: FloatArray, knots: FloatArray) -> BSpline:
    """Return the spline through z (k, g) at t (k), from the first of equal knots to the last."""
    around = np.r_[np.full(_DEGREE, knots[0]), knots, np.full(_DEGREE, knots[-1])]
    return make_lsq_spline(t, z, around, _DEGREE)


def fitting_spacing(t: FloatArray, z: FloatArray) -> float:
    """Return the knot spacing [s] of the spline that would predict further readings best.

    By generalised cross-validation (Craven and Wahba 1979) of z (k, g) at increasing t (k) [s], of
    all columns together; the shortest one that may be where readings are few.
    """
    if len(t) <= 4 * _MOST:
        return _SHORTEST * t[-1] / len(t) if len(t) else 1.0
    best = np.inf, 0.0
    for spacing in np.geomspace(_SHORTEST * t[-1] / len(t), min(t[-1] / _MOST, _LONGEST),
                                _SPACINGS):
        knots = np.linspace(0.0, t[-1], int(t[-1] / spacing) + 1)
        try:
            left = np.sum((z - _spline(t, z, knots)(t)) ** 2, axis=0)
        except (ValueError, np.linalg.LinAlgError):     # no reading between some knots
            continue
        score = float(np.sum(np.log(left + 1e-300)) - 2.0 * z.shape[1] * np.log(
            len(t) - len(knots) - _DEGREE + 1))
        best = min(best, (score, spacing))
    return float(best[1]) or t[-1] / _MOST


def coordinates_read(mechanism: Mechanism, sensors: Sequence[Sensor]) -> list[str]:
    """Return the names of the coordinates that encoders read (g); raises SensorError."""
    names = []
    for sensor in sensors:
        for record in sensor.records:
            if sensor.turns is not None and sensor.turns.coordinate:
                names.append(sensor.turns.coordinate)
                continue
            if not sensor_kinds()[sensor.kind].reads_coordinate or record['coordinate'] < 0:
                raise SensorError(f'{sensor.name}: reads no coordinate of {mechanism.name}; '
                                  'encoders of coordinates are expected')
            names.append(mechanism.coordinates[record['coordinate']])
    if len(names) != mechanism.g:
        raise SensorError(f'encoders of {", ".join(names) or "nothing"}: expected encoders of '
                          f'{mechanism.g} coordinates, as many as degrees of freedom')
    return names


def _positions(mechanism: Mechanism, sensors: Sequence[Sensor], names: Sequence[str],
               readings: FloatArray) -> FloatArray:
    """Return z (k, g) from readings of coordinates (k, g); single-turn ones on the nearest turn."""
    z, q = np.empty_like(readings), mechanism.q0
    turns = [sensor.turns for sensor in sensors for _ in sensor.channels]
    counting = np.array([one is None or bool(one.counts) or (
        one.counts is None and bool((abs(column) > BEYOND).any()))
        for one, column in zip(turns, readings.T, strict=True)], bool)
    indices, independent = mechanism.indices(names), mechanism.indices(mechanism.independent)
    start = [angle if one is None or counts else one.nearest(angle, near)[0]
             for one, counts, angle, near in zip(turns, counting, readings[0], q[indices],
                                                 strict=True)]
    away = start - readings[0]
    for k, row in enumerate(readings):
        if k > 0:
            away = np.where(counting, 0.0, TURN * np.round((q[indices] - row) / TURN))
        q = mechanism.forward_kinematics(names, row + away, q)
        z[k] = q[independent]
    return z


def _spread(knot_spacing: float, period: float) -> FloatArray:
    """Return the covariance (3, 3) of a spline's value, slope and bend for readings of variance 1.

    In the middle of many knots, mean over positions between two of them; period [s]: of readings.
    """
    knots = knot_spacing * np.arange(-_PATCH, _PATCH + 1.0)
    t = np.arange(knots[_DEGREE], knots[-1 - _DEGREE], period)
    design = BSpline.design_matrix(t, knots, _DEGREE).toarray()
    normal = np.linalg.pinv(design.T @ design)
    unit, count = np.eye(design.shape[1]), 10
    at = knot_spacing * (np.arange(count) + 0.5) / count
    rows = np.stack([BSpline(knots, unit, _DEGREE)(at, nu) for nu in range(3)], axis=1)
    return np.mean(rows @ normal @ np.swapaxes(rows, 1, 2), axis=0)
