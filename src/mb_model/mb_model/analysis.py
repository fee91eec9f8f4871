"""What a mechanism is like at a position: how free, how near to a singular position, how heavy."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, svd

from mb_model.jacobian import constraint_jacobian
from mb_model.kernels import entry_points
from mb_model.places import point_places

RANK = 1e-9      # a singular value this small against the largest one counts as zero


@dataclass(frozen=True)
class Analysis:
    """At a position q; lengths count in sizes of the mechanism, angles in radians.

    singularity: the least singular value of the constraints in the dependent coordinates against
    the largest: 0 in a singular position, where the degrees of freedom do not decide the motion.
    best_independent: the coordinates in which the motion is least steep here.
    """

    redundant: int
    singularity: float
    best_independent: tuple[str, ...]
    mass: float                                  # [kg]
    centre_of_gravity: np.ndarray                # (2) [m]
    reduced_mass: np.ndarray                     # (g, g)


def analyse(mechanism, q):
    """Return the Analysis of a mechanism at a closed position q (n)."""
    model, work = mechanism.model, mechanism.new_work()
    n, m, g = mechanism.n, mechanism.m, mechanism.g
    work['q'][0, :n] = q
    _, phi_q = constraint_jacobian(model, work)
    phi_q = phi_q if isinstance(phi_q, np.ndarray) else phi_q.toarray()
    slopes = np.concatenate([[equation.slope] * equation.rows for equation in mechanism.equations])
    jacobian = phi_q * model['scale'][0, :n] / slopes[:, None]
    _, values, rows = svd(jacobian)
    rank = int(np.sum(values > RANK * values[0]))
    dependent = svd(jacobian[:, model['dependent'][0, :n - g]], compute_uv=False)
    _, _, pivots = qr(rows[rank:], mode='economic', pivoting=True)
    points = dict(zip(mechanism.points, point_places(mechanism, q)[0], strict=True))
    masses = np.array([body.mass for body in mechanism.bodies.values()])
    centres = np.array([_centre(body, points) for body in mechanism.bodies.values()])
    return Analysis(
        redundant=m - rank, singularity=float(dependent[-1] / dependent[0]),
        best_independent=tuple(mechanism.coordinates[k] for k in sorted(pivots[:n - rank])),
        mass=float(masses.sum()), centre_of_gravity=masses @ centres / masses.sum(),
        reduced_mass=_reduced_mass(mechanism, work))


def _reduced_mass(mechanism, work):
    """Return M_bar (g, g), not finite in a singular position: the forces per acceleration."""
    g = mechanism.g
    forces = np.full((g + 1, g), np.nan)
    for k, zdd in enumerate(np.vstack([np.zeros(g), np.eye(g)])):
        work['zdd'][0, :g] = zdd
        if entry_points.inverse_dynamics(mechanism.model, work):
            forces[k] = work['forces'][0, :g]
    return (forces[1:] - forces[0]).T


def _centre(body, points):
    """Return where the centre of gravity of a body is."""
    first, second = list(body.points)[:2]
    along = (points[second] - points[first]) / body.length
    across = np.array([-along[1], along[0]])
    x, y = body.centre_of_gravity
    return points[first] + x * along + y * across
