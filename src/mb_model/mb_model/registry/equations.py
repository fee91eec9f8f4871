"""Kinds of equations, of mechanisms in the plane and in space, by name."""

from mb_model.constraints.equation import EquationKind
from mb_model.registry import constraints, spatial
from mb_model.space.equation import SpatialEquationKind


def equation_kind(name: str) -> EquationKind | SpatialEquationKind:
    """Return the kind of equations of a name."""
    return constraints.EQUATIONS[name] if name in constraints.EQUATIONS else spatial.EQUATIONS[name]
