"""All kinds of constraints, by name and by number."""

from enum import IntEnum
from typing import Any

from mb_model.constraints import kinds
from mb_model.registry.kind_modules import gathered, kind_modules, numbered

_modules = kind_modules(kinds.__name__)
# Those with kernels, for source_stamp.
SOURCES = tuple(module.__name__ for module in _modules if hasattr(module, 'EQUATION'))

EQUATIONS = gathered(_modules, 'EQUATION')                   # name -> EquationKind
COORDINATES = gathered(_modules, 'COORDINATE')               # name -> RelationKind, of the section
CONSTRAINTS = gathered(_modules, 'CONSTRAINT')               # `coordinates` or `constraints`

# The number of a kind is its index in EQUATIONS.
ConstraintKind = numbered('ConstraintKind', EQUATIONS, __name__)


def number_of(name: str) -> IntEnum:
    """Return the ConstraintKind of a kind of equations by name."""
    return ConstraintKind[name.upper()]


def kernels(function: str) -> list[Any]:
    """Return the kernel of every kind by its name in EquationKind, in the order of numbers."""
    return [getattr(kind, function) for kind in EQUATIONS.values()]
