"""Simulation of a mechanism from rest or any start, offline."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from math import ceil
from typing import TYPE_CHECKING, Any
import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_model.arrays import FloatArray
from mb_model.simulation.arrays import STATE
from mb_model.simulation.error_estimate import IntegrationWarning
from mb_model.simulation.inputs import Inputs, input_function
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import Run
from mb_model.simulation.second_motion import SecondMotion
from mb_model.stepping.formulation_stepper import make_stepper
from mb_model.stepping.stepper import StepError

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

MOST_PARTS = 4096       # of dt, to reach a tolerance
_AIM = 0.7              # share of the tolerance that a shorter step is chosen for
_LARGEST_CUT = 64       # by which a step is divided at once


def simulate(mechanism: 'Mechanism', duration: float, dt: float,
             formulation: str | None = None,
             integrator: str = 'trapezoidal', z0: ArrayLike | None = None,
             zd0: ArrayLike | None = None, inputs: Inputs | None = None, progress: bool = False,
             tolerance: float | None = None, estimate_error: bool = True, **settings: Any) -> Run:
    """Simulate a mechanism for `duration` in steps of dt [s]; return a Run, its start included.

    formulation: default index3_al, if bodies roll matrix_r.
    z0, zd0 (g): start, default the mechanism's.  inputs: forces on the degrees of freedom,
    held during dt: constant (g), a function of (t, z, zd) that returns them, a ForceTable, or
    a mapping from names to numbers or functions.  progress: say on stderr how far it is.
    tolerance [rad, sizes of the mechanism]: dt is divided into equal steps that are short enough
    for the estimated error of every position, see ErrorEstimate; the motion is simulated several
    times for it.  Without it, a motion whose estimated error is large gives an IntegrationWarning.
    estimate_error: False leaves out the estimate and the second motion that it takes.
    settings: of the formulation, see make_stepper.
    Raises ValueError for unknown names and values, StepError where the motion cannot go on or the
    tolerance is not reached.
    """
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    stepper = make_stepper(mechanism, formulation, integrator, **settings)
    t, force = dt * np.arange(round(duration / dt) + 1), input_function(mechanism, inputs)

    def moved(parts: int, watched: bool = True) -> Run:
        stepper.reset(z0, zd0)
        return _moved(stepper, t, dt, parts, force, watched, progress)

    if tolerance is not None:
        if not 0.0 < tolerance < np.inf:
            raise ValueError(f'tolerance {tolerance} must be > 0')
        return _within(tolerance, moved, stepper, dt)
    run = moved(1, estimate_error)
    problem = run.error and run.error.problem(mechanism)
    if problem:
        warnings.warn(f'{mechanism.name}: {problem}', IntegrationWarning, stacklevel=2)
    return run


def _within(tolerance: float, moved: Callable[[int], Run], stepper: Any, dt: float) -> Run:
    """Return the Run whose estimated error is within a tolerance, with dt in parts for it."""
    parts, why = 1, ''
    while True:
        factor = 4.0
        try:
            run = moved(parts)
        except StepError as error:
            why = str(error)
        else:
            if run.error is None or run.error.largest <= tolerance:     # None: without a step
                return run
            why = run.error.problem(stepper.mechanism, tolerance)
            factor = (run.error.largest / (_AIM * tolerance)) ** (1.0 / stepper.order)
        if parts == MOST_PARTS:
            raise StepError(f'{stepper.mechanism.name}: tolerance {tolerance:g} is not reached '
                            f'with the shortest steps, {parts} in {dt:g} s: {why}')
        factor = min(max(factor, 2.0), _LARGEST_CUT)
        parts = min(ceil(factor * parts), MOST_PARTS)


def _moved(stepper: Any, t: NDArray[Any], dt: float, parts: int, force: Callable[..., Any] | None,
           watched: bool, progress: bool) -> Run:
    """Return the Run of a Stepper from its start, each dt in equal parts."""
    run = _empty_run(stepper, t)
    rows = [(getattr(run, name), getattr(stepper, name)) for name in (*STATE, 'forces')]
    if force is not None:
        stepper.forces[:] = force(0.0, stepper.z, stepper.zd)
        stepper.refresh()
    second = SecondMotion(stepper) if watched else None
    _record(rows, 0)
    for k in with_progress(len(t) - 1, stepper.mechanism.name, progress):
        try:
            if force is not None:
                stepper.forces[:] = force(t[k], stepper.z, stepper.zd)
            for _ in range(parts):
                stepper.step(dt / parts)
                if second is not None:
                    second.stepped(dt / parts)
        except StepError as error:
            raise StepError(f'{error}, at t = {t[k]:g} s') from None
        stepper.mechanism.require_closed(stepper.q)
        run.forces[k] = stepper.forces
        _record(rows, k + 1)
    if second is None:
        return run
    second.catch_up()
    return replace(run, error=second.estimate())


def _empty_run(stepper: Any, t: NDArray[Any]) -> Run:
    """Return a Run with room for all instants."""
    mechanism = stepper.mechanism
    of_z, of_q = ((len(t), size) for size in (mechanism.g, mechanism.n))
    z, zd, zdd = (np.empty(of_z) for _ in range(3))
    q, qd, qdd = (np.empty(of_q) for _ in range(3))
    return Run(mechanism, t, z, zd, zdd, q, qd, qdd, np.zeros(of_z),
               formulation=stepper.formulation.name, integrator=stepper.integrator,
               settings=asdict(stepper.settings))


def _record(rows: Iterable[tuple[FloatArray, FloatArray]], k: int) -> None:
    """Copy the state into row k of each array."""
    for array, view in rows:
        array[k] = view
