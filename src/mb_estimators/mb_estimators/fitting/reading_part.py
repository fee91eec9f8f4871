"""Zeros of encoders and lash behind them among the unknowns of a fit."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.recorded_part import RecordedPart
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray, Selection
from mb_sensors import NANOSECONDS, EncoderMotion, sensors_of

ZEROS, LASH = 'zeros.', 'lash'
_ZERO = 0.1             # rad or m, deviation of a zero of which the file says none
_STEP = 1e-4            # rad or m, for derivatives where coordinates depend on each other


@dataclass(frozen=True)
class EncoderReadings:
    """What the motion of a recording comes from.

    source: EncoderMotion; sensors (g): names, of each channel; torques (r, d): forces of drives at
    its stamps; chosen (k): which instants of its motion are used.
    """

    source: EncoderMotion
    sensors: tuple[str, ...]
    torques: FloatArray
    chosen: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    def __getitem__(self, chosen: Selection) -> 'EncoderReadings':
        """Return them for some of the instants, by a mask or a slice."""
        return replace(self, chosen=self.chosen[chosen])


class ReadingPart(RecordedPart):
    """Unknown zeros of encoders, one for each bag, and lash of drives.

    Read is the coordinate + zero + lash tanh(u / lash_force), where u follows the recorded force
    within lash_time, as of `pulse_ekf`: the motor leads its joint.  paths:
    'zeros.<encoder>.<number of the bag>' and 'known_forces.<drive>.lash', at first 0.  spread (p):
    deviations before, of a zero as the encoder's bias_sigma, inf of lash.
    """

    def __init__(self, mechanism: Mechanism, drives: Sequence[str], paths: Sequence[str],
                 settings: FitSettings) -> None:
        """Set up for drives (d), in the order of their forces."""
        self.spread = np.array([
            (sensors_of(mechanism, [_encoder(path)])[0].settings.bias_sigma or
             settings.prior_deviation * _ZERO) if path.startswith(ZEROS) else np.inf
            for path in paths])
        self._drives, self._settings = tuple(drives), settings
        super().__init__(paths, np.zeros(len(paths)), np.where(
            [path.startswith(ZEROS) for path in paths], -np.inf, 0.0))

    def of_bag(self, number: int, encoders: EncoderReadings | None) -> 'BagReadings':
        """Return how unknowns change the motion of a bag (from 0); without encoders not at all.

        Raises FitError.
        """
        count = len(encoders.torques) if encoders is not None else 0
        columns = np.zeros((count, len(encoders.sensors) if encoders is not None else 0,
                            len(self.paths)))
        for k, path in enumerate(self.paths if encoders is not None else ()):
            assert encoders is not None
            if path.startswith(ZEROS):
                if path.endswith(f'.{number + 1}'):
                    columns[:, encoders.sensors.index(_encoder(path)), k] = 1.0
                continue
            drive = path.removeprefix(KNOWN_FORCES).rpartition('.')[0]
            if drive not in encoders.source.names:
                raise FitError(f'{path}: no encoder reads {drive}')
            columns[:, encoders.source.names.index(drive), k] = self._lead(
                encoders, self._drives.index(drive))
        return BagReadings(encoders, columns)

    def _lead(self, encoders: EncoderReadings, drive: int) -> FloatArray:
        """Return how far the motor of a drive leads its joint at each reading (r), of its lash."""
        settings, u = self._settings, encoders.torques[:, drive]
        kept = np.exp(-np.diff(encoders.source.stamps) / NANOSECONDS / settings.lash_time)
        loaded = u.copy()
        for k, share in enumerate(kept):
            loaded[k + 1] = share * loaded[k] + (1.0 - share) * u[k + 1]
        return np.tanh(loaded / settings.lash_force)


def _encoder(path: str) -> str:
    """Return the name of the encoder of a zero, by its path."""
    return path.removeprefix(ZEROS).rpartition('.')[0]


class BagReadings:
    """How the motion of a bag changes with the unknowns of a ReadingPart."""

    def __init__(self, encoders: EncoderReadings | None, columns: FloatArray) -> None:
        """Set up; columns (r, g, p): what is read more by unit of each unknown."""
        self._encoders, self._columns = encoders, columns
        self._own = [k for k in range(columns.shape[2]) if np.any(columns[:, :, k])]
        self._constant: FloatArray | None = None

    def at(self, x: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the change of the motion (k, 3 g) and its derivatives (k, 3 g, p); None: none.

        Raises MechanismError.
        """
        if self._encoders is None or not self._own:
            return None
        source, chosen = self._encoders.source, self._encoders.chosen
        if source.is_direct:
            if self._constant is None:
                self._constant = self._slopes(np.zeros(len(x)), 1.0)
            return self._constant @ x, self._constant
        return source.changed(-self._columns @ x)[chosen], self._slopes(x, _STEP)

    def _slopes(self, x: FloatArray, step: float) -> FloatArray:
        assert self._encoders is not None
        source, chosen = self._encoders.source, self._encoders.chosen
        middle = self._columns @ x
        slopes = np.zeros((len(chosen), 3 * self._columns.shape[1], len(x)))
        for k in self._own:
            unit = step * self._columns[:, :, k]
            slopes[:, :, k] = (source.changed(-middle - unit) - source.changed(-middle + unit))[
                chosen] / (2.0 * step)
        return slopes
