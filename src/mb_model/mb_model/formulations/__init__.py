"""Formulations of the equations of motion, by name; a new one is a file here and a line below."""

from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.accelerations import ClosedForm, Lagrange, Penalty
from mb_model.formulations.independent import CoordinatePartitioning, MatrixR
from mb_model.formulations.index3_al import Index3AugmentedLagrangian
from mb_model.formulations.semi_recursive import SemiRecursive
from mb_model.formulations.stepper import StepError, Stepper

FORMULATIONS: dict[str, type[Stepper]] = {
    'index3_al': Index3AugmentedLagrangian, 'matrix_r': MatrixR,
    'coordinate_partitioning': CoordinatePartitioning, 'penalty': Penalty,
    'lagrange': Lagrange, 'closed_form': ClosedForm, 'semi_recursive': SemiRecursive}

__all__ = ['FORMULATIONS', 'StepError', 'Stepper', 'make_stepper']


def make_stepper(mechanism: CompiledMechanism, formulation: str = 'index3_al',
                 integrator: str | None = None, **settings: Any) -> Stepper:
    """Return a Stepper at the mechanism's start.

    integrator: one of FORMULATIONS[formulation].integrators, default the first; settings: fields
    of FORMULATIONS[formulation].Settings.  Raises ValueError for unknown names and values, and for
    formulations that are not for large mechanisms.
    """
    if formulation not in FORMULATIONS:
        raise ValueError(f'formulation: {formulation}: unknown, expected one of '
                         f'{", ".join(FORMULATIONS)}')
    if mechanism.is_sparse and not FORMULATIONS[formulation].serves_sparse:
        able = [name for name, stepper in FORMULATIONS.items() if stepper.serves_sparse]
        raise ValueError(f'formulation: {formulation}: not for large mechanisms such as '
                         f'{mechanism.file} (sparse storage), expected one of {", ".join(able)}')
    return FORMULATIONS[formulation](mechanism, integrator, **settings)
