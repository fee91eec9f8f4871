"""All formulations, by name and by number."""

from enum import IntEnum
from typing import Any

from mb_model.formulations import kinds
from mb_model.formulations.formulation import FormulationKind
from mb_model.registry.kind_modules import gathered, kind_modules, numbered

_modules = kind_modules(kinds.__name__)
SOURCES = tuple(module.__name__ for module in _modules)      # for source_stamp

FORMULATIONS: dict[str, FormulationKind] = gathered(_modules, 'FORMULATION')

# The number of a formulation is its index in FORMULATIONS.
Formulation = numbered('Formulation', FORMULATIONS, __name__)
MATRIX_R = int(Formulation['MATRIX_R'])                      # for kernels
PENALTY = int(Formulation['PENALTY'])


def number_of(kind: FormulationKind) -> IntEnum:
    """Return the Formulation of a kind."""
    return Formulation[kind.name.upper()]


def kernels(function: str, otherwise: Any = None) -> list[Any]:
    """Return the kernel of every formulation by its name in FormulationKind, by number.

    otherwise: what stands for kernels of formulations that do not serve sparse storage.
    """
    return [otherwise if otherwise and not kind.sparse_dimensions else getattr(kind, function)
            for kind in FORMULATIONS.values()]
