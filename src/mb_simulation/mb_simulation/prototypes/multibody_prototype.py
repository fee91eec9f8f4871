"""The prototype as a multibody simulation of the same library, without errors of another one."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model import HydraulicStepper, Mechanism, equal_steps, make_stepper
from mb_model.arrays import FloatArray
from mb_simulation.prototypes.obstacle import Contact
from mb_simulation.prototypes.parameters import with_parameters
from mb_simulation.prototypes.prototype import OilState, State


class MultibodyPrototype:
    """A mechanism in mb_model's own formulation, with its oil if it has any; a Prototype."""

    def __init__(self, mechanism: Mechanism, interval: float, step: float) -> None:
        """Start at the mechanism's start; interval of advance() and longest step in seconds."""
        self._mechanism = mechanism
        self._steps = equal_steps(interval, step)
        self._step = interval / self._steps
        self._stepper = _stepper(mechanism)
        self._made = 0
        self.advance()          # compiles before time runs
        self._stepper.reset()
        self._made = 0

    def advance(self, act: Callable[[int], object] | None = None) -> None:
        """Move on by one interval; see Prototype."""
        for _ in range(self._steps):
            if act is not None:
                act(round(1e9 * self._made * self._step))
            self._stepper.step(self._step)
            self._made += 1

    def set_valves(self, commands: ArrayLike) -> None:
        """Command the valves (u); see Prototype."""
        self._stepper.set_valves(commands)

    def put(self, obstacle: str, at: FloatArray | None, axes: FloatArray | None = None,
            velocity: FloatArray | None = None) -> None:
        """Refuse: there are no obstacles; see Prototype."""
        raise ValueError(f'{obstacle}: unknown obstacle, expected one of none: there are none')

    def set_drive_torques(self, torques: FloatArray) -> None:
        """Let the drives push (d); see Prototype."""
        drives = self._mechanism.indices(self._mechanism.drives)
        self._stepper.coordinate_forces[drives] = torques

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Give parameters of the mechanism file other values; see Prototype."""
        before, self._mechanism = self._stepper, with_parameters(self._mechanism, values)
        self._stepper = _stepper(self._mechanism)
        oil = {'p': before.p, 'U': before.U} if self._mechanism.circuit else {}
        self._stepper.reset(before.z, before.zd, before.q, before.t, **oil)
        self._stepper.coordinate_forces[:] = before.coordinate_forces
        if oil:
            self._stepper.set_valves(before.U_in)

    @property
    def drive_torques(self) -> FloatArray:
        """The torques of the drives (d); see Prototype."""
        return self._stepper.coordinate_forces[self._mechanism.indices(self._mechanism.drives)]

    def joint_load(self, joint: str) -> FloatArray:
        """Return what a joint transmits (6); see Prototype."""
        if self._mechanism.circuit:
            raise ValueError('the multibody prototype does not know what joints transmit beside '
                             'oil')
        load = self._stepper.reactions().joints[joint]
        if not load.determined:
            raise ValueError('rigid bodies do not say how it shares its load with other joints')
        return np.r_[load.force, load.moment]

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the mechanism file as they are now."""
        return self._mechanism.parameters

    @property
    def state(self) -> State:
        """The present state."""
        stepper = self._stepper
        return State(*(values.copy() for values in (
            stepper.z, stepper.zd, stepper.zdd, stepper.q, stepper.qd, stepper.qdd)))

    @property
    def oil(self) -> OilState | None:
        """The present state of the circuit."""
        stepper = self._stepper
        if not self._mechanism.circuit:
            return None
        supplies = list(self._mechanism.circuit.supplies.values())
        return OilState(*(np.array(values) for values in (stepper.p, supplies, stepper.U,
                                                          stepper.force)))

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Nothing: this simulation knows no contacts."""
        return ()

    @property
    def loop_residual(self) -> float:
        """The largest violation of a constraint [m]."""
        return self._mechanism.closing_error(self._stepper.q, self._stepper.t)


def _stepper(mechanism: Mechanism) -> Any:
    """Return the stepper of a mechanism."""
    return HydraulicStepper(mechanism) if mechanism.circuit else make_stepper(mechanism)
