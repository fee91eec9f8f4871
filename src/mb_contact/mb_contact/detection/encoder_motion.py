"""Pose and velocity of states by encoders, where the estimate gives accelerations alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.detection.gathered import Gathered
from mb_contact.detection.state import State
from mb_contact.external_force.encoder_pose import pose_of
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.file_api import stamp_of
from mb_sensors import by_topic, coordinates_read, sensors_of

_TURN = 2.0 * np.pi


class EncoderMotion:
    """Gives States the pose and velocity that encoders read, with their covariance.

    Speeds are slopes between a reading and the one before.  Source: Mohammad et al. 2025, Sec.
    III-A, which does not say how it has speeds.

    topic, type_name: of the encoders.
    """

    def __init__(self, mechanism: Mechanism, names: Sequence[str]) -> None:
        """Set up for encoders or groups of them by name, as many as degrees of freedom.

        Raises ContactError, SensorError.
        """
        sensors, where = sensors_of(mechanism, names), f'{mechanism.file}: encoders'
        if mechanism.model['charts'][0]:
            raise ContactError(f'{where}: not with orientations, which have no encoder')
        self._coordinates = coordinates_read(mechanism, sensors)
        topics = by_topic(sensors)
        if len(topics) > 1:
            raise ContactError(f'{where}: topics {", ".join(topics)}, expected one topic of all')
        (self.topic, self._topic), = topics.items()
        self.type_name = self._topic.message_type
        self._mechanism, self._names = mechanism, [sensor.name for sensor in sensors]
        self._wraps = np.array([sensor.turns is not None for sensor in sensors])
        self._variances = np.array([sensor.settings.sigma ** 2 for sensor in sensors])
        self._independent = mechanism.indices(mechanism.independent)
        self._rows = mechanism.indices(self._coordinates)
        self.reset()

    def reset(self) -> None:
        """Forget all readings, on the branch of the file."""
        self._gathered = Gathered(self._names)
        self._read: dict[int, FloatArray] = {}      # by stamp, increasing
        self._q = self._mechanism.q0

    def take(self, message: Any) -> list[tuple[int, FloatArray]]:
        """Return [(stamp [ns], angles (g))] that a message completes.

        Raises ValueError for a message without a reading, or with one that is not finite.
        """
        read = {name: values[0] for name, values in self._topic.readings(message) if values}
        if not read:
            raise ValueError(f'no reading of {", ".join(self._names)}')
        for name, value in read.items():
            if not np.isfinite(value):
                raise ValueError(f'{name}: {value:g} must be finite')
        return self._gathered.take(stamp_of(message), read)

    def hold(self, stamp: int, angles: FloatArray) -> None:
        """Keep the readings of a stamp [ns], newer than all before."""
        self._read[stamp] = angles

    def forget_before(self, stamp: int) -> None:
        """Forget readings before a stamp [ns], but for the last of them."""
        old = [one for one in self._read if one < stamp]
        for one in old[:-1]:
            del self._read[one]

    def moved(self, state: State, longest_gap: int) -> State | None:
        """Return a State with pose and velocity by the encoders.

        None where its stamp has no reading, none was read within longest_gap [ns] before, or no
        pose follows from it.
        """
        angles = self._read.get(state.stamp)
        before = max((one for one in self._read if one < state.stamp), default=None)
        if angles is None or before is None or state.stamp - before > longest_gap:
            return None
        dt, near = 1e-9 * (state.stamp - before), self._q[self._rows]
        slope = self._nearest(angles, self._read[before]) - self._read[before]
        try:
            self._q, zd, inverse = pose_of(
                self._mechanism, self._coordinates, self._nearest(angles, near), slope / dt,
                self._q)
        except (MechanismError, np.linalg.LinAlgError):
            self._q = self._mechanism.q0
            return None
        return state._replace(z=self._q[self._independent], zd=zd, q=self._q,
                              covariance=self._covariance(state.covariance, inverse, dt))

    def _nearest(self, angles: FloatArray, near: FloatArray) -> FloatArray:
        """Return angles (g) in the turn next to others, where encoders begin anew with a turn."""
        return angles + np.where(self._wraps, _TURN * np.round((near - angles) / _TURN), 0.0)

    def _covariance(self, estimated: FloatArray | None, inverse: FloatArray,
                    dt: float) -> FloatArray | None:
        """Return the covariance, of z and zd by the encoders, without correlation to zdd."""
        g = self._mechanism.g
        if estimated is None or len(estimated) < 2 * g:
            return estimated
        of_z = (inverse * self._variances) @ inverse.T
        covariance = estimated.copy()
        covariance[:2 * g], covariance[:, :2 * g] = 0.0, 0.0
        covariance[:2 * g, :2 * g] = np.kron([[1.0, 1.0 / dt], [1.0 / dt, 2.0 / dt ** 2]], of_z)
        return covariance
