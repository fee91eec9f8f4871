"""The length of a cylinder without an encoder: known where its piston presses against a stop."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math

import numpy as np

from mb_model import Mechanism, Settings, setting
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import Sampler, readings_between
from mb_sensors.selection import sensors_of

RETRACTED, EXTENDED = 'retracted', 'extended'


@dataclass(frozen=True)
class EndStopSettings(Settings):
    """When a piston counts as pressing against its stop."""

    pressed: float = setting(
        15e6, unit='Pa', above=0.0,
        help='One chamber has at least this pressure, more than any load needs')
    drained: float = setting(1e6, unit='Pa', above=0.0, help='The other has no more than this')
    still: float = setting(
        0.035, unit='rad/s', above=0.0,
        help='The bodies that the cylinder moves turn by no more than this against each other, on '
             'average over `held`; biases of gyroscopes are in it')
    held: float = setting(0.3, unit='s', above=0.0, help='So long that all of this must hold')


class EndStops:
    """Reads the length of a cylinder from its two pressures, at the ends of its stroke alone.

    A stop yields by the force on it over its stiffness: the force of the pressures, less what it
    was twice `held` before they rose: while the piston moved it carried the load, which the stop
    carries now.  A piston that something else holds with all
    that the pump gives looks alike: a filter needs to know the length well enough for its gate
    to leave such a reading out.
    """

    def __init__(self, mechanism: Mechanism, cylinder: str,
                 settings: EndStopSettings | None = None) -> None:
        """Set up for a cylinder of the mechanism's hydraulics; raises SensorError."""
        circuit = mechanism.circuit
        if circuit is None or cylinder not in circuit.cylinders:
            known = ', '.join(circuit.cylinders) if circuit else 'none'
            raise SensorError(f'{cylinder}: no cylinder of {mechanism.name}, expected one of '
                              f'{known}')
        self.settings = settings or EndStopSettings()
        index, record = list(circuit.cylinders).index(cylinder), circuit.record[0]
        self._areas = record['area'][2 * index], record['area'][2 * index + 1]
        first = float(record['retracted'][index])
        self._ends = first, first + float(record['stroke'][index])
        self._stiffness = float(record['stop_stiffness'][index])
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._past: deque[tuple[int, float, float]] = deque()    # stamp [ns], force [N], rate
        # since when it is still under such pressures [ns], and the force before these
        self._since: dict[str, tuple[int | None, float]] = {}

    def update(self, stamp: int, piston_pressure: float, rod_pressure: float,
               rate: float) -> tuple[str, float] | None:
        """Return which stop the piston presses against, and the length [m]; None for neither.

        stamp [ns], later than the last one; pressures [Pa]; rate [rad/s]: of the bodies that the
        cylinder moves, against each other.
        """
        settings, held = self.settings, round(1e9 * self.settings.held)
        force = piston_pressure * self._areas[0] - rod_pressure * self._areas[1]
        past = self._past
        past.append((stamp, force, rate))
        while past[0][0] < stamp - 2 * held:
            past.popleft()
        still = abs(np.mean([one for when, _, one in past if when >= stamp - held])) < (
            settings.still)
        for stop, near, far in ((RETRACTED, rod_pressure, piston_pressure),
                                (EXTENDED, piston_pressure, rod_pressure)):
            if not (near >= settings.pressed and far <= settings.drained):
                self._since.pop(stop, None)
                continue
            begin, moving = self._since.get(stop, (None, past[0][1]))
            begin = (stamp if begin is None else begin) if still else None
            self._since[stop] = begin, moving
            if begin is not None and stamp - begin >= held:
                return stop, self._ends[stop == EXTENDED] + (force - moving) / self._stiffness
        return None


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
        reached = self._ends.update(stamp, piston[0], rod[0], rate - self._median)
        if not readings_between(None, stamp, self._rate):
            return None
        stop, length = reached or ('', math.nan)
        return stamp, {name: length if stop == end else math.nan
                       for end, name in self._stops.items()}
