"""The formulations as a table, for people."""

from dataclasses import fields
from typing import Any, cast

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.integration.registry import FORMULATIONS


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
