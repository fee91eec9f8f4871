"""A simulation as a stream of states at equal distances of time."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from mb_model.arrays import FloatArray
from mb_model.simulation.second_motion import SecondMotion

if TYPE_CHECKING:
    from mb_model.stepping.stepper import Stepper


@dataclass(frozen=True)
class State:
    """A state `offset` nanoseconds after the start; z, zd, zdd (g), q, qd, qdd (n).

    forces (g): on the degrees of freedom, from this state on.
    """

    offset: int
    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    forces: FloatArray


def equal_steps(interval: float, longest_step: float) -> int:
    """Return how many equal steps, none longer than `longest_step`, make an interval [s]."""
    # An interval that is a whole number of steps must not get one more by rounding.
    return max(1, ceil(interval / longest_step - 1e-9))


class SimulationStream:
    """States 0, 1, 2... of a stepper, `rate` of them per second; the first one is the start.

    State k is exactly k / rate after the start, rounded to a nanosecond.  Between two states the
    stepper makes equal steps of at most `longest_step` [s].  act: called before each step with the
    stepper and the nanoseconds since the start, to set the forces of that step.  second: the
    SecondMotion that knows the error of the states, None before the first one.
    """

    def __init__(self, stepper: 'Stepper', rate: float, longest_step: float,
                 act: Callable[[Any, int], object] = lambda stepper, offset: None) -> None:
        self._stepper = stepper
        self._rate = rate
        self._steps = equal_steps(1.0 / rate, longest_step)
        self._act = act
        self.second: Any = None     # a SecondMotion
        self.count = 0

    @property
    def next_offset(self) -> int:
        """Nanoseconds from the start to the state that `advance` returns next."""
        return self._offset(self.count * self._steps)

    def advance(self) -> State:
        """Return the next State; raises StepError, and again at each call, if there is none."""
        s = self._stepper
        if self.count:
            dt = 1.0 / (self._rate * self._steps)
            for step in range((self.count - 1) * self._steps, self.count * self._steps):
                self._act(s, self._offset(step))
                s.step(dt)
                self.second.stepped(dt)
        else:
            self._act(s, 0)
            s.refresh()
            self.second = SecondMotion(s)
        z, zd, zdd, q, qd, qdd = (array.copy() for array in (s.z, s.zd, s.zdd, s.q, s.qd, s.qdd))
        self._act(s, self.next_offset)
        state = State(self.next_offset, z, zd, zdd, q, qd, qdd, s.forces.copy())
        self.count += 1
        return state

    def _offset(self, step: int) -> int:
        """Return nanoseconds from the start to the beginning of a step."""
        return round(step * 1e9 / (self._rate * self._steps))
