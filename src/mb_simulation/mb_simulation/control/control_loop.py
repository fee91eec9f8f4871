"""Control of a prototype: at equal distances of time, between the steps of its simulation."""

import numpy as np

from mb_model import equal_steps


class ControlLoop:
    """Lets a Controller act on a Prototype when a control step is due.

    newest: (nanoseconds since the start, torques (d)) of the last control step, None before.
    """

    def __init__(self, controller, prototype, mechanism):
        """Set up for a Prototype of a Mechanism, the true one."""
        self.controller, self._prototype = controller, prototype
        self._drives = mechanism.places(mechanism.drives)
        self._made, self._due, self.newest = 0, 0, None     # due: the next step [ns]

    def is_due(self, offset):
        """Return whether a control step is due `offset` nanoseconds after the start."""
        return offset >= self._due

    def act(self, offset):
        """Set the torques of the prototype, `offset` nanoseconds after the start, if they are due.

        Returns whether it did.  Call it at the beginning of each step of the simulation;
        torques hold until the next control step.
        """
        if not self.is_due(offset):
            return False
        self._made += 1
        self._due = round(1e9 * self._made * self.controller.period)
        torques = self.controller.torques(1e-9 * offset, self._prototype.state.q[self._drives])
        self._prototype.set_drive_torques(torques)
        self.newest = offset, torques
        return True


def require_common_steps(period, interval, step):
    """Raise ValueError unless control steps begin where steps of a simulation do.

    period: of control; interval: of advance(); step: longest of the simulation [s].
    """
    made = interval / equal_steps(interval, step)
    if abs(period / made - np.round(period / made)) > 1e-6 or period < 0.5 * made:
        raise ValueError(f'control.rate: a period of {period:g} s is no whole number of steps of '
                         f'the simulation, {made:g} s')
