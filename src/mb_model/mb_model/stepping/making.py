"""Steppers by the names of formulations and integrators, and the table of these for people."""

from dataclasses import fields
from typing import Any, cast

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.integration.registry import FORMULATIONS
from mb_model.stepping.formulation_stepper import FormulationStepper
from mb_model.stepping.stepper import Stepper


def usual_formulation(mechanism: CompiledMechanism) -> str:
    """Return the name of the formulation for who names none: index3_al, if bodies roll matrix_r."""
    return next(name for name in ('index3_al', 'matrix_r')
                if FORMULATIONS[name].serves(mechanism))


def why_usual(mechanism: CompiledMechanism) -> str:
    """Return in words why usual_formulation is the one it is."""
    return f'as bodies roll: joints.{", joints.".join(rolling)}' if (
        rolling := mechanism.rolling) else 'the default'


def make_stepper(mechanism: CompiledMechanism, formulation: str | None = None,
                 integrator: str | None = None, **settings: Any) -> Stepper:
    """Return a Stepper at the mechanism's start.

    formulation: default usual_formulation; integrator: one of
    FORMULATIONS[formulation].integrators, default the first; settings: fields of
    FORMULATIONS[formulation].Settings.  Raises ValueError for unknown names and values, and for
    formulations that are not for large mechanisms, or not for bodies that roll.
    """
    formulation = usual_formulation(mechanism) if formulation is None else formulation
    if formulation not in FORMULATIONS:
        raise ValueError(f'formulation: {formulation}: unknown, expected one of '
                         f'{", ".join(FORMULATIONS)}')
    if not FORMULATIONS[formulation].serves(mechanism):
        able = [name for name, kind in FORMULATIONS.items() if kind.serves(mechanism)]
        such = (f'mechanisms with bodies that roll, such as {mechanism.file}'
                if mechanism.model['rolls'][0]
                else f'large mechanisms such as {mechanism.file} (sparse storage)')
        raise ValueError(f'formulation: {formulation}: not for {such}, expected one of '
                         f'{", ".join(able)}')
    return FormulationStepper(mechanism, FORMULATIONS[formulation], integrator, **settings)


def formulations_table() -> list[str]:
    """Return lines of Markdown: every formulation, what it integrates, what can be set."""
    return ['| formulation | integrates | integrators | settings |', '| --- | --- | --- | --- |',
            *map(_row, FORMULATIONS.values())]


def _row(kind: FormulationKind) -> str:
    if kind.steps:
        integrators = ', '.join(f'`{name}`' for name in kind.steps)
    else:
        integrators = ('all' if kind.integrates == Integrates.INDEPENDENT
                       else 'all but `exponential...`')
    settings = ', '.join(f'`{one.name}`' for one in fields(cast(Any, kind.Settings)))
    return (f'| `{kind.name}`: {kind.description} | {kind.integrates.words} | {integrators} | '
            f'{settings} |')
