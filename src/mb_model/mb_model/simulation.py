"""Simulation of a mechanism from rest or any start, offline."""

from dataclasses import dataclass

import numpy as np

from mb_model.formulations import make_stepper


@dataclass(frozen=True)
class Run:
    """What a simulation gave, at the instants t (k); z, zd, zdd are (k, g), q, qd, qdd (k, n)."""

    t: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def simulate(mechanism, duration, dt, formulation='index3_al', integrator='trapezoidal',
             z0=None, zd0=None, inputs=None):
    """Simulate a mechanism for `duration` in steps of dt [s]; return a Run, its start included.

    z0, zd0 (g): start, default that of the mechanism.  inputs: None, forces on the degrees of
    freedom (g), or a function of (t, z, zd) that returns them and is held during a step.
    Raises ValueError for unknown names, StepError where the motion cannot go on.
    """
    steps = round(duration / dt) if dt > 0 else -1
    if steps < 0:
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    stepper = make_stepper(mechanism, formulation, integrator)
    stepper.reset(z0, zd0)
    run = Run(dt * np.arange(steps + 1),
              *(np.empty((steps + 1, mechanism.g)) for _ in range(3)),
              *(np.empty((steps + 1, mechanism.n)) for _ in range(3)))
    if inputs is not None:
        stepper.forces[:] = _force(inputs, 0.0, stepper)
        stepper.refresh()
    _record(run, 0, stepper)
    for k in range(steps):
        stepper.step(dt, None if inputs is None else _force(inputs, run.t[k], stepper))
        _record(run, k + 1, stepper)
    return run


def _force(inputs, t, stepper):
    return inputs(t, stepper.z, stepper.zd) if callable(inputs) else inputs


def _record(run, k, stepper):
    for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd'):
        getattr(run, name)[k] = getattr(stepper, name)
