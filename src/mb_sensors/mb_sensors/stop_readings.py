"""Readings of a cylinder's length at its stops, from streams of pressures and gyroscopes."""

from collections import deque
from collections.abc import Mapping, Sequence
import math

import numpy as np

from mb_model import Mechanism
from mb_sensors.end_stops import EndStops
from mb_sensors.errors import SensorError
from mb_sensors.sampling import Sampler, readings_between
from mb_sensors.selection import sensors_of

_NOTED = 10.0           # rates a second that a median is of [Hz]
_REMEMBERED = 3000      # of these


class StopReadings:
    """Gives readings of linear encoders that are none: at the ends of a cylinder's stroke.

    Readings of one stamp make an instant; instants come in order.  The median rate at which the
    bodies turn against each other is due to biases: a machine turns to and fro.
    """

    def __init__(self, mechanism: Mechanism, cylinder: str, stops: Mapping[str, str],
                 pressures: Sequence[str], gyroscopes: Sequence[str], axis: int) -> None:
        """Set up.

        cylinder: of the hydraulics; stops: 'retracted', 'extended' or both -> linear encoders of
        one rate; pressures: sensors at the piston and at the rod; gyroscopes: on the bodies that
        the cylinder moves against each other, the farther one last; axis: of these, 0 to 2.
        Raises SensorError.
        """
        self._stops, self._ends = dict(stops), EndStops(mechanism, cylinder)
        if not self._stops:
            raise SensorError(f'{cylinder}: no stop is named, expected one or both')
        self.sensors = sensors_of(mechanism, list(self._stops.values()))
        for sensor in self.sensors:
            if sensor.kind != 'linear_encoder' or not sensor.settings.sporadic:
                raise SensorError(f'{sensor.name}: expected a linear_encoder that is sporadic')
        self._read = (*pressures, *gyroscopes)
        known = {sensor.name: sensor.kind for sensor in sensors_of(mechanism, list(self._read))}
        if [known[name] for name in self._read] != 2 * ['pressure'] + 2 * ['gyroscope']:
            raise SensorError(f'{", ".join(self._read)}: expected two pressure sensors and two '
                              'gyroscopes')
        self._axis, self._rate = axis, self.sensors[0].rate
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._ends.reset()
        self._waiting: dict[int, dict[str, Sequence[float]]] = {}
        self._rates: deque[float] = deque(maxlen=_REMEMBERED)
        self._noting, self._median = Sampler(_NOTED), 0.0
        self._last = -1

    def add(self, stamp: int, sensor: str,
            values: Sequence[float]) -> tuple[int, dict[str, float]] | None:
        """Add a reading; return (stamp [ns], length [m] by encoder, NaN elsewhere) if one is due.

        Readings out of order and impossible ones are left out.
        """
        if stamp <= self._last or sensor not in self._read or not all(map(math.isfinite, values)):
            return None
        instant = self._waiting.setdefault(stamp, {})
        instant[sensor] = values
        if len(instant) < len(self._read):
            return None
        self._last = stamp
        self._waiting = {s: one for s, one in self._waiting.items() if s > stamp}
        piston, rod, near, far = (instant[name] for name in self._read)
        rate = far[self._axis] - near[self._axis]
        if self._noting.due(stamp) is not None:
            self._rates.append(rate)
            self._median = float(np.median(self._rates))
        found = self._ends.update(stamp, piston[0], rod[0], rate - self._median)
        if not readings_between(None, stamp, self._rate):
            return None
        stop, length = found or ('', math.nan)
        return stamp, {name: length if stop == end else math.nan
                       for end, name in self._stops.items()}
