"""The queries of a mechanism about positions, velocities and constraints."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.body_motion import BodyMotion, body_motion
from mb_model.kernels import entry_points
from mb_model.mechanism.analysis import singularity
from mb_model.mechanism.constraint_terms import constraint_terms
from mb_model.stepping.outside import contact_jacobian

if TYPE_CHECKING:
    from mb_model.mechanism.constraint_terms import ConstraintTerms


class Kinematics:
    """Queries of a Mechanism, which derives from this; arrays as there."""

    def assemble(self, z: ArrayLike, near: ArrayLike | None = None, t: float = 0.0) -> FloatArray:
        """Position problem: return q (n) with the degrees of freedom z, on the branch of `near`.

        Raises MechanismError if the mechanism cannot be moved there.
        """
        space = self._space
        space.place(z, near, t)
        return space.work['q'][0, :self.n].copy()

    def closed_from(self, q: ArrayLike, iterations: int) -> FloatArray:
        """Return the closed position (n) that Levenberg and Marquardt's iteration finds from q (n).

        It keeps the degrees of freedom, and nothing of the branch.  iterations: the most.  Raises
        AssemblyError where it finds none.
        """
        return self._space.assembly.closed_from(q, iterations)

    def forward_kinematics(self, names: Sequence[str], values: ArrayLike,
                           near: ArrayLike | None = None, t: float = 0.0) -> FloatArray:
        """Return q (n) where coordinates by name, as many as degrees of freedom, have values (g).

        By Newton's iteration from `near`, in steps short enough to stay on its branch: the pose of
        a parallel robot from the angles of its drives.  Angles count on beyond a turn, like those
        of `near`.  Raises MechanismError, also if a singular position is in the way.
        """
        space = self._space
        assembly, _ = space.driven_by(names)
        assembly.place(assembly.vector('values', values, self.g), space.start(near), t)
        return assembly.position()

    def driven_by(self, names: Sequence[str]) -> RecordArray:
        """Return this model's record with other independent coordinates, by name (g), for kernels.

        Its z are those coordinates; rows of its R are the Jacobian from them to any others.  To
        be used with a workspace of its own; raises MechanismError.
        """
        return self._space.driven_by(names)[1].copy()

    def velocity(self, q: ArrayLike, zd: ArrayLike, t: float = 0.0) -> FloatArray:
        """Velocity problem: return qd = R zd + S b (n) at a solved position q."""
        space = self._space
        space.load_position(q)
        entry_points.set_time(self.model, space.work, t)
        space.load('zd', zd, self.g)
        space.require(entry_points.solve_velocity(self.model, space.work))
        return space.work['qd'][0, :self.n].copy()

    def acceleration(self, q: ArrayLike, qd: ArrayLike, zdd: ArrayLike,
                     t: float = 0.0) -> FloatArray:
        """Acceleration problem: return qdd = R zdd + S c (n) at a solved q and qd."""
        space = self._space
        space.load_position(q)
        entry_points.set_time(self.model, space.work, t)
        zd = space.assembly.vector('qd', qd, self.n)[self._z]
        space.load('zd', zd, self.g)
        space.load('zdd', zdd, self.g)
        space.require(entry_points.solve_acceleration(self.model, space.work))
        return space.work['qdd'][0, :self.n].copy()

    def R(self, q: ArrayLike) -> FloatArray:      # noqa: N802
        """Return R (n, g) at a solved position q: qd = R zd; raises MechanismError if sparse."""
        self._require_dense('R, S')
        space = self._space
        space.load_position(q)
        space.require(entry_points.solve_velocity(self.model, space.work))
        return space.work['R'][0, :self.n, :self.g].copy()

    def S(self, q: ArrayLike) -> FloatArray:      # noqa: N802
        """Return S (n, m) at a solved position q: phi_q S = 1, and S moves no degree of freedom."""
        self.R(q)      # fills phi_q
        dependent = self.model['dependent'][0, :self.m]
        S = np.zeros((self.n, self.m))
        S[dependent] = np.linalg.inv(self._space.work['phi_q'][0, :self.m][:, dependent])
        return S

    def Sc(self, q: ArrayLike, qd: ArrayLike) -> FloatArray:      # noqa: N802
        """Return S c (n) at a solved q and qd: the accelerations for zdd = 0."""
        return self.acceleration(q, qd, np.zeros(self.g))

    def constraint_terms(self, q: ArrayLike, qd: ArrayLike | None = None,
                         qdd: ArrayLike | None = None, t: float = 0.0) -> 'ConstraintTerms':
        """Return the ConstraintTerms at any q, qd, qdd (n), solved or not; default: at rest."""
        self._require_dense('constraint_terms')
        space, still = self._space, np.zeros(self.n)
        q, qd, qdd = (space.assembly.vector(name, still if value is None else value, self.n)
                      for name, value in (('q', q), ('qd', qd), ('qdd', qdd)))
        entry_points.set_time(self.model, space.work, t)
        return constraint_terms(self, space.work, q, qd, qdd)

    def all_constraints(self, q: ArrayLike) -> tuple[tuple[Any, ...], FloatArray]:
        """Return the equations, redundant ones too, and their Jacobian (m, n) at any q (n)."""
        return self._space.assembly.all_constraints(q)

    def contact_jacobian(self, q: ArrayLike, body: str, at: str | Sequence[float],
                         reduced: bool = False) -> FloatArray:
        """Return J (3, n) of a place of a body at a solved position q, or J R (3, g) if reduced.

        J qd is the velocity of the place and the angular velocity of the body, [vx, vy, w]; J^T
        [fx, fy, moment] are the forces on the coordinates, (J R)^T [...] those on the degrees of
        freedom, of a load there.  at: in the body's frame [m], or the name of a point of it.
        In space J is (6, n): J qd is velocity and angular velocity in global axes (3 each).
        """
        jacobian = contact_jacobian(self, self._space.assembly.vector('q', q, self.n), body, at)
        if not reduced:
            return jacobian
        self._require_dense('contact_jacobian')
        return jacobian @ self.R(q)

    def body_motion(self, body: str, q: ArrayLike, qd: ArrayLike | None = None,
                    qdd: ArrayLike | None = None) -> BodyMotion:
        """Return the BodyMotion of a body at q, qd, qdd (n); in the plane z is across it."""
        return body_motion(self, body, q, qd, qdd)

    def require_closed(self, q: ArrayLike) -> None:
        """Raise AssemblyError if a redundant constraint, which nothing enforces, is open at q (n).

        Costs nothing where none is redundant.
        """
        if self.redundant:
            space = self._space
            space.load_position(q)
            space.assembly.require_closed()

    def singularity(self, q: ArrayLike) -> Any:
        """Return how far a closed position q (n), or each of q (k, n), is from singular ones.

        0 where the degrees of freedom do not decide the motion; see analysis.singularity.
        """
        values = singularity(self, np.atleast_2d(q))
        return values if np.ndim(q) > 1 else float(values[0])

    def closing_error(self, q: ArrayLike) -> float:
        """Return the largest violation of a constraint at q [m]."""
        space = self._space
        space.load_position(q)
        return space.assembly.closing_error()[0]
