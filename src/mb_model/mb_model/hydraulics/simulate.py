"""Simulation of a mechanism with its oil, offline."""

from typing import TYPE_CHECKING, Any
import warnings

import numpy as np
from numpy.typing import ArrayLike

from mb_model.hydraulics.hydraulic_stepper import HydraulicStepper
from mb_model.hydraulics.work_cycle import WorkCycle
from mb_model.simulation.arrays import STATE
from mb_model.simulation.error_estimate import IntegrationWarning
from mb_model.simulation.inputs import Inputs, input_function
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import Run
from mb_model.simulation.second_motion import SecondMotion
from mb_model.stepping.stepper import StepError

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


class SecondHydraulicMotion(SecondMotion):
    """Follows a HydraulicStepper; its steps join no two with different commands.

    Valves, friction and end stops have kinks, and vibrations of the oil may be faster than a step:
    errors then grow with the step itself, though the rule is of second order.
    """

    order = 1

    def set_parameter(self, name: str, value: float) -> None:
        """Give the twin a parameter that its Stepper is about to get."""
        self.catch_up()
        self.twin.set_parameter(name, value)

    def _is_driven_otherwise(self):
        return super()._is_driven_otherwise() or (self._stepper.U_in != self.twin.U_in).any()

    def _drive_alike(self):
        super()._drive_alike()
        self.twin.U_in[:] = self._stepper.U_in


_RECORDED = {name: name for name in (*STATE, 'forces', 'p', 'U', 'U_in', 'stop_force')} | {
    'cylinder_force': 'force'}


def simulate_hydraulics(mechanism: 'Mechanism', duration: float, dt: float,
                        cycle: WorkCycle | None = None, z0: ArrayLike | None = None,
                        zd0: ArrayLike | None = None, p0: ArrayLike | None = None,
                        U0: ArrayLike | None = None, inputs: Inputs | None = None,
                        progress: bool = False, estimate_error: bool = True) -> Run:
    """Simulate mechanism and oil for `duration` in steps of dt [s]; return a Run with oil.

    cycle: a WorkCycle, default: the valves stay as they are; z0, zd0 (g), p0 (v), U0 (u): start,
    default as in the file; inputs: forces on the degrees of freedom as in simulate;
    estimate_error: as there, for the positions.
    Raises ValueError for values that cannot be, StepError where the motion cannot go on.
    """
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    t = np.asarray(dt * np.arange(round(duration / dt) + 1), float)
    stepper = HydraulicStepper(mechanism)
    stepper.reset(z0, zd0, p=p0, U=U0)
    force = input_function(mechanism, inputs)
    set_values: dict[str, float] = {}
    rows: dict[str, Any] = {name: np.empty((len(t), *getattr(stepper, source).shape))
                            for name, source in _RECORDED.items()}
    parameters = {name: np.empty(len(t)) for name in (cycle.parameters if cycle else ())}
    second = None
    for k in with_progress(len(t), mechanism.name, progress):
        if cycle is not None:
            stepper.set_valves(cycle.valves_at(t[k]))
            _set_changed(stepper, second, set_values, cycle.parameters_at(t[k]))
        if force is not None:
            stepper.forces[:] = force(t[k], stepper.z, stepper.zd)
        if k == 0:
            stepper.refresh()
            second = SecondHydraulicMotion(stepper) if estimate_error else None
        for name, values in rows.items():
            values[k] = getattr(stepper, _RECORDED[name])
        for name, values in parameters.items():
            values[k] = set_values.get(name, mechanism.parameters[name])
        if k < len(t) - 1:
            try:
                stepper.step(dt)
            except StepError as error:
                raise StepError(f'{error}, at t = {t[k]:g} s') from None
            if second is not None:
                second.stepped(dt)
            mechanism.require_closed(stepper.q)
    if second is not None:
        second.catch_up()
    run = Run(mechanism, t, **rows, formulation='hydraulic', integrator=stepper.integrator,
              parameters=parameters, error=None if second is None else second.estimate())
    problem = run.error and run.error.problem(mechanism)
    if problem:
        warnings.warn(f'{mechanism.name}: {problem}', IntegrationWarning, stacklevel=2)
    return run


def _set_changed(stepper, second, set_values, values):
    """Set the parameters whose values differ from those set before."""
    for name, value in values.items():
        if set_values.get(name) != value:
            if second is not None:
                second.set_parameter(name, value)
            stepper.set_parameter(name, value)
            set_values[name] = value
