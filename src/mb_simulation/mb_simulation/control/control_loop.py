"""A controller at its rate, with readings as a machine has them; its settings.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mb_model import INT64_MAX, Mechanism, Settings, equal_steps, setting
from mb_simulation.control.controller import Controller

if TYPE_CHECKING:
    from mb_simulation.prototypes.prototype import Prototype

REACTIONS = ('none', 'stop', 'release', 'retract')


@dataclass(frozen=True)
class ControlSettings(Settings):
    """Computed torque, the readings of the controller, and its reaction to a contact."""

    mechanism: str = setting(
        '', help='Mechanism that the controller knows, a name or file; empty: the true one')
    rate: float = setting(1000.0, unit='Hz', above=0.0, help='Control steps per second')
    bandwidth: float = setting(60.0, unit='rad/s', above=0.0,
                               help='Natural frequency with which an error fades')
    damping_ratio: float = setting(1.0, above=0.0, help='Damping ratio of the same')
    rate_cutoff: float = setting(150.0, unit='Hz', above=0.0,
                                 help='Low-pass filter of the rates of the pose')
    torque_limit: float = setting(40.0, unit='N or N m', above=0.0, help='Of every drive')
    encoder_sigma: float = setting(7.0e-6, unit='rad or m', at_least=0.0,
                                   help='Noise of the readings of the drives')
    encoder_resolution: float = setting(2.1e-7, unit='rad or m', at_least=0.0,
                                        help='Readings are whole multiples of this; 0: continuous')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Of that noise')
    reaction: str = setting(
        'stop', choices=REACTIONS,
        help='Reaction to a contact: go on, brake and stay there, let go but for damping, '
             'or go back along the trajectory')
    reaction_delay: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Simulated time from the stamp of the judged state to the reaction: '
             'a judgement within it takes effect at a time that does not depend on how fast '
             'the nodes are; 0: as soon as it is known')
    brake_acceleration: float = setting(30.0, unit='m/s^2', above=0.0,
                                        help='Deceleration of lengths in a reaction')
    turning_brake_acceleration: float = setting(150.0, unit='rad/s^2', above=0.0,
                                                help='Deceleration of angles in a reaction')
    retract_time: float = setting(0.2, unit='s', above=0.0,
                                  help='How much of the last motion a retraction undoes')
    resume_after: float = setting(
        0.0, unit='s', at_least=0.0,
        help='How long after a contact the machine goes back to where it left the trajectory, and '
             'on; 0: never')
    resume_time: float = setting(
        0.3, unit='s', above=0.0,
        help='Duration of the return, and of gathering speed after it')
    release_damping: float = setting(20.0, unit='1/s', at_least=0.0,
                                     help='Damping with which the motion fades once let go')


class ControlLoop:
    """Lets a Controller act on a Prototype when a control step is due.

    newest: (nanoseconds since the start, torques (d)) of the last control step, None before.
    """

    def __init__(self, controller: Controller, prototype: 'Prototype',
                 mechanism: Mechanism) -> None:
        """Set up for a Prototype of a Mechanism, the true one."""
        self.controller, self._prototype = controller, prototype
        self._drives = mechanism.indices(mechanism.drives)
        self._made, self._due, self.newest = 0, 0, None     # due: the next step [ns]

    def is_due(self, offset: int) -> bool:
        """Return whether a control step is due `offset` nanoseconds after the start."""
        return offset >= self._due

    def act(self, offset: int) -> bool:
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


def require_common_steps(period: float, interval: float, step: float) -> None:
    """Raise ValueError unless control steps begin where steps of a simulation do.

    period: of control; interval: of advance(); step: longest of the simulation [s].
    """
    made = interval / equal_steps(interval, step)
    if abs(period / made - np.round(period / made)) > 1e-6 or period < 0.5 * made:
        raise ValueError(f'control.rate: a period of {period:g} s is no whole number of steps of '
                         f'the simulation, {made:g} s')
