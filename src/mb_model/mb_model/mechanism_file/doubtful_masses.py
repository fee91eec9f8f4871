"""Masses of a mechanism file that are possible as numbers, but hardly as bodies."""

from collections.abc import Callable, Iterator
from math import pi, sqrt
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray

_DENSEST = 22_600.0     # [kg/m^3]: osmium
_THIN = 1e-2            # an axis this short against the longest is left out by the file, not known
_DEPTH = 10.0           # of a body in the plane across it, in its length or radius, the most
_HEAVIER = 1e4          # than all other bodies together
_LIGHTER = 1e-8         # of all bodies together


def doubtful_masses(description: Any, reach: Callable[[Any, Any], float]) -> Iterator[str]:
    """Yield texts about bodies that are denser than any material, or out of all proportion.

    Mass and moments of inertia alone bound the density: no body is less dense throughout than the
    ellipsoid that has both.  Points without inertia and flexible bodies are left out.
    reach(description, body): how far it extends [m]; an inertia counts as a mass at its end.
    """
    axes = _axes_in_space if description.dimension == 3 else _axes
    masses = {name: max(body.mass, _mass_of_inertia(body, reach(description, body)))
              for name, body in description.bodies.items()}
    total = sum(masses.values())
    for name, body in description.bodies.items():
        if not body.mass > 0.0:
            continue
        lengths = axes(body) if body.beam is None else None
        if lengths is not None:
            density = body.mass / (4.0 / 3.0 * pi * float(np.prod(lengths)))
            if density > _DENSEST:
                # At the same inertia lengths grow as 1 / sqrt(mass), so densities as mass^2.5.
                most = body.mass * (_DENSEST / density) ** 0.4
                yield (f'bodies.{name}.mass: {body.mass:g} kg with its moments of inertia are '
                       f'{density:.3g} kg/m^3 or more, no material has more than {_DENSEST:g}; '
                       f'expected up to {most:.3g} kg with this inertia')
        others = sum(mass for other, mass in masses.items() if other != name)
        if body.mass > _HEAVIER * others > 0.0:
            yield (f'bodies.{name}.mass: {body.mass:g} kg is {body.mass / others:.3g} times that '
                   f'of all other bodies together, expected up to {_HEAVIER * others:.3g} kg; is '
                   'it in kg?')
        elif masses[name] < _LIGHTER * total:
            yield (f'bodies.{name}.mass: {body.mass:g} kg is {body.mass / total:.3g} of that of '
                   f'all bodies, expected {_LIGHTER * total:.3g} kg or more, or 0; is it in kg?')


def _mass_of_inertia(body: Any, far: float) -> float:
    """Return the mass at a distance [m] that has the inertia of a body; 0 at none."""
    return float(np.max(body.inertia)) / far ** 2 if far > 0.0 else 0.0


def _axes_in_space(body: Any) -> FloatArray | None:
    """Return half axes (3) of the ellipsoid [m]; None of a point.

    One that is left out, as of a thin rod, counts as the longest.
    """
    moments = np.linalg.eigvalsh(body.inertia)
    squares = 5.0 * (0.5 * moments.sum() - moments) / body.mass
    longest = squares.max()
    if not longest > 0.0:
        return None
    return np.sqrt(np.where(squares < _THIN ** 2 * longest, longest, squares))


def _axes(body: Any) -> FloatArray | None:
    """Return the same of a body in the plane, as deep as it may be."""
    if not body.inertia > 0.0:
        return None
    radius = 2.0 * sqrt(body.inertia / (2.0 * body.mass))
    return np.array([radius, radius, _DEPTH * max(body.length, radius)])
