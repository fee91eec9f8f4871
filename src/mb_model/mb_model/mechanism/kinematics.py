"""The queries of a Mechanism about positions, velocities and constraints; arrays as there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly import body_motion as motions
from mb_model.kernels import constraints, entry_points
from mb_model.mechanism import analysis
from mb_model.stepping import outside


@dataclass(frozen=True)
class ConstraintTerms:
    """Constraints at q, qd, qdd: equations (m) and matrices (m, n).

    Source: Blanco-Claraco et al. 2021, Eqs. (36)-(42) and Appendix III, here for every kind of
    constraint, also where it depends on time.
    """

    phi: FloatArray                     # (m)
    phi_t: FloatArray                   # (m), of prescribed coordinates
    phi_tt: FloatArray                  # (m)
    phi_q: FloatArray
    phi_q_dot: FloatArray               # phi_qq qd, also the derivative of phi_q qd by q
    phi_qq_qdd: FloatArray              # the derivative of phi_q qdd by q
    phi_q_dot_q_qd: FloatArray          # (phi_q_dot)_q qd, the derivative of phi_q_dot qd by q
    qd: FloatArray                      # (n)
    qdd: FloatArray                     # (n)

    @property
    def velocity_error(self) -> FloatArray:
        """phi_q qd + phi_t (m); its derivatives by q and qd are phi_q_dot and phi_q."""
        return self.phi_q @ self.qd + self.phi_t

    @property
    def acceleration_error(self) -> FloatArray:
        """phi_q qdd + phi_q_dot qd + phi_tt (m); its derivative by qdd is phi_q."""
        return self.phi_q @ self.qdd + self.phi_q_dot @ self.qd + self.phi_tt

    @property
    def acceleration_error_q(self) -> FloatArray:
        """Derivative of the acceleration error by q (m, n)."""
        return self.phi_qq_qdd + self.phi_q_dot_q_qd

    @property
    def acceleration_error_qd(self) -> FloatArray:
        """Derivative of the acceleration error by qd (m, n)."""
        return 2.0 * self.phi_q_dot


def assemble(mechanism: Any, z: ArrayLike, near: ArrayLike | None = None,
             t: float = 0.0) -> FloatArray:
    """Position problem: return q (n) with the degrees of freedom z, on the branch of `near`.

    Raises MechanismError if the mechanism cannot be moved there.
    """
    scratch = mechanism.scratch
    scratch.solve_position(z, near, t)
    return scratch.work['q'][0, :mechanism.n].copy()


def closed_from(mechanism: Any, q: ArrayLike, iterations: int) -> FloatArray:
    """Return the closed position (n) that Levenberg and Marquardt's iteration finds from q (n).

    It keeps the degrees of freedom, and nothing of the branch.  iterations: the most.  Raises
    AssemblyError where it finds none.
    """
    return mechanism.scratch.assembly.closed_from(q, iterations)


def forward_kinematics(mechanism: Any, names: Sequence[str], values: ArrayLike,
                       near: ArrayLike | None = None, t: float = 0.0) -> FloatArray:
    """Return q (n) where coordinates by name, as many as degrees of freedom, have values (g).

    By Newton's iteration from `near`, in steps short enough to stay on its branch: the pose of
    a parallel robot from the angles of its drives.  Angles count on beyond a turn, as angles
    of `near`.  Raises MechanismError, also if a singular position is between.
    """
    scratch = mechanism.scratch
    assembly, _ = scratch.driven_by(names)
    assembly.move_to(assembly.vector('values', values, mechanism.g), scratch.start(near), t)
    return assembly.position()


def driven_by(mechanism: Any, names: Sequence[str]) -> RecordArray:
    """Return this model's record with other independent coordinates, by name (g), for kernels.

    Its z are those coordinates; rows of its R are the Jacobian from them to any others.  To
    be used with a workspace of its own; raises MechanismError.
    """
    return mechanism.scratch.driven_by(names)[1].copy()


def velocity(mechanism: Any, q: ArrayLike, zd: ArrayLike, t: float = 0.0) -> FloatArray:
    """Velocity problem: return qd = R zd + S b (n) at a solved position q."""
    scratch = mechanism.scratch
    scratch.load_position(q)
    entry_points.set_time(mechanism.model, scratch.work, t)
    scratch.load('zd', zd, mechanism.g)
    scratch.require(entry_points.solve_velocity(mechanism.model, scratch.work))
    return scratch.work['qd'][0, :mechanism.n].copy()


def acceleration(mechanism: Any, q: ArrayLike, qd: ArrayLike, zdd: ArrayLike,
                 t: float = 0.0) -> FloatArray:
    """Acceleration problem: return qdd = R zdd + S c (n) at a solved q and qd."""
    scratch = mechanism.scratch
    scratch.load_position(q)
    entry_points.set_time(mechanism.model, scratch.work, t)
    independent = mechanism.model['independent'][0, :mechanism.g]
    scratch.load('zd', scratch.assembly.vector('qd', qd, mechanism.n)[independent], mechanism.g)
    scratch.load('zdd', zdd, mechanism.g)
    scratch.require(entry_points.solve_acceleration(mechanism.model, scratch.work))
    return scratch.work['qdd'][0, :mechanism.n].copy()


def R(mechanism: Any, q: ArrayLike) -> FloatArray:      # noqa: N802
    """Return R (n, g) at a solved position q: qd = R zd; raises MechanismError."""
    mechanism = mechanism.in_full('R, S')
    scratch = mechanism.scratch
    scratch.load_position(q)
    scratch.require(entry_points.solve_velocity(mechanism.model, scratch.work))
    return scratch.work['R'][0, :mechanism.n, :mechanism.g].copy()


def S(mechanism: Any, q: ArrayLike) -> FloatArray:      # noqa: N802
    """Return S (n, m) at a solved position q: phi_q S = 1, and S moves no degree of freedom."""
    mechanism = mechanism.in_full('R, S')
    mechanism.R(q)      # fills phi_q
    dependent = mechanism.model['dependent'][0, :mechanism.m]
    S = np.zeros((mechanism.n, mechanism.m))
    S[dependent] = np.linalg.inv(mechanism.scratch.work['phi_q'][0, :mechanism.m][:, dependent])
    return S


def Sc(mechanism: Any, q: ArrayLike, qd: ArrayLike) -> FloatArray:      # noqa: N802
    """Return S c (n) at a solved q and qd: the accelerations for zdd = 0."""
    return mechanism.acceleration(q, qd, np.zeros(mechanism.g))


def constraint_terms(mechanism: Any, q: ArrayLike, qd: ArrayLike | None = None,
                     qdd: ArrayLike | None = None, t: float = 0.0) -> ConstraintTerms:
    """Return the ConstraintTerms at any q, qd, qdd (n), solved or not; default: at rest."""
    mechanism = mechanism.in_full('constraint_terms')
    scratch, still = mechanism.scratch, np.zeros(mechanism.n)
    q, qd, qdd = (scratch.assembly.vector(name, still if value is None else value, mechanism.n)
                  for name, value in (('q', q), ('qd', qd), ('qdd', qdd)))
    entry_points.set_time(mechanism.model, scratch.work, t)
    n, m, n_total = mechanism.n, mechanism.m, int(mechanism.model['n_total'][0])
    record, state = mechanism.model[0], []
    for name, values in (('q', q), ('qd', qd), ('qdd', qdd)):
        full = scratch.work[name][0].copy()
        full[:n] = values
        state.append(full)
    phi, phi_q = np.empty(m), np.empty((m, n_total))
    constraints.evaluate(record, state[0], phi, phi_q)
    products = [np.empty((m, n_total)) for _ in range(3)]
    constraints.second(record, state[0], state[1], products[0])
    constraints.second(record, state[0], state[2], products[1])
    constraints.third(record, state[0], state[1], state[1], products[2])
    phi_t, phi_tt = (phi_q[:, n:] @ rate[n:n_total] for rate in state[1:])
    return ConstraintTerms(phi, phi_t, phi_tt, phi_q[:, :n], *(p[:, :n] for p in products),
                           state[1][:n], state[2][:n])


def all_constraints(mechanism: Any, q: ArrayLike) -> tuple[tuple[Any, ...], FloatArray]:
    """Return the equations, redundant ones too, and their Jacobian (m, n) at any q (n)."""
    return mechanism.scratch.assembly.all_constraints(q)


def contact_jacobian(mechanism: Any, q: ArrayLike, body: str, at: str | Sequence[float],
                     reduced: bool = False) -> FloatArray:
    """Return J (3, n) of a point of a body at a solved position q, or J R (3, g) if reduced.

    J qd is the velocity of the point and the angular velocity of the body, [vx, vy, w]; J^T
    [fx, fy, moment] are the forces on the coordinates, (J R)^T [...] those on the degrees of
    freedom, of a load there.  at: in the body's frame [m], or the name of a point of it.
    In space J is (6, n): J qd is velocity and angular velocity in global axes (3 each).
    """
    position = mechanism.scratch.assembly.vector('q', q, mechanism.n)
    jacobian = outside.contact_jacobian(mechanism, position, body, at)
    if not reduced:
        return jacobian
    mechanism = mechanism.in_full('contact_jacobian')
    return jacobian @ mechanism.R(q)


def body_motion(mechanism: Any, body: str, q: ArrayLike, qd: ArrayLike | None = None,
                qdd: ArrayLike | None = None) -> motions.BodyMotion:
    """Return the BodyMotion of a body at q, qd, qdd (n); in the plane z is across it."""
    return motions.body_motion(mechanism, body, q, qd, qdd)


def require_closed(mechanism: Any, q: ArrayLike) -> None:
    """Raise AssemblyError if a redundant constraint, which nothing enforces, is open at q (n).

    Costs nothing where none is redundant.
    """
    if mechanism.redundant:
        scratch = mechanism.scratch
        scratch.load_position(q)
        scratch.assembly.require_closed()


def singularity(mechanism: Any, q: ArrayLike) -> Any:
    """Return how far a closed position q (n), or each of q (k, n), is from singular ones.

    0 where the degrees of freedom do not decide the motion; see analysis.singularity.
    """
    values = analysis.singularity(mechanism, np.atleast_2d(q))
    return values if np.ndim(q) > 1 else float(values[0])


def closing_error(mechanism: Any, q: ArrayLike, t: float = 0.0) -> float:
    """Return the largest violation of a constraint at q [m]; t [s]: of prescribed coordinates."""
    scratch = mechanism.scratch
    scratch.load_position(q)
    entry_points.set_time(mechanism.model, scratch.work, t)
    return scratch.assembly.closing_error()[0]
