"""Forces that sensors read, at stamps in between theirs: pressures and torques of motors."""

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
import sys
from typing import Any

import numpy as np

from mb_contact.arguments import one_on_each
from mb_contact.detection.messages import STATE, STATE_TYPE
from mb_contact.payload.motion import Instant, Motion, motion_of, square
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_sensors import by_topic

_MOST_READINGS = 5000         # readings of a sensor that are kept at most
_MOST_STATES = 1000         # states that wait for readings


class ReadingTracks:
    """Readings of sensors, one number each, between which a line goes.

    Across more than `longest_gap` [ns] nothing is known.
    """

    def __init__(self, count: int, longest_gap: int) -> None:
        """Set up for a number of sensors."""
        self._stamps: list[list[int]] = [[] for _ in range(count)]
        self._values: list[list[float]] = [[] for _ in range(count)]
        self._longest_gap = longest_gap

    def add(self, sensor: int, stamp: int, value: float) -> None:
        """Add a reading of a sensor, by its number; the first one of a stamp [ns] counts."""
        stamps, values = self._stamps[sensor], self._values[sensor]
        index = bisect_left(stamps, stamp)
        if index < len(stamps) and stamps[index] == stamp:
            return
        stamps.insert(index, stamp)
        values.insert(index, value)
        if len(stamps) > _MOST_READINGS:
            del stamps[0], values[0]

    @property
    def known(self) -> int | None:
        """The stamp [ns] up to which all sensors have been read, None before the first."""
        if not all(self._stamps):
            return None
        return min((stamps[-1] for stamps in self._stamps), default=sys.maxsize)

    def at(self, stamp: int) -> FloatArray | None:
        """Return what the sensors read at a stamp [ns], None where one of them is not known."""
        values_at = [self._between(stamps, values, stamp)
                     for stamps, values in zip(self._stamps, self._values, strict=True)]
        return None if None in values_at else np.array(values_at, dtype=np.float64)

    def forget_before(self, stamp: int) -> None:
        """Forget what no stamp [ns] from this one on needs."""
        for stamps, values in zip(self._stamps, self._values, strict=True):
            last = bisect_left(stamps, stamp) - 1
            if last > 0:
                del stamps[:last], values[:last]

    def _between(self, stamps: list[int], values: list[float], stamp: int) -> float | None:
        index = bisect_left(stamps, stamp)
        if index < len(stamps) and stamps[index] == stamp:
            return values[index]
        if not 0 < index < len(stamps) or stamps[index] - stamps[index - 1] > self._longest_gap:
            return None
        share = (stamp - stamps[index - 1]) / (stamps[index] - stamps[index - 1])
        return values[index - 1] + share * (values[index] - values[index - 1])


class ReadForces:
    """Instants from MechanismStates, and from readings of sensors at any stamps.

    A reading holds at its stamp, with a line to the next one.  A state waits until all sensors have
    been read at its stamp or later.  The deviation of readings (sigma of the sensors) enters the
    covariance, a torque's as the acceleration that it makes, by the masses of the file.
    Without sensors states are complete as they come.
    topics: (name, type) of each input; lost: states at which a sensor is not known.
    """

    def __init__(self, mechanism: Mechanism, pressures: Sequence[str],
                 torque_sensors: Sequence[str], longest_gap: float,
                 unknown_forces: Sequence[str] = ()) -> None:
        """Set up for names of sensors or groups: one of each volume, one on each drive.

        longest_gap [s]: between two readings of a sensor; unknown_forces: drives that need no
        sensor.  Raises ContactError, SensorError.
        """
        self._mechanism, self._longest_gap = mechanism, round(1e9 * longest_gap)
        volumes = tuple(mechanism.circuit.volumes) if mechanism.circuit else ()
        gauges = one_on_each(mechanism, 'pressures', pressures, 'pressure', volumes)
        drives = [name for name in mechanism.drives if name not in unknown_forces
                  ] if torque_sensors else []
        motors = one_on_each(mechanism, 'torque_sensors', torque_sensors, 'motor_torque', drives)
        self._volumes = len(gauges)
        self._drives = [mechanism.coordinates.index(sensor.body) for sensor in motors]
        sensors = [*gauges, *motors]
        self._variance = np.square([sensor.settings.sigma for sensor in sensors])
        self._number = {sensor.name: k for k, sensor in enumerate(sensors)}
        self._readers = list(by_topic(sensors).items())
        self.topics = ((STATE, STATE_TYPE),
                       *((name, topic.message_type) for name, topic in self._readers))
        self.reset()

    def reset(self) -> None:
        """Forget all messages."""
        self._tracks = ReadingTracks(len(self._number), self._longest_gap)
        self._states, self.lost = deque(), 0

    def add(self, stream: int, stamp: int, message: Any) -> list[Instant]:
        """Add a message of an input, by its number; return the Instants that are complete.

        Raises ValueError for a message that is not usable.
        """
        if stream == 0:
            self._wait(stamp, message)
        else:
            name, topic = self._readers[stream - 1]
            readings = [(self._number[sensor], values[0]) for sensor, values
                        in topic.readings(message) if values and sensor in self._number]
            if not all(np.isfinite(value) for _, value in readings):
                raise ValueError(f'{name}: a reading is not finite')
            for number, value in readings:
                self._tracks.add(number, stamp, value)
        return self._complete()

    def _wait(self, stamp: int, message: Any) -> None:
        g = self._mechanism.g
        motion = motion_of(self._mechanism, message)
        if any(part.shape != (g,) for part in motion[:3]):
            raise ValueError(f'{STATE}: z, zd, zdd: expected {g} numbers each')
        covariance = square(STATE, message.covariance, g, 2 * g, 3 * g)
        self._states.append((stamp, message.header.frame_id, motion, covariance))
        if len(self._states) > _MOST_STATES:
            self._states.popleft()
            self.lost += 1

    def _complete(self) -> list[Instant]:
        known, complete = self._tracks.known, []
        while self._states and known is not None and self._states[0][0] <= known:
            stamp, frame, motion, covariance = self._states.popleft()
            values = self._tracks.at(stamp)
            if values is None:
                self.lost += 1
                continue
            self._tracks.forget_before(stamp - self._longest_gap)
            complete.append(self._instant(stamp, frame, motion, covariance, values))
        return complete

    def _instant(self, stamp: int, frame: str, motion: Motion, covariance: FloatArray,
                 values: FloatArray) -> Instant:
        v, g = self._volumes, self._mechanism.g
        whole = np.zeros((3 * g + v, 3 * g + v))
        whole[:len(covariance), :len(covariance)] = covariance
        whole[3 * g:, 3 * g:] = np.diag(self._variance[:v])
        forces = None
        if self._drives:
            per_torque, made = self._effects(motion)
            forces = per_torque @ values[v:]
            whole[2 * g:3 * g, 2 * g:3 * g] += made * self._variance[v:] @ made.T
        return Instant(stamp, frame, *motion, values[:v], whole, forces, '')

    def _effects(self, motion: Motion) -> tuple[FloatArray, FloatArray]:
        """Return forces on z and accelerations per torque of each drive (g, d); NaN if unknown."""
        try:
            per_torque = self._per_torque(motion)
            return per_torque, np.linalg.solve(self._inertia(motion.z), per_torque)
        except (MechanismError, np.linalg.LinAlgError):
            unknown = np.full((self._mechanism.g, len(self._drives)), np.nan)
            return unknown, unknown

    def _per_torque(self, motion: Motion) -> FloatArray:
        """Return the forces on z per torque of each drive (g, d)."""
        mechanism = self._mechanism
        q = motion.q if motion.q.size == mechanism.n else mechanism.assemble(motion.z)
        return np.array([mechanism.velocity(q, one)[self._drives]
                         for one in np.eye(mechanism.g)])

    def _inertia(self, z: FloatArray) -> FloatArray:
        """Return the mass matrix (g, g) of z."""
        rest = np.zeros(self._mechanism.g)
        still = self._mechanism.inverse_dynamics(z, rest, rest)
        return np.array([self._mechanism.inverse_dynamics(z, rest, one) - still
                         for one in np.eye(self._mechanism.g)]).T
