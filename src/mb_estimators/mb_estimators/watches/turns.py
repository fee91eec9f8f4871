"""The whole turns of encoders: chosen at the start, and kept from then on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import pi

import numpy as np

from mb_estimators.state import state_class
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import BEYOND, TURN, EncoderTurns, Sensor

_AGREED = 0.5           # of the turn that two readings in a row ask for, between them
_STEP = 0.3             # of z, in which the mechanism follows [rad or m]
_MOST = 20_000          # steps
_CLOSE = 1e-9           # [rad]


@state_class
class TurnState:
    """Which encoders count turns, as their readings show, and of which the turn is chosen.

    beyond: encoders whose last reading alone shows it; asked: the angle [rad] that the last reading
    of others asked for, far from where the filter is.
    """

    counting: set[str] = field(default_factory=set)
    chosen: set[str] = field(default_factory=set)
    beyond: set[str] = field(default_factory=set)
    asked: dict[str, float] = field(default_factory=dict)


class TurnWatch:
    """Finds where a filter is to start, and which readings contradict the turn it is in.

    A reading that counts turns, or the limits of a single-turn encoder, may be more than half a
    turn from the initial state.  Two such readings in a row decide: the filter starts there.
    Afterwards a reading beyond a turn that is more than half a turn off is left out, not taken for
    another turn.  Two readings BEYOND a turn in a row show that an encoder counts turns of which
    the file does not say so.
    """

    def __init__(self, mechanism: Mechanism | None, sensors: Sequence[Sensor]) -> None:
        """Set up for the Sensors of a filter; mechanism: None if it is not known."""
        self._mechanism = mechanism
        self._encoders: dict[str, tuple[EncoderTurns, int]] = {}
        for sensor in sensors if mechanism is not None else ():
            turns = sensor.turns
            if turns is not None and turns.coordinate in mechanism.coordinates:
                index = mechanism.coordinates.index(turns.coordinate)
                self._encoders[sensor.name] = turns, index

    def check(self, state: TurnState, readings: Mapping[str, Sequence[float]],
              position: Callable[[], FloatArray | None], report: Callable[[str], object],
              ) -> tuple[set[str], dict[str, float]]:
        """Look at the readings of an instant, by sensor.

        position(): q (n) there, None if it is not known.  Returns the names of sensors whose
        readings are to be left out, and {coordinate: angle [rad]} where the filter is to start.
        """
        left_out, targets = set(), {}
        q: FloatArray | None = None
        for name, (turns, index) in self._encoders.items():
            if name not in readings:
                continue
            value = float(readings[name][0])
            if turns.counts is False and abs(value) > BEYOND:
                report(f'{name}: {value:.4g} rad is beyond a turn, and it counts none '
                       '(counts_turns: false)')
                left_out.add(name)
                continue
            if self._is_clear(state, name, turns, value):
                continue
            q = position() if q is None else q
            if q is None:
                return left_out, {}
            target = self._target(state, name, turns, value, q[index], report)
            if target is None:
                left_out.add(name)
            elif abs(target - q[index]) > pi:
                targets[turns.coordinate] = target
        return left_out, targets

    @staticmethod
    def _is_clear(state, name, turns, value):
        """Return whether an encoder is known to be in its turn, whatever it reads."""
        if name not in state.chosen or name in state.counting:
            return False
        if turns.counts is None and abs(value) <= BEYOND:
            state.beyond.discard(name)
            return True
        return turns.counts is not None

    def _target(self, state, name, turns, value, now, report):
        """Return the angle [rad] that a reading shows, None if it is to be left out.

        now [rad]: where the filter is.
        """
        if turns.counts is None and name not in state.counting and abs(value) > BEYOND:
            if name not in state.beyond:
                state.beyond.add(name)
                if abs(value - now) <= pi:
                    return now
                state.asked[name] = value
                return None
            report(f'{name}: {value:.4g} rad is beyond a turn, so it is taken to count turns '
                   '(the key counts_turns of the sensor says so, or that it does not)')
            state.counting.add(name)
            state.chosen.discard(name)
        counts = turns.counts or name in state.counting
        if name in state.chosen:
            return now if abs(value - now) <= pi else None
        target, possible = (value, 1) if counts else turns.nearest(value, now)
        away = abs(target - now)
        if away > pi:
            before = state.asked.get(name)
            state.asked[name] = target
            if before is None or abs(target - before) > _AGREED * away:
                return None
            reason = ('its reading, which counts turns' if counts else
                      'its limits, {:.4g} to {:.4g} rad'.format(*turns.limits))
            report(f'{name}: starts at {target:.4g} rad by {reason}; the filter was at '
                   f'{now:.4g} rad, {away / TURN:.2g} turns away')
        if not counts:
            self._report_choice(name, turns, value, target, possible, report)
        state.chosen.add(name)
        state.asked.pop(name, None)
        return target

    @staticmethod
    def _report_choice(name, turns, value, target, possible, report):
        """Say which turn was taken for an encoder that counts none, where that was open."""
        if turns.limits is None:
            if turns.counts is None and abs(target - value) > pi:
                report(f'{name}: {value:.4g} rad is taken for {target:.4g} rad, nearest to the '
                       'initial state (counts_turns: true takes it as it is)')
        elif possible != 1:
            which = (f'leave {possible} turns open for' if possible else 'exclude every turn of')
            report(f'{name}: its limits {which} {value:.4g} rad; taken is {target:.4g} rad, '
                   'nearest to the initial state')

    def followed(self, q: FloatArray, targets: Mapping[str, float]) -> FloatArray:
        """Return z (g) where coordinates have angles [rad], reached from q (n) along its branch.

        Raises ValueError where the mechanism cannot go there.
        """
        mechanism = self._mechanism
        assert mechanism is not None
        rows, wanted = mechanism.indices(list(targets)), np.array(list(targets.values()))
        independent, q = mechanism.indices(mechanism.independent), np.array(q)
        for _ in range(_MOST):
            missing = wanted - q[rows]
            if np.abs(missing).max() < _CLOSE:
                return q[independent]
            step = np.linalg.lstsq(mechanism.R(q)[rows], missing, rcond=None)[0]
            largest = np.abs(step).max()
            if not largest > 0.0:
                break
            q = mechanism.assemble(q[independent] + step * min(1.0, _STEP / largest), q)
        raise ValueError(f'no motion leads to {", ".join(targets)} of '
                         f'{", ".join(f"{one:.4g}" for one in wanted)} rad')
