"""Laws of friction as sums of terms, each a coefficient times its factor.

Of a cylinder, in its velocity v and gauge pressures:

    F = Fc (flat - bump) + Fs bump + sigma v + (C1 |p_piston - p_rod| + C2 p_rod) flat
    flat = tanh(4 w),  bump = w / (w^2 / 4 + 3/4)^2,  w = v / v_s

as in mb_model.hydraulics.  Source: Pyrhonen et al. 2023b, Eqs. (51)-(53).  Of a coordinate without
the pressures, as in mb_model's `friction`, by direction, as in its `directional_friction`, or with
shares of the load p that its drive carries, as in its `load_friction`: a |p| flat.  All numbers
but the transition velocity v_s enter linearly.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray

KINDS = 'friction', 'directional_friction', 'load_friction'
_PLAIN = 'coulomb', 'static', 'viscous'
KEYS = {'friction': _PLAIN, 'load_friction': (*_PLAIN, 'load_share', 'load_share_driven'),
        'directional_friction': tuple(f'{key}_{sense}' for key in _PLAIN
                                      for sense in ('forward', 'backward'))}
CYLINDER = 'coulomb', 'static', 'viscous', 'pressure_difference', 'rod_pressure'


def _curves(w: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return flat and bump (k)."""
    return np.tanh(4.0 * w), w / (0.25 * w * w + 0.75) ** 2


def _plain(v: FloatArray, transition: float) -> FloatArray:
    """Return the factors (k, 3) of Coulomb, static and viscous friction."""
    flat, bump = _curves(v / transition)
    return np.stack([flat - bump, bump, v], axis=1)


def _by_sense(v: FloatArray, transition: float) -> FloatArray:
    """Return the factors (k, 6) of these, each forward and backward."""
    forward = 0.5 * (1.0 + np.tanh(4.0 * v / transition))
    return np.stack([share * column for column in _plain(v, transition).T
                     for share in (forward, 1.0 - forward)], axis=1)


def coordinate_terms(kind: str, v: FloatArray, load: FloatArray, transition: float) -> FloatArray:
    """Return the factors (k, c) of coordinate_numbers of a friction.

    kind: of the force; v (k): rates; load (k): that the drive carries.
    """
    if kind == 'directional_friction':
        return _by_sense(v, transition)
    if kind == 'load_friction':
        flat = np.tanh(4.0 * v / transition)
        share, driven = (np.abs(load) * flat * side for side in (load * flat >= 0.0,
                                                                 load * flat < 0.0))
        return np.column_stack([_plain(v, transition), share, driven])
    return _plain(v, transition)


def coordinate_numbers(force: Any) -> tuple[FloatArray, float]:
    """Return the numbers (c) of a friction on a coordinate, as KEYS, and its transition velocity.

    force: of a described mechanism, of KINDS.
    """
    if force.kind == 'friction':
        return np.array([force.coulomb, force.static, force.viscous]), force.transition_velocity
    transition = {'directional_friction': 6, 'load_friction': 3}[force.kind]
    return np.delete(force.values, transition), force.values[transition]


def cylinder_terms(v: FloatArray, difference: FloatArray, rod: FloatArray,
                   transition: float) -> FloatArray:
    """Return the factors (k, 5) of the numbers of CYLINDER.

    v (k): rates; difference, rod (k): the pressures |p_piston - p_rod| and p_rod [Pa].
    """
    flat = np.tanh(4.0 * v / transition)
    return np.column_stack([_plain(v, transition), difference * flat, rod * flat])


def cylinder_slopes(v: FloatArray, difference: FloatArray, rod: FloatArray, transition: float,
                    ) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of cylinder_terms by v and by the transition velocity, (k, 5) each."""
    w = v / transition
    flat = 4.0 * (1.0 - np.tanh(4.0 * w) ** 2)
    bump = 0.75 * (1.0 - w * w) / (0.25 * w * w + 0.75) ** 3
    by_w = np.stack([flat - bump, bump, 0.0 * v, difference * flat, rod * flat], axis=1)
    by_v = by_w / transition
    by_v[:, 2] = 1.0
    return by_v, -by_w * w[:, np.newaxis] / transition


def smeared(terms: Callable[[FloatArray], FloatArray], v: FloatArray,
            deviation: FloatArray) -> FloatArray:
    """Return the means (k, ...) of terms of v (k) over normal errors of it with a deviation (k)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    return sum(weight * terms(v + node * deviation)
               for node, weight in zip(nodes, weights / weights.sum(), strict=True))
