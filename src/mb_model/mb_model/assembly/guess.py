"""Where the coordinates of a mechanism start: at the file's points, and what follows."""

from collections.abc import Mapping, Sequence
from math import pi

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.compilation.layout import Layout
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.constraints.equation import Equation
from mb_model.constraints.relation import Coordinate
from mb_model.kernels.constraints import coordinate_one
from mb_model.kernels.spatial_constraints import rest_spatial
from mb_model.mechanism_file.description import Description
from mb_model.record import INDEX_SLOTS, VALUE_SLOTS
from mb_model.record.sparse import work_for
from mb_model.registry.constraints import number_of
from mb_model.space.equation import SpatialEquation


def start_guess(description: Description, layout: Layout | SpatialLayout,
                equations: Sequence[Equation | SpatialEquation],
                model: RecordArray | None = None) -> FloatArray:
    """Return q (n) at the start of the points, angles in the turn of the file's start.

    The angle of a coil spring is in the turn that starts of angles decide, else next to its rest.
    model: compiled, with any independent coordinates; of space alone.
    """
    if model is not None:
        return _guess_in_space(description, layout, model)
    q, values = layout.start_positions(), {}
    of_coordinate = {equation.meaning: equation for equation in equations}
    for name, coordinate in description.coordinates.items():
        if coordinate.inertia is not None:
            values[name] = description.start.get(name, 0.0)
            continue
        value = value_of(of_coordinate[f'coordinates.{name}'], q, 0.0)
        if coordinate.unit == 'rad':
            near = description.start.get(name, wound(description, coordinate, values))
            value += 2.0 * pi * round((near - value) / (2.0 * pi))
        values[name] = value
    q[layout.moving:len(layout.names)] = list(values.values())
    return q[:len(layout.names)]


def _guess_in_space(description: Description, layout: Layout | SpatialLayout, model: RecordArray
                    ) -> FloatArray:
    """Return q (n) where the nodes start, with added coordinates that follow from them."""
    work = work_for(model)
    work['q'][0, :layout.n_total] = layout.start_positions()
    for name in description.coordinates:
        work['q'][0, layout.index(name)] = description.start.get(name, 0.0)
    rest_spatial(model, work)
    return work['q'][0, :len(layout.names)].copy()


def wound(description: Description, coordinate: Coordinate, values: Mapping[str, float]) -> float:
    """Return a value next to an angle at the start: zero, but of a coil spring what it is wound.

    values: of the coordinates of the file.  Where a start is given, turns are counted.
    """
    if coordinate.rest is None:
        return 0.0
    angles = {}
    for name in description.start:
        other = description.coordinates.get(name)
        if other is not None and other.kind in ('angle', 'relative_angle'):
            angles[other.bodies] = values.get(name, 0.0)
    first, second = coordinate.bodies
    if (first, second) in angles:
        return angles[first, second]
    if (second, first) in angles:
        return -angles[second, first]
    if (first,) in angles and (second,) in angles:
        return angles[second,] - angles[first,]
    return coordinate.rest


def value_of(equation: Equation, q: FloatArray, old: float) -> float:
    """Return the value of the coordinate that an equation defines at q (n_total), next to `old`."""
    index, value = np.zeros(INDEX_SLOTS, np.int64), np.zeros(VALUE_SLOTS)
    index[:len(equation.index)], value[:len(equation.value)] = equation.index, equation.value
    return coordinate_one(int(number_of(equation.kind)), index, value, q, old)
