"""A controlled robot that touches things: its true motion, once for all estimators."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model import STATE, Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS
from mb_simulation.control import Controller, ControlLoop, ControlSettings, Trajectory
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.obstacle import Obstacle, force_on_z
from mb_simulation.prototypes.prototype import Prototype

if TYPE_CHECKING:
    from mb_simulation.prototypes.unmodelled import UnmodelledSettings

STEP = 5e-4      # some 50 to a swing on the stiffest obstacles [s]


@dataclass(frozen=True)
class RobotRun:
    """A motion at the instants t (k) [s], one control step apart.

    z, zd, zdd (k, g), q, qd, qdd (k, n): before the controller answers at that instant; torques
    (k, d): of the drives in the step that ends there; external (k, g): forces of contacts on
    the degrees of freedom.  touches (j) [s], touch_forces (j, g): the same at every step of the
    simulation at which something touches.  bodies: which were touched, in order.
    """

    mechanism: Mechanism
    t: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    torques: np.ndarray
    external: np.ndarray
    touches: np.ndarray
    touch_forces: np.ndarray
    bodies: tuple[str, ...]

    def first_touch(self, thresholds: ArrayLike = 0.0) -> float | None:
        """Return when the force of contacts is first beyond a threshold (g or all) [s], or None."""
        beyond = (np.abs(self.touch_forces) > thresholds).any(axis=1)
        return float(self.touches[np.argmax(beyond)]) if beyond.any() else None


def simulate_robot(mechanism: Mechanism, trajectory: Trajectory, duration: float,
                   obstacles: Sequence[Obstacle] = (),
                   script: Callable[[Prototype, float], object] | None = None,
                   control: ControlSettings | None = None, believed: Mechanism | None = None,
                   step: float = STEP, reactions: Iterable[float] = (),
                   unmodelled: 'UnmodelledSettings | None' = None) -> RobotRun:
    """Have a robot follow a Trajectory and touch things; return the RobotRun.

    obstacles: that may come into its way; script: called with prototype and time [s] before every
    step of the simulation, to put them; control: ControlSettings; believed: the Mechanism that
    the controller knows, default the true one; step: longest of the simulation [s]; reactions:
    times at which the controller reacts to a contact [s]; unmodelled: UnmodelledSettings of
    the prototype.
    Raises ValueError in the user's words.
    """
    control = control or ControlSettings()
    interval = 1.0 / control.rate
    prototype = make_prototype('mujoco', mechanism, interval, step, obstacles, unmodelled)
    controller = Controller(believed or mechanism, trajectory, control)
    loop = ControlLoop(controller, prototype, mechanism)
    touches, touch_forces, bodies, reactions = [], [], [], sorted(reactions)

    def external() -> FloatArray:
        contacts = prototype.contacts
        return force_on_z(mechanism, prototype.state.q, contacts) if contacts else still

    def act(offset: int) -> None:
        t = offset / NANOSECONDS
        while reactions and t > reactions[0] - 0.5 * step:
            controller.react(reactions.pop(0))
        if script is not None:
            script(prototype, t)
        if prototype.contacts:
            touches.append(t)
            touch_forces.append(external())
            bodies.extend(contact.body for contact in prototype.contacts)
        loop.act(offset)

    still = np.zeros(mechanism.g)
    states, forces, torques = [prototype.state], [external()], [np.zeros(len(mechanism.drives))]
    for _ in range(round(duration * control.rate)):
        prototype.advance(act)
        states.append(prototype.state)
        forces.append(external())
        torques.append(loop.newest[1])
    columns = [np.array([getattr(state, name) for state in states]) for name in STATE]
    return RobotRun(mechanism, np.arange(len(states)) / control.rate, *columns, np.array(torques),
                    np.array(forces), np.array(touches),
                    np.reshape(touch_forces, (-1, mechanism.g)), tuple(dict.fromkeys(bodies)))
