"""What a mechanism is like at a position: how free, how near to a singular position, how heavy."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.body_motion import body_poses
from mb_model.assembly.closing import scaled_jacobian
from mb_model.assembly.freedom import preferred, steady_coordinates
from mb_model.assembly.independent_rows import rank
from mb_model.mechanism_file.description import MechanismError

_ROUNDING = 1e-13       # share of the largest singular value that is rounding


@dataclass(frozen=True)
class Analysis:
    """At a position q.

    singularity: see there.  best_independent: coordinates in which the motion is not steep, the
    ones of the mechanism if they are nearly as good.
    """

    freedom: int                                 # in this position; more than g if it is singular
    singularity: float
    best_independent: tuple[str, ...]
    mass: float                                  # [kg]
    centre_of_gravity: np.ndarray                # (2), in space (3) [m]
    reduced_mass: np.ndarray                     # (g, g)


def analyse(mechanism: Any, q: FloatArray) -> Analysis:
    """Return the Analysis of a mechanism at a closed position q (n)."""
    jacobian = _jacobian(mechanism, mechanism.workspace(), q)
    freedom = mechanism.n - rank(jacobian)
    masses = np.array([body.mass for body in mechanism.bodies.values()])
    centres = np.array([*centres_of_gravity(mechanism, q).values()])[:, :mechanism.dimension]
    return Analysis(
        freedom=freedom, singularity=_singularity(mechanism, jacobian),
        best_independent=steady_coordinates(
            mechanism.coordinates, jacobian, freedom, dict.fromkeys((
                *mechanism.independent,
                *preferred(mechanism.coordinates, mechanism.described)))),
        mass=float(masses.sum()), centre_of_gravity=masses @ centres / (masses.sum() or np.nan),
        reduced_mass=_reduced_mass(mechanism, q))


def singularity(mechanism: Any, q: FloatArray) -> FloatArray:
    """Return how far positions q (k, n) are from singular ones (k), from 1 down to 0.

    1 over the greatest gain: how many times farther than the degrees of freedom, and coordinates
    that the file prescribes, any coordinate moves, 1 at least.  0 where these do not decide the
    motion.  Lengths count in sizes of the mechanism, angles in radians; how many constraints there
    are, and in what units, does not count.
    """
    work = mechanism.workspace()
    return np.array([_singularity(mechanism, _jacobian(mechanism, work, at)) for at in q])


def _singularity(mechanism: Any, jacobian: FloatArray) -> float:
    n, g = mechanism.n, mechanism.g
    dependent, independent = (mechanism.model[name][0, :count] for name, count in (
        ('dependent', n - g), ('independent', g)))
    columns = [-jacobian[:, independent], *_drives(mechanism, jacobian)]
    left, sizes, right = np.linalg.svd(jacobian[:, dependent], full_matrices=False)
    if not len(sizes) or not sizes[-1] > _ROUNDING * sizes[0]:
        return float(not len(sizes))
    moved = right.T @ ((left.T @ np.column_stack(columns)) / sizes[:, None])
    return float(1.0 / max(1.0, np.linalg.norm(moved, axis=1).max(initial=0.0)))


def _drives(mechanism: Any, jacobian: FloatArray) -> Iterator[FloatArray]:
    """Yield what moves the constraint of each prescribed coordinate by one of the coordinate."""
    row = 0
    for equation in mechanism.equations:
        if equation.kind == 'prescribed':
            push = np.zeros(len(jacobian))
            push[row] = jacobian[row][np.argmax(np.abs(jacobian[row]))]
            yield push
        row += equation.rows


def _jacobian(mechanism: Any, work: RecordArray, q: FloatArray) -> FloatArray:
    """Return the constraints' Jacobian (m, n) in sizes of the mechanism and radians."""
    work['q'][0, :mechanism.n] = q
    return scaled_jacobian(mechanism.model, work, mechanism.equations)


def _reduced_mass(mechanism: Any, q: FloatArray) -> FloatArray:
    """Return M_bar (g, g) = R' M R, not finite in a singular position.

    The matrices of large mechanisms are not at hand: there, the forces per acceleration.
    """
    z, rest = q[[mechanism.coordinates.index(name) for name in mechanism.independent]], []
    try:
        if not mechanism.is_sparse:
            R = mechanism.R(q)
            return R.T @ mechanism.workspace()['M'][0, :mechanism.n, :mechanism.n] @ R
        for zdd in (np.zeros(mechanism.g), *np.eye(mechanism.g)):
            rest.append(mechanism.inverse_dynamics(z, np.zeros(mechanism.g), zdd, near=q))
    except MechanismError:
        return np.full((mechanism.g, mechanism.g), np.nan)
    return np.array(rest[1:]).reshape(mechanism.g, mechanism.g).T - np.array(rest[:1]).T


def centres_of_gravity(mechanism: Any, q: FloatArray) -> dict[str, FloatArray]:
    """Return body -> where its centre of gravity is at q (n): (3), in the plane with z = 0 [m]."""
    centres = {name: np.zeros(3) for name in mechanism.bodies}
    for name, body in mechanism.bodies.items():
        centres[name][:mechanism.dimension] = body.centre_of_gravity
    poses = body_poses(mechanism, q)
    return {name: poses[name][0][0] + poses[name][1][0] @ centre
            for name, centre in centres.items()}


def oil_frequencies(mechanism: Any, z: ArrayLike | None = None,
                    p: ArrayLike | None = None) -> FloatArray:
    """Return the frequencies (g) [Hz] of the mechanism on the springs that its closed-in oil makes.

    z (g), p (v): where it is at rest, default the start.  Nothing but inertia and oil: springs of
    the mechanism, weight and friction are left out; 0 where no cylinder holds.
    """
    circuit = mechanism.circuit
    q = mechanism.assemble(mechanism.z0 if z is None else z)
    p = circuit.p0 if p is None else p
    still = np.zeros(len(circuit.cylinders))
    s = q[circuit.cylinder_coordinates]
    _, by_p = circuit.force_derivatives(p, still)
    slopes = circuit.derivatives(s, still, p, np.zeros(len(circuit.valves)))
    along = mechanism.R(q)[circuit.cylinder_coordinates]
    stiffness = -along.T @ by_p @ slopes.pd_sd @ along
    squares = np.linalg.eigvals(
        np.linalg.solve(analyse(mechanism, q).reduced_mass, stiffness)).real
    return np.sort(np.sqrt(np.maximum(squares, 0.0))) / (2.0 * np.pi)
