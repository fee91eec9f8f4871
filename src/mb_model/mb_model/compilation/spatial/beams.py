"""Flexible bodies in space as kernels see them: equations of their modes, and their masses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.beams.spatial_beam import SpatialBeam
from mb_model.compilation.spatial.node import Terms
from mb_model.space.body import SpatialBody
from mb_model.space.equation import NONE, SpatialEquation
from mb_model.space.equations.products import product_equation
from mb_model.space.joints.beam_sections import chord, ends

_COLUMNS = 3         # vectors that the masses of one solid are on


@dataclass(frozen=True)
class Solid:
    """A body as mass matrices see it, or a part of one; see record.MODEL.

    weights: {number of a base node: weights (4)} of a point of its frame, times (1, x, y, z).
    """

    mass: float
    centre: tuple[float, ...]
    inertia: FloatArray                  # (3, 3)
    weights: dict[int, FloatArray]


def beam_equations(layout: Any, body: SpatialBody) -> list[SpatialEquation]:
    """Return the SpatialEquations of a flexible body: its chord, its modes."""
    meaning, modes = f'bodies.{body.name}', layout.mode_vectors(body.name)
    axes = [layout.direction(body.name, axis) for axis in np.eye(3)]
    between = chord(layout, body.name)
    equations = [_product(layout, between, axis, 1.0, meaning) for axis in axes[1:]]
    equations += _shortened(layout, body, [between, *modes], meaning)
    springs = body.beam.springs
    for k, (vector, size) in enumerate(zip(modes, body.beam.shape.sizes, strict=True)):
        indices = {spring.axis: layout.index(f'{body.name}.{spring.name}') for spring in springs
                  if spring.unit == 'm' and spring.number == k}
        equations += [_product(layout, vector, axes['xyz'.index(axis)], 1.0, meaning,
                               indices.get(axis, NONE), -float(size)) for axis in 'xyz']
    twists = [layout.index(f'{body.name}.{spring.name}') for spring in springs
              if spring.unit == 'rad']
    for index, pair in zip(twists, layout.twist_vectors(body.name), strict=True):
        for vector, along, sign in zip(pair, (2, 1), (1.0, -1.0), strict=True):
            equations += [_product(
                layout, vector, axis, 1.0 / layout.size, meaning,
                *((index, -sign) if k == along else (NONE, 0.0))) for k, axis in enumerate(axes)]
    return equations


def _product(layout: Any, first: Terms, second: Terms, slope: float, meaning: str,
             scalar: int = NONE, linear: float = 0.0) -> SpatialEquation:
    """Return the equation of the product of two vectors, given by terms, and of a coordinate."""
    return product_equation(layout.vector(first), layout.vector(second), 0.0, slope, meaning,
                            scalar, 0.0 if scalar == NONE else linear)


def _shortened(layout: Any, body: SpatialBody, squared: Sequence[Terms], meaning: str
               ) -> list[SpatialEquation]:
    """Return the equations of the length: squares of chord and mode vectors make the beam's.

    As constraints.kinds.bent_length.  One equation has two squares: with more than one shape, a
    coordinate s of its own stands between two of them, |chord|^2 + |w_1|^2 + L s = L^2.
    """
    length, numbers = body.beam.shape.length, [layout.vector(terms) for terms in squared]
    numbers += (-len(numbers) % 2) * [NONE]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    scalar = NONE if len(pairs) == 1 else layout.index(body.shortening)
    return [SpatialEquation(
        'products', (one, one, other, other), (scalar, NONE),
        (1.0, float(other != NONE), 0.0 if scalar == NONE else sign * length, 0.0, 0.0,
         -constant), 2.0 * length, meaning)
        for (one, other), sign, constant in zip(
            pairs, (1.0, -1.0), (length * length, 0.0), strict=False)]


def beam_solids(layout: Any, body: SpatialBody) -> list[Solid]:
    """Return the Solids of a flexible body that are not of its frame, see rigid_part."""
    beam, shape = body.beam, body.beam.shape
    first, _ = ends(layout, body.name)
    # From the points A, B, A + w_1, ... to A and the vectors from there.
    to_vectors = np.eye(len(shape.mass_matrix))
    to_vectors[1:, 0] = 1.0
    moments = to_vectors.T @ shape.mass_matrix @ to_vectors
    vectors = [chord(layout, body.name), *layout.mode_vectors(body.name)]
    share = moments[1:, 0] / body.mass
    solids = _solids(layout, moments[1:, 1:] - body.mass * np.outer(share, share), vectors,
                     body.mass, layout.total(((1.0, first), *zip(share, vectors, strict=True))))
    if beam.torsion is not None:
        turned = 0.5 * beam.axial_inertia * beam.torsion.moments
        turned[0, 0] = 0.0              # has the frame
        for k, axis in enumerate((1, 2)):
            frame = layout.direction(body.name, np.eye(3)[axis])
            solids += _solids(layout, turned, [
                frame, *(pair[k] for pair in layout.twist_vectors(body.name))])
    return solids


def _solids(layout: Any, moments: FloatArray, vectors: Sequence[Terms], mass: float = 0.0,
            centre: Terms | None = None) -> list[Solid]:
    """Return Solids whose vectors have second moments (k, k), the first one with a mass.

    In combinations of the vectors that are not coupled, each of them an axis of a Solid.
    """
    sizes, mixes = np.linalg.eigh(moments)
    solids = []
    for begin in range(0, len(sizes), _COLUMNS):
        own = sizes[begin:begin + _COLUMNS]
        parts = [centre or {}, *(
            layout.total(zip(mix, vectors, strict=True))
            for mix in mixes.T[begin:begin + _COLUMNS])]
        weights: dict[int, FloatArray] = {}
        for column, terms in enumerate(parts):
            for base, weight in terms.items():
                weights.setdefault(base, np.zeros(4))[column] = weight
        spread = np.pad(own, (0, _COLUMNS - len(own)))
        solids.append(Solid(mass, (0.0, 0.0, 0.0), np.diag(spread.sum() - spread), weights))
        mass, centre = 0.0, None
    return solids


def solid_numbers(bodies: Mapping[str, SpatialBody], name: str) -> list[int]:
    """Return the numbers of the Solids of a body by name."""
    own, last = [list(bodies).index(name)], len(bodies)
    for other, body in bodies.items():
        beam, count = body.beam, 0
        if beam is not None:
            count = bending_solids(beam) + (2 * _solids_of(beam.torsion.modes) if beam.torsion
                                            else 0)
        if other == name:
            own += range(last, last + count)
        last += count
    return own


def bending_solids(beam: SpatialBeam) -> int:
    """Return how many Solids the bending of a beam has; they come first."""
    return _solids_of(beam.shape.modes)


def _solids_of(modes: int) -> int:
    return -(-(1 + modes) // _COLUMNS)


def rigid_part(body: SpatialBody) -> tuple[float, tuple[float, ...], FloatArray]:
    """Return mass, centre of gravity and inertia of the frame of a body: all that a rigid one has.

    Of a flexible one the inertia about its axis.
    """
    if body.beam is None:
        return body.mass, body.centre_of_gravity, body.inertia
    return 0.0, (0.0, 0.0, 0.0), np.diag([body.beam.axial_inertia, 0.0, 0.0])

