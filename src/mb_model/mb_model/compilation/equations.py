"""The constraints of a mechanism as equations for kernels.constraints."""

from typing import TYPE_CHECKING

from mb_model.compilation.beams import beam_equations
from mb_model.compilation.layout import Layout
from mb_model.constraints.equation import Equation
from mb_model.constraints.kinds import constant_distance, rigid_point
from mb_model.mechanism_file.description import Description
from mb_model.registry.constraints import CONSTRAINTS, COORDINATES
from mb_model.space.equation import SpatialEquation

if TYPE_CHECKING:
    from mb_model.compilation.spatial.layout import SpatialLayout


def equations_of(description: Description, layout: 'Layout | SpatialLayout'
                 ) -> tuple[Equation | SpatialEquation, ...]:
    """Return the Equations of a description: bodies, coordinates, constraints, prescribed ones."""
    if description.dimension == 3:
        # Imported here: planar mechanisms need not wait for it.
        from mb_model.compilation.spatial.record import spatial_equations
        return (*spatial_equations(description, layout), *_of_constraints(description, layout))
    equations = []
    for body in description.bodies.values():
        if body.beam is not None:
            equations += beam_equations(body, layout)
            continue
        equations.append(constant_distance.between_first_points(body, layout))
        equations += [rigid_point.of_body(body, point, layout) for point in list(body.points)[2:]]
    equations += [COORDINATES[coordinate.kind].equation(layout, coordinate)
                  for coordinate in description.coordinates.values()
                  if coordinate.inertia is None and coordinate.kind in COORDINATES]
    return (*equations, *_of_constraints(description, layout))


def _of_constraints(description: Description, layout: 'Layout | SpatialLayout') -> list[Equation]:
    """Return the Equations of constraints, prescribed ones last."""
    last = [one for one in description.constraints.values() if one.kind == 'prescribed']
    others = [one for one in description.constraints.values() if one.kind != 'prescribed']
    return [equation for constraint in (*others, *last)
            for kind in (CONSTRAINTS[constraint.kind],)
            for equation in (kind.equation(layout, constraint), *kind.beside(layout, constraint))]
