"""Masses of bodies in space on the base nodes of a mechanism: constant numbers for pairs of nodes.

A place r = sum_k w_k n_k of a body, with w = W (1, x, y, z) linear in its place, has the kinetic
energy 1/2 sum_kl M_kl n_k' . n_l' with M = W P W^T and the body's second moments
P = integral of (1, x, y, z) (1, x, y, z)^T dm.  Source: Garcia de Jalon and Bayo 1994, Sec. 4.2.
"""

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.nodes import POINT
from mb_model.mechanism_file.description import MechanismError


def masses_and_weights(description, nodes, groups):
    """Return ({(base, base): mass}, {base: weight}), pairs in ascending order [kg]."""
    masses, weights = {}, {}
    for body in description.bodies.values():
        basis = nodes.bases[groups[body.name].name]
        origin, axes = groups[body.name].members[body.name]
        to_group = np.block([[np.ones((1, 1)), np.zeros((1, 3))], [origin[:, None], axes]])
        spread = basis.inverse @ to_group
        on_nodes = spread @ second_moments(description, body) @ spread.T
        share = body.mass * basis.inverse @ nodes.mark(body.name, POINT, body.centre_of_gravity)
        for k, first in enumerate(basis.nodes):
            for a, of_first in first.terms.items():
                weights[a] = weights.get(a, 0.0) + share[k] * of_first
                for l, second in enumerate(basis.nodes):
                    for b, of_second in second.terms.items():
                        if a <= b:
                            masses[a, b] = (masses.get((a, b), 0.0)
                                            + of_first * on_nodes[k, l] * of_second)
    return masses, weights


def second_moments(description, body) -> FloatArray:
    """Return P (4, 4) of a body in its own frame [kg, kg m, kg m^2]."""
    centre = np.array(body.centre_of_gravity)
    about_centre = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia
    if body.slender:
        about_centre = _of_line(description, body)
    moments = np.empty((4, 4))
    moments[0, 0] = body.mass
    moments[0, 1:] = moments[1:, 0] = body.mass * centre
    moments[1:, 1:] = about_centre + body.mass * np.outer(centre, centre)
    return moments


def _of_line(description, body):
    """Return the second moments of a slender body about its centre: along its line alone."""
    values, axes = np.linalg.eigh(body.inertia)
    if values[2] - values[1] > 1e-6 * values[2]:
        raise MechanismError(f'{description.file}: bodies.{body.name}.inertia: a slender body has '
                             'the same inertia about all axes across its line')
    line = axes[:, 0]
    return 0.5 * (values[1] + values[2]) * np.outer(line, line)
