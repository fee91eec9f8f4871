"""The integrators that serve all formulations of a kind, by name."""

from collections.abc import Callable, Mapping
from functools import cache, partial

from mb_model.arrays import RecordArray
from mb_model.formulations.formulation import SERIES, Integrates
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.integration import entry_points

# (models, works, dt, number of the formulation) -> whether it could step
Integrator = Callable[[RecordArray, RecordArray, float, int], bool]


@cache
def common_integrators(integrates: Integrates) -> Mapping[str, Integrator]:
    """Return name -> Integrator for what a formulation integrates."""
    common = {name: partial(_explicit, tableau) for name, tableau in TABLEAUX.items()}
    if integrates != Integrates.INDEPENDENT:
        return common | {'trapezoidal': entry_points.step_trapezoidal_iteration}
    return common | {'trapezoidal': entry_points.step_trapezoidal,
                     'exponential': entry_points.step_exponential,
                     **{name: partial(_series, order) for name, order in SERIES.items()}}


def _explicit(tableau, models, works, dt, number):
    return entry_points.step_explicit(models, works, dt, number, tableau)


def _series(order, models, works, dt, number):
    return entry_points.step_exponential_series(models, works, dt, number, order)
