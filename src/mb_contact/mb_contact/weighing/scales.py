"""Scales of a tool: its load while it is at its stop, less what it weighs empty."""

from math import hypot, isfinite
from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload import PayloadEstimator, PayloadSettings
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray

IDLE = 'neither at its stop nor emptied'


class Weighing(NamedTuple):
    """One weighing, from stamp to stamp [ns]: mass [kg], also less the empty tool's; NaN: unknown.
    """

    begin: int
    end: int
    empty: bool
    gross: float
    gross_deviation: float
    net: float
    net_deviation: float


class Scales:
    """Weighs the load while the tool is at its stop, and nothing after it was opened.

    Errors of the model and of angles are mostly alike for a full and an empty tool: what the empty
    one weighed is subtracted.
    """

    def __init__(self, mechanism: Mechanism, settings: ToolSettings, payload: PayloadSettings,
                 dt: float) -> None:
        """Set up; dt [s]: from one estimate to the next.  Raises ContactError, MechanismError."""
        if mechanism.circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders carry the tool')
        if settings.angles[-1] not in mechanism.independent:
            raise ContactError(f'angles: {settings.angles[-1]}: expected one of '
                               f'{", ".join(mechanism.independent)}')
        self.estimator = PayloadEstimator(mechanism, [settings.load], payload, dt)
        self._settings, self._motion = settings, 3 * mechanism.g
        self._noise = settings.pressure_sigma ** 2 * np.eye(len(mechanism.circuit.volumes))
        self._angle = mechanism.independent.index(settings.angles[-1])
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.estimator.reset()
        self._empty: bool | None = None
        self._begin = self._seen = 0
        self._found = (np.nan, np.inf)
        self._tare: tuple[float, float] | None = None
        self.reason = IDLE

    @property
    def running(self) -> Weighing | None:
        """The weighing so far, None if there is none."""
        if self._empty is None:
            return None
        mass, deviation = self._found
        tare = (np.nan, np.nan) if self._tare is None or self._empty else self._tare
        return Weighing(self._begin, self._seen, self._empty, mass, deviation, mass - tare[0],
                        hypot(deviation, tare[1]))

    def add(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray,
            p: FloatArray, covariance: FloatArray, at_stop: bool) -> Weighing | None:
        """Add an estimate and pressures (v) [Pa]; return a Weighing that has just ended.

        covariance (3g, 3g): of the motion; at_stop: whether there is a reading of the stop.
        """
        settings, done = self._settings, None
        opened = bool(z[self._angle] > settings.opened)
        if opened or at_stop:
            if self._empty is not opened:
                done = self._end(stamp)
                self._empty, self._begin = opened, stamp
                self.estimator.reset()
            self._seen = stamp
        if self._empty is None:
            self.reason = IDLE
            return done
        if stamp - self._seen > 1e9 * (settings.emptied if self._empty else settings.shown):
            return self._end(stamp)
        size, motion = self._motion + len(p), self._motion
        joint = np.zeros((size, size))
        joint[:motion, :motion] = covariance[:motion, :motion]
        joint[motion:, motion:] = self._noise
        payload = self.estimator.update(stamp, z, zd, zdd, p, joint, q=q)
        self._found = float(payload.mass[0]), float(payload.deviation[0])
        self.reason = str(payload.reason)
        return done

    def _end(self, stamp):
        """End a weighing; return it if it found a mass."""
        found = self.running
        self._empty, self._found = None, (np.nan, np.inf)
        if found is None or not isfinite(found.gross):
            return None
        if found.empty:
            self._tare = found.gross, found.gross_deviation
        return found._replace(end=stamp)
