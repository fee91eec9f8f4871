"""A second motion in other steps beside a simulated one, which shows how far that is off.

A step of the second motion joins three steps.  The error of a method of order p grows with the
power p of the step; so the first motion is off by 1 / (1 - 3^p) of the difference (Richardson).
This sees what adds up over a long motion, and what the mechanism makes of it, which no look at a
single step does.  Where loads or parameters change earlier, a step joins two; where they change
after one step, that is made in thirds, of which the difference is 1 - 3^-p of the error.

All steps of the second motion are thirds, on top of the error so far, where steps that join three
cannot be made, and from the second change on that came too early to join three.
"""

from typing import Any

import numpy as np

from mb_model.kernels.two_motions import DIFFERENCE, compare, gather, push
from mb_model.mechanism_file.description import MechanismError
from mb_model.simulation.error_estimate import ErrorEstimate
from mb_model.stepping.stepper import StepError

_LONGER = 3         # how many steps are joined: two cost more, four show less
_TOO_EARLY = 2      # changes in a row before three steps are over, after which thirds are taken


class SecondMotion:
    """Follows a Stepper in steps that join three of its own, or are a third of one."""

    # By which power of the step the error grows, if not as of the Stepper.
    order: int | None = None

    def __init__(self, stepper: Any) -> None:
        """Begin where a Stepper is now."""
        self._stepper = stepper
        n = len(stepper.q)
        self._begin, self._last = np.zeros(n), np.zeros(n)
        self._difference, self._impulses = np.zeros(1, DIFFERENCE), np.zeros((2, n))
        self._step, self._compared, self._lost, self._lost_t = 0.0, False, '', 0.0
        self._join(finer=False)

    def stepped(self, dt: float) -> None:
        """Follow the Stepper, which has made a step of dt [s] under its present forces.

        A step of the twin that joins several is made under the mean of their forces.
        """
        if dt > self._step:
            self._step = dt
        if self._lost:
            return
        if self._is_driven_otherwise():
            # The Stepper is a step further already: no comparison, and that step is in a new twin.
            if self._steps and not self._advance(compared=False):
                return
            self._drive_alike()
        self._gather(dt)
        self._waiting += dt
        self._steps += 1
        if self._finer or self._steps == _LONGER or self._early >= _TOO_EARLY:
            self.catch_up()

    def catch_up(self) -> None:
        """Bring the twin to the end of the last step, and compare.

        Before something else than forces changes, and at the end of the motion.
        """
        if self._steps and not self._lost and self._advance() and self._early >= _TOO_EARLY:
            self._join(finer=True)

    def estimate(self) -> ErrorEstimate | None:
        """Return the ErrorEstimate so far, None as long as there was nothing to compare."""
        lost, lost_t = self._lost, self._lost_t
        if not self._compared and not lost:
            if self._steps or not self._step:
                return None
            lost, lost_t = 'no step could be compared with a second motion', 0.0
        difference, names = self._difference[0], self._stepper.mechanism.coordinates
        return ErrorEstimate(
            np.inf if lost else float(difference['largest']), names[difference['largest_row']],
            lost_t if lost else float(difference['largest_t']), float(difference['growth']),
            names[difference['growth_row']], float(difference['growth_t']), self._step, lost)

    def _join(self, finer: bool) -> None:
        """Go on from where the Stepper is now."""
        stepper, self.twin = self._stepper, self._stepper.twin()
        self._finer, self._loads = finer, stepper.loads_applied
        self._waiting, self._steps, self._early = 0.0, 0, 0
        self._since, self._made, self._apart = 0, 0, 0.0
        self._begin[:], self._impulses[:] = self._last, 0.0

    def _is_driven_otherwise(self) -> bool:
        """Return whether the Stepper has other loads than the twin."""
        return self._stepper.loads_applied != self._loads

    def _drive_alike(self) -> None:
        """Give the twin the loads of the Stepper."""
        self.twin.take_loads(self._stepper)
        self._loads = self._stepper.loads_applied

    def _gather(self, dt: float) -> None:
        """Add what acted during a step to what the twin gets."""
        gather(self._stepper.model, self._stepper.work, self._impulses, dt)

    def _advance(self, compared: bool = True) -> bool:
        """Let the twin go to the end of the steps that wait, and compare if that is now.

        Return whether it could; if not, it is in thirds where the Stepper is now, or lost.
        """
        length, steps, stepper = self._waiting, self._steps, self._stepper
        self._waiting, self._steps = 0.0, 0
        parts = _LONGER if steps == 1 else 1
        push(stepper.model, self._impulses, self.twin.work, length)
        try:
            for _ in range(parts):
                self.twin.step(length / parts)
        except (StepError, MechanismError):
            if parts == 1:
                self._join(finer=True)
            else:
                self._lost = (f'a second motion in steps of {length / parts:g} s, to compare with, '
                              'cannot go on')
                self._lost_t = stepper.t
            return False
        if not self._finer:
            self._early = 0 if steps == _LONGER else self._early + 1
        self._since += steps
        self._made += steps
        self._apart += steps * (1.0 - (steps / parts) ** (self.order or stepper.order))
        if compared:
            # Of equal errors of all steps, the difference would be `apart`, their sum `made`.
            self._compared = True
            compare(stepper.model, stepper.work, self.twin.work, self._begin, self._last,
                    self._difference, self._made / self._apart, 1.0 / self._since)
            self._since = 0
        return True
