"""The constraints of a mechanism as equations for kernels.constraints."""

from mb_model.constraints.kinds import constant_distance, rigid_point
from mb_model.registry.constraints import CONSTRAINTS, COORDINATES


def equations_of(description, layout):
    """Return the Equations of a description: bodies, coordinates, constraints, prescribed ones."""
    equations = []
    for body in description.bodies.values():
        equations.append(constant_distance.between_first_points(body, layout))
        equations += [rigid_point.of_body(body, point, layout) for point in list(body.points)[2:]]
    equations += [COORDINATES[coordinate.kind].equation(layout, coordinate)
                  for coordinate in description.coordinates.values()]
    last = [one for one in description.constraints.values() if one.kind == 'prescribed']
    others = [one for one in description.constraints.values() if one.kind != 'prescribed']
    equations += [CONSTRAINTS[constraint.kind].equation(layout, constraint)
                  for constraint in (*others, *last)]
    return tuple(equations)
