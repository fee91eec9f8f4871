"""What advances a state: the compiled function of an integrator, and its last arguments."""

from typing import Any

from mb_model.formulations.formulation import SERIES, FormulationKind, Integrates
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.integration import entry_points
from mb_model.integration.registry import number_of

# A function (models, works, ..., *last arguments) that returns whether it could, and these.
Action = tuple[Any, tuple[Any, ...]]


def stepping_of(formulation: FormulationKind, integrator: str) -> Action:
    """Return what makes a step, a function of (models, works, dt, ...)."""
    if formulation.steps:
        return formulation.steps[integrator](), ()
    number = int(number_of(formulation))
    if integrator in TABLEAUX:
        return entry_points.step_explicit, (number, TABLEAUX[integrator])
    if integrator in SERIES:
        return entry_points.step_exponential_series, (number, SERIES[integrator])
    if integrator == 'exponential':
        return entry_points.step_exponential, (number,)
    if formulation.integrates == Integrates.INDEPENDENT:
        return entry_points.step_trapezoidal, (number,)
    return entry_points.step_trapezoidal_iteration, (number,)


def renewal_of(formulation: FormulationKind) -> Action:
    """Return what finds the accelerations under new forces, a function of (models, works, ...)."""
    if formulation.renewal is not None:
        return formulation.renewal(), ()
    return entry_points.renew, (int(number_of(formulation)),)
