"""Flexible bodies as kernels see them: pairs of points with masses, and equations of their modes.

A mass matrix (p, p) between points is a sum over pairs, each as of a rigid body on two points:
M_ij between two of them is the inertia of their motion against each other, row sums are what the
points carry.  So a beam needs no kernels of its own.
"""

from collections.abc import Iterable, Mapping
from math import pi
from typing import Any

import numpy as np

from mb_model.compilation.layout import Layout
from mb_model.constraints.equation import Equation
from mb_model.constraints.kinds import bent_length
from mb_model.mechanism_file.description import Body
from mb_model.mechanism_file.flexible_bodies import foot_name, offset_names

# What a body is in the record, see record.MODEL.
PART = 'index', 'length', 'mass', 'centre', 'inertia', 'rod'
SHARE_OF_ENDS = 0.5      # of the mass, by convention, between the ends; the modes share the rest


def body_parts(bodies: Iterable[Body], layout: Layout) -> list[tuple[Any, ...]]:
    """Return the PARTs of bodies: one of each in their order, then what flexible ones have more."""
    firsts, others = [], []
    for body in bodies:
        if body.beam is None:
            firsts.append((layout.axis(body.name), body.length, body.mass, body.centre_of_gravity,
                           body.inertia, body.rod))
        else:
            first, *more = _parts_of_beam(body, layout)
            firsts.append(first)
            others += more
    return firsts + others


def part_numbers(bodies: Mapping[str, Body], name: str) -> list[int]:
    """Return the numbers of the PARTs of a body by name."""
    names, own = list(bodies), [list(bodies).index(name)]
    last = len(names)
    for other, body in bodies.items():
        more = 0 if body.beam is None else _pairs(body) - 1
        if other == name:
            own += range(last, last + more)
        last += more
    return own


def _pairs(body: Body) -> int:
    count = 2 + len(body.modes)
    return count * (count - 1) // 2


def _parts_of_beam(body: Body, layout: Layout) -> list[tuple[Any, ...]]:
    """Return the PARTs of a flexible body, that between its ends first.

    Pairs have the length 1 but for the first; the pair of A and mode k carries a share of the mass
    at an offset that moves as much of the weight to the mode as it has.
    """
    matrix, mass = body.beam.mass_matrix, body.mass
    points = [*layout.axis(body.name), *(layout.points[name] for name in body.mode_points)]
    carried = matrix.sum(axis=1)
    parts = []
    for i, j in zip(*np.triu_indices(len(points), 1), strict=True):
        length, share = 1.0, 0.0
        if i == 0:
            share = SHARE_OF_ENDS * mass if j == 1 else (
                (1.0 - SHARE_OF_ENDS) * mass / len(body.modes))
        if j == 1:
            length = body.length
        far = carried[j] if i == 0 else 0.0                 # of the weight, on point j
        centre = far / share if i == 0 else 0.0             # over the length
        inertia = far - matrix[i, j] - share * centre * centre
        parts.append(((points[i], points[j]), length, share, (centre * length, 0.0),
                      inertia * length * length, False))
    return parts


def beam_equations(body: Body, layout: Layout) -> list[Equation]:
    """Return the Equations of a flexible body: its chord, its modes, its further points."""
    equations, (i, j) = [bent_length.of_beam(body, layout)], layout.axis(body.name)
    for mode, point, size in zip(body.modes, body.mode_points, body.beam.sizes, strict=True):
        index, own = (i, j, i, layout.points[point]), (body.name,) * 3 + (None,)
        equations += [
            _lines(body, (*index, i), (-1.0, 0.0, 0.0, -0.5 * pi), f'bodies.{body.name} at {point}',
                   own),
            _lines(body, (*index, layout.index(mode)), (0.0, 1.0 / float(size), body.length),
                   f'coordinates.{mode}', own)]
    for point in list(body.points)[2:]:
        equations += _of_further_point(body, point, layout)
    return equations


def _lines(body: Body, index: tuple[int, ...], value: tuple[float, ...], meaning: str,
           own: tuple[str | None, ...]) -> Equation:
    return Equation('two_lines', index, value, 1, body.length, meaning, own, inner=True)


def _of_further_point(body: Body, point: str, layout: Layout) -> list[Equation]:
    """Return the Equations of a point (x, y) of a section that moves and turns with the modes.

    From the share x / L of the chord it is -y sum phi_k'(x) q_k along the chord, and
    y + sum phi_k(x) q_k across it.
    """
    (i, j), (x, y) = layout.axis(body.name), body.points[point]
    foot = layout.points[foot_name(body, point)]
    equations = [Equation(
        'rigid_point', (i, j, foot), (x / body.length, 0.0, x, 0.0), 2, 1.0,
        f'bodies.{body.name} at {foot_name(body, point)}', (body.name, body.name, None),
        inner=True)]
    index, own = (i, j, foot, layout.points[point]), (body.name, body.name, None, body.name)
    along, across = offset_names(body, point)
    equations += [
        _lines(body, (*index, layout.index(name)), value, f'coordinates.{name}', own)
        for name, value in ((along, (-1.0, 0.0, body.length)), (across, (0.0, 1.0, body.length)))]
    modes = [layout.index(name) for name in body.modes]
    for name, start, shares in ((along, 0.0, -y * body.beam.slope(x)),
                                (across, y, body.beam.deflection(x))):
        index, missing = layout.index(name), 2 - len(modes)
        equations.append(Equation(
            'linear', (index, *modes, *missing * (index,)),
            (1.0, *(-shares).tolist(), *missing * (0.0,), start), 1, 1.0,
            f'bodies.{body.name} at {point}, {name.rpartition(".")[2]}', (), inner=True))
    return equations
