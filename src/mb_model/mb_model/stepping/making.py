"""Steppers by the names of formulations and integrators."""

from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.integration.registry import FORMULATIONS
from mb_model.stepping.formulation_stepper import FormulationStepper
from mb_model.stepping.stepper import Stepper


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
    if not FORMULATIONS[formulation].serves(mechanism):
        able = [name for name, kind in FORMULATIONS.items() if kind.serves(mechanism)]
        raise ValueError(f'formulation: {formulation}: not for large mechanisms such as '
                         f'{mechanism.file} (sparse storage), expected one of {", ".join(able)}')
    return FormulationStepper(mechanism, FORMULATIONS[formulation], integrator, **settings)
