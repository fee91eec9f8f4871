"""The length of a cylinder without an encoder: known where its piston presses against a stop."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism, Settings, setting
from mb_sensors.errors import SensorError

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

    A stop gives way by the force on it over its stiffness: the force of the pressures, less what it
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
        place, record = list(circuit.cylinders).index(cylinder), circuit.record[0]
        self._areas = record['area'][2 * place], record['area'][2 * place + 1]
        first = float(record['retracted'][place])
        self._ends = first, first + float(record['stroke'][place])
        self._stiffness = float(record['stop_stiffness'][place])
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
