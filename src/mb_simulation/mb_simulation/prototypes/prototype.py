"""The interface of prototypes: simulated machines whose whole true state is known.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_simulation.prototypes.obstacle import Contact


@dataclass(frozen=True)
class State:
    """The whole state at one instant: independent coordinates (g), dependent ones (n)."""

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@dataclass(frozen=True)
class OilState:
    """A hydraulic circuit at one instant."""

    p: np.ndarray         # absolute [Pa] (v)
    supply_p: np.ndarray  # of supplies, absolute [Pa]
    U: np.ndarray         # spools, -1..1 (u)
    force: np.ndarray     # of each cylinder, of pressures less friction, > 0 extends it [N] (c)


class Prototype(Protocol):
    """A simulated machine that moves in equal intervals from its start."""

    @property
    def state(self) -> State:
        """The state at the end of the last interval."""

    @property
    def oil(self) -> OilState | None:
        """The state of its circuit then, None if it has none."""

    @property
    def drive_torques(self) -> np.ndarray:
        """What the drives gave in the last interval (d) [N or N m]; zeros without a controller."""

    def joint_load(self, joint: str) -> np.ndarray:
        """Return what a joint transmits then, of a machine in space (6) [N, N m].

        Force and moment of the first body on the second one at the joint's point on it, in the
        joint's frame on the first body.  What drives, springs and friction give along the joint is
        no load of it.
        Raises ValueError where that is not known.
        """

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Its contacts then."""

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the mechanism file as they are now."""

    @property
    def loop_residual(self) -> float:
        """How far the loops are open now [m]."""

    def advance(self, act: Callable[[int], object] | None = None) -> None:
        """Move on by one interval.

        act: called before each step with the nanoseconds since the start; it may set valves,
        torques of drives and parameters.  Raises StepError if a step is impossible; the state
        before it is kept.
        """

    def set_valves(self, commands: ArrayLike) -> None:
        """Command the valves (u), -1..1, from now on; they are closed at the start."""

    def put(self, obstacle: str, at: FloatArray | None, axes: FloatArray | None = None,
            velocity: FloatArray | None = None) -> None:
        """Have an obstacle, by name, stand still at a position (d) [m]; None: out of the way.

        axes (3, 3): its own, as columns; None: as the machine has them.  velocity (d): with which
        one that floats sets off from there [m/s].
        Raises ValueError for an unknown one.
        """

    def set_drive_torques(self, torques: FloatArray) -> None:
        """Let the drives push with torques (d) [N or N m] from the next step on; 0 at the start.

        The state at the end of the last step stays, accelerations included.
        """

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Give parameters of the mechanism file other values from now on, by name.

        Positions, velocities and pressures stay as they are.  Raises ValueError for impossible
        values, and changes nothing then.
        """
