"""Shapes of bodies in space for descriptions."""

from mb_import.machine import Shape
from mb_model import Mechanism
from mb_model.space_api import Pose

_CYLINDERS = 'cylinder', 'tube', 'rod'


def shapes_of(mechanism: Mechanism) -> dict[str, tuple[Shape, ...]]:
    """Return body -> its Shapes; none in the plane, where bodies are bars between points."""
    if mechanism.dimension == 2:
        return {}
    return {name: tuple(
        Shape('cylinder' if one.kind in _CYLINDERS else one.kind,
              one.size[:2] if one.kind in _CYLINDERS else one.size, Pose(one.centre, one.axes))
        for one in body.shapes) for name, body in mechanism.bodies.items()}
