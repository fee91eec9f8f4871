"""All kinds of equations and forces of mechanisms in space; see joints, which no kernel needs."""

from typing import Any

from mb_model.jit import Rare
from mb_model.registry.kind_modules import gathered, kind_modules, numbered
from mb_model.space import equations, forces

_equations, _forces = kind_modules(equations.__name__), kind_modules(forces.__name__)
# Those with kernels, for source_stamp.
SOURCES = tuple(module.__name__ for module in (*_equations, *_forces)
                if hasattr(module, 'EQUATION') or hasattr(module, 'ELEMENT'))

EQUATIONS = gathered(_equations, 'EQUATION')                 # name -> SpatialEquationKind
ELEMENTS = gathered(_forces, 'ELEMENT')                      # name -> SpatialElementKind
FORCES = dict(sorted(gathered(_forces, 'FORCE').items()))    # name -> SpatialForceKind, of files

# The number of a kind is its index.
SpatialEquationNumber = numbered('SpatialEquationNumber', EQUATIONS, __name__)
SpatialElementNumber = numbered('SpatialElementNumber', ELEMENTS, __name__)

# Kernels that call the kernels of all kinds: more than a third of what machines in the plane need.
IN_SPACE = Rare()


def kernels(kinds: dict[str, Any], function: str) -> list[Any]:
    """Return the kernel of every kind by its name there, in the order of numbers."""
    return [getattr(kind, function) for kind in kinds.values()]
