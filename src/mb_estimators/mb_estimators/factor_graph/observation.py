"""Observation factor: what a sensor reads of a node."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from mb_estimators.filter import FilterError
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor
from mb_sensors.kernel_api import difference, measure, measurement_jacobian


class Observation:
    """A reading of a sensor as rows h(q, qd, qdd) - reading, of nodes with all coordinates.

    f_obs of Blanco-Claraco et al. 2021, Eq. (17).  Angles whose whole turns a sensor does not know
    differ by half a turn at most; rotations in space count from the reading, with derivatives that
    are exact along motions.
    """

    def __init__(self, mechanism: Mechanism, sensor: Sensor, value: ArrayLike,
                 parts: tuple[slice, slice, slice]) -> None:
        """Set up; value (channels): the reading; parts: q, qd and qdd in a node.

        Raises FilterError for a reading of another size, or of what the motion does not determine.
        """
        if not len(sensor.records):
            raise FilterError(f'reading: {sensor.name}: the motion alone does not determine what '
                              'it reads')
        self.rows = len(sensor.records)
        self._reading = np.atleast_1d(np.asarray(value, float)).copy()
        if self._reading.shape != (self.rows,) or not np.isfinite(self._reading).all():
            raise FilterError(f'reading: {sensor.name}: {value} must be {self.rows} finite numbers')
        self._channels, self._parts, self._n = sensor.records.copy(), parts, mechanism.n
        for first in np.flatnonzero(self._channels['rotation'] == 1):
            axes = slice(first, first + 3)
            self._channels['reference'][axes] = Rotation.from_rotvec(
                self._reading[axes]).as_matrix()
            self._reading[axes] = 0.0
        work = mechanism.workspace()[0]
        self._motion = [work[name].copy() for name in ('q', 'qd', 'qdd')]     # fixed points behind
        self._by = [np.zeros_like(one) for one in self._motion]
        self._values = np.zeros(self.rows)

    def error(self, node: FloatArray, e: FloatArray, J: FloatArray) -> bool:
        """Write the rows and their derivatives; returns True."""
        for whole, part in zip(self._motion, self._parts, strict=True):
            whole[:self._n] = node[part]
        measure(self._channels, *self._motion, self._values)
        for k in range(self.rows):
            channel = self._channels[k]
            e[k] = -difference(channel, self._reading[k], self._values[k])
            measurement_jacobian(channel, *self._motion, *self._by)
            for part, by in zip(self._parts, self._by, strict=True):
                J[k, part] = by[:self._n]
        return True
