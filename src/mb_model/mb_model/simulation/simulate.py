"""Simulation of a mechanism from rest or any start, offline."""

from dataclasses import asdict

import numpy as np

from mb_model.formulations import StepError, make_stepper
from mb_model.simulation.inputs import input_function
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import STATE, Run


def simulate(mechanism, duration, dt, formulation='index3_al', integrator='trapezoidal',
             z0=None, zd0=None, inputs=None, progress=False, **settings):
    """Simulate a mechanism for `duration` in steps of dt [s]; return a Run, its start included.

    z0, zd0 (g): start, default that of the mechanism.  inputs: forces on the degrees of freedom,
    held during a step: constant (g), a function of (t, z, zd) that returns them, a ForceTable, or
    a mapping from names to numbers or functions.  progress: show a bar, if there is a terminal.
    settings: those of the formulation, see make_stepper.
    Raises ValueError for unknown names and values, StepError where the motion cannot go on.
    """
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    steps = round(duration / dt)
    stepper = make_stepper(mechanism, formulation, integrator, **settings)
    stepper.reset(z0, zd0)
    force = input_function(mechanism, inputs)
    run = _empty_run(stepper, dt * np.arange(steps + 1), formulation)
    rows = [(getattr(run, name), getattr(stepper, name)) for name in (*STATE, 'forces')]
    if force is not None:
        stepper.forces[:] = force(0.0, stepper.z, stepper.zd)
        stepper.refresh()
    _record(rows, 0)
    for k in with_progress(steps, mechanism.name, progress):
        try:
            stepper.step(dt, None if force is None else force(run.t[k], stepper.z, stepper.zd))
        except StepError as error:
            raise StepError(f'{error}, at t = {run.t[k]:g} s') from None
        mechanism.require_closed(stepper.q)
        run.forces[k] = stepper.forces
        _record(rows, k + 1)
    return run


def _empty_run(stepper, t, formulation):
    """Return a Run with room for all instants."""
    mechanism = stepper.mechanism
    of_z, of_q = ((len(t), size) for size in (mechanism.g, mechanism.n))
    return Run(mechanism, t, *(np.empty(of_z) for _ in range(3)),
               *(np.empty(of_q) for _ in range(3)), forces=np.zeros(of_z),
               formulation=formulation, integrator=stepper.integrator,
               settings=asdict(stepper.settings))


def _record(rows, k):
    """Copy the state into row k of each array."""
    for array, view in rows:
        array[k] = view
