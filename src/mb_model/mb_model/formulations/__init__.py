"""Formulations of the equations of motion, by name; a new one is a file here and a line below."""

from mb_model.formulations.accelerations import CoordinatePartitioning, Lagrange, Penalty
from mb_model.formulations.index3_al import Index3AugmentedLagrangian
from mb_model.formulations.matrix_r import MatrixR
from mb_model.formulations.stepper import StepError, Stepper

FORMULATIONS = {'index3_al': Index3AugmentedLagrangian, 'matrix_r': MatrixR,
                'coordinate_partitioning': CoordinatePartitioning, 'penalty': Penalty,
                'lagrange': Lagrange}

__all__ = ['FORMULATIONS', 'StepError', 'Stepper', 'make_stepper']


def make_stepper(mechanism, formulation='index3_al', integrator=None):
    """Return a Stepper at the mechanism's start; raises ValueError for unknown names."""
    if formulation not in FORMULATIONS:
        raise ValueError(f'formulation: {formulation}: unknown, expected one of '
                         f'{", ".join(FORMULATIONS)}')
    return FORMULATIONS[formulation](mechanism, integrator)
