"""A second motion in other steps beside a simulated one, which tells how far that is off.

The steps of the second motion are three times as long.  The error of a method of order p grows with
the power p of the step; so the first motion is off by 1 / (3^p - 1) of the difference (Richardson).
This sees what adds up over a long motion, and what the mechanism makes of it, which no look at a
single step does.  Where such long steps cannot be made, a third of the step is taken: then it is
3^p / (3^p - 1) of the difference, on top of the error so far.
"""

import numpy as np

from mb_model.formulations.stepper import StepError
from mb_model.kernels.two_motions import DIFFERENCE, compare, gather, push
from mb_model.mechanism_file.description import MechanismError
from mb_model.simulation.error_estimate import ErrorEstimate

_LONGER = 3         # how much longer the steps are: twice costs more, four times tells less


class SecondMotion:
    """Follows a Stepper, its own steps three times as long, or a third as long."""

    def __init__(self, stepper):
        """Begin where a Stepper is now."""
        self._stepper, self._power = stepper, float(_LONGER) ** stepper.order
        n = len(stepper.q)
        self._begin, self._last = np.zeros(n), np.zeros(n)
        self._difference, self._impulses = np.zeros(1, DIFFERENCE), np.zeros((2, n))
        self._step, self._compared, self._lost, self._lost_t = 0.0, False, '', 0.0
        self._join(finer=False)

    def stepped(self, dt):
        """Follow the Stepper, which has made a step of dt [s] under its present forces.

        The twin makes every third step, of the whole length, under the mean of the forces.
        """
        if dt > self._step:
            self._step = dt
        if self._lost:
            return
        if self._stepper.loads_applied != self._loads:
            if self._steps:
                self._advance(1, compared=False)      # the Stepper is a step further already
            self.twin.take_loads(self._stepper)
            self._loads = self._stepper.loads_applied
        gather(self._stepper.model, self._stepper.work, self._impulses, dt)
        self._waiting += dt
        self._steps += 1
        if self._finer:
            self._advance(_LONGER)
        elif self._steps == _LONGER:
            self._compared = True
            self._advance(1)

    def catch_up(self):
        """Bring the twin to the end of the last step, in a step of less than the usual length.

        Before something else than forces changes, and at the end of the motion.
        """
        if self._steps and not self._lost:
            self._compared = self._compared or self._steps > 1
            self._advance(1)

    def estimate(self):
        """Return the ErrorEstimate so far, None as long as there is no comparison."""
        if not self._compared and not self._lost:
            return None
        found, names = self._difference[0], self._stepper.mechanism.coordinates
        return ErrorEstimate(
            np.inf if self._lost else float(found['largest']), names[found['largest_row']],
            self._lost_t if self._lost else float(found['largest_t']), float(found['growth']),
            names[found['growth_row']], float(found['growth_t']), self._step, self._lost)

    def _join(self, finer):
        """Go on from where the Stepper is now."""
        stepper, self.twin = self._stepper, self._stepper.twin()
        self._finer, self._loads = finer, stepper.loads_applied
        self._waiting, self._steps = 0.0, 0
        self._share = (self._power if finer else 1.0) / (self._power - 1.0)
        self._begin[:], self._impulses[:] = self._last, 0.0

    def _advance(self, parts, compared=True):
        """Let the twin go in equal parts to the end of the last step, and compare if it is now."""
        length, steps, stepper = self._waiting, self._steps, self._stepper
        self._waiting, self._steps = 0.0, 0
        push(stepper.model, self._impulses, self.twin.work, length)
        try:
            for _ in range(parts):
                self.twin.step(length / parts)
        except (StepError, MechanismError):
            if self._finer:
                self._lost = (f'a second motion in steps of {length / parts:g} s, to compare with, '
                              'cannot go on')
                self._lost_t = stepper.t
            else:
                self._compared = False
                self._join(finer=True)
            return
        if not compared:
            return
        self._compared = self._compared or self._finer
        compare(stepper.model, stepper.work, self.twin.work, self._begin, self._last,
                self._difference, self._share, 1.0 / steps)
