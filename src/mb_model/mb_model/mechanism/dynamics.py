"""The queries of a Mechanism about forces, accelerations and energies; arrays as there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.forces.kinds.load import Load
from mb_model.forces.kinds.load_friction import by_load
from mb_model.kernels import entry_points
from mb_model.mechanism_file import unweighed
from mb_model.mechanism_file.description import (
    Description,
    MechanismError,
    SingularPositionError,
)
from mb_model.stepping.outside import contact_jacobian, write_forces

if TYPE_CHECKING:
    from mb_model.reactions.reactions import Reactions

_SINGULAR = 1e9     # condition of the drives' rates by the rates of the degrees of freedom


def require_drives(described: Description) -> None:
    """Raise MechanismError unless friction by load is on degrees of freedom, each of its own.

    The load that a drive passes on follows from the known force on its coordinate without a system
    of equations there only; cylinders have friction by their pressures.
    """
    rubbing: dict[str, str] = {}
    for name in by_load(described.forces):
        coordinate = described.forces[name].coordinate
        path = f'{described.file}: forces.{name}'
        if coordinate not in (described.independent or ()):
            free = ', '.join(described.independent or ()) or 'none'
            raise MechanismError(f'{path}.coordinate: {coordinate} is no degree of freedom of the '
                                 f'mechanism, expected one of {free}')
        if coordinate in rubbing:
            raise MechanismError(f'{path}.coordinate: {coordinate} has the friction of a drive '
                                 f'already, forces.{rubbing[coordinate]}')
        if described.hydraulics is not None:
            raise MechanismError(f'{path}: friction by load is not for mechanisms with hydraulics, '
                                 'whose cylinders have friction by their pressures')
        rubbing[coordinate] = name


def require_masses(mechanism: Any, what: str) -> None:
    """Raise MechanismError unless the file says the mass of every body; what: needs them."""
    unweighed.require_masses(mechanism.described, what)


def require_no_load_friction(described: Description, what: str) -> None:
    """Raise MechanismError where friction depends on forces that `what` does not know."""
    for name in by_load(described.forces):
        raise MechanismError(f'{described.file}: {what}: not for mechanisms with friction by load, '
                             f'here forces.{name}: it depends on the forces from outside')


def forward_dynamics(mechanism: Any, z: ArrayLike, zd: ArrayLike,
                     forces: ArrayLike | Mapping[str, float] | None = None,
                     near: ArrayLike | None = None, loads: Iterable[Load] = (),
                     t: float = 0.0) -> FloatArray:
    """Return zdd (g) under the forces of the model and those from outside.

    forces [N or N m]: on the degrees of freedom (g), or a mapping from names of coordinates;
    loads: Load(body, at, force, moment), forces at points of bodies.
    """
    scratch = mechanism.scratch
    scratch.load_state(z, zd, forces, near, loads, t)
    scratch.require_mass(entry_points.forward_dynamics(mechanism.model, scratch.work))
    return scratch.work['zdd'][0, :mechanism.g].copy()


def inverse_dynamics(mechanism: Any, z: ArrayLike, zd: ArrayLike, zdd: ArrayLike,
                     near: ArrayLike | None = None, formulation: str | None = None,
                     loads: Iterable[Load] = (), t: float = 0.0) -> FloatArray:
    """Return the forces on the degrees of freedom (g) that a motion needs beside all others.

    formulation: default matrix_r, for large mechanisms index3_al.  Raises MechanismError where
    bodies roll: a motion does not say what their contacts push.
    """
    scratch = mechanism.scratch
    stepper = scratch.stepper(formulation, z, zd, near, loads, t)
    return stepper.inverse_dynamics(scratch.assembly.vector('zdd', zdd, mechanism.g))


def reactions(mechanism: Any, z: ArrayLike, zd: ArrayLike,
              forces: ArrayLike | Mapping[str, float] | None = None,
              near: ArrayLike | None = None, formulation: str | None = None,
              loads: Iterable[Load] = (), t: float = 0.0) -> Reactions:
    """Return the Reactions at z, zd under the same as in forward_dynamics."""
    scratch = mechanism.scratch
    stepper = scratch.stepper(formulation, z, zd, near, loads, t)
    write_forces(mechanism, stepper.work, forces)
    return stepper.reactions()


def driving_forces(mechanism: Any, z: ArrayLike, zd: ArrayLike, zdd: ArrayLike | None = None,
                   forces: ArrayLike | Mapping[str, float] | None = None,
                   near: ArrayLike | None = None, loads: Iterable[Load] = (),
                   t: float = 0.0) -> FloatArray:
    """Return what drives each prescribed coordinate [N or N m], in the order of the file.

    zdd (g): of an inverse dynamics; otherwise of the forward dynamics under forces.
    """
    scratch = mechanism.scratch
    if zdd is not None:
        forces = mechanism.inverse_dynamics(z, zd, zdd, near, loads=loads, t=t)
    scratch.load_state(z, zd, forces, near, loads, t)
    scratch.require_mass(entry_points.forward_dynamics(mechanism.model, scratch.work))
    rows = mechanism.model['driven_row'][0, :int(mechanism.model['driven'][0])]
    return -scratch.work['lam'][0, rows]


def linearise(mechanism: Any, z: ArrayLike, zd: ArrayLike,
              forces: ArrayLike | Mapping[str, float] | None = None,
              near: ArrayLike | None = None, loads: Iterable[Load] = (),
              t: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Return A = dzdd/dz and B = dzdd/dzd (g, g), exact; raises MechanismError."""
    mechanism = mechanism.in_full('linearise')
    scratch = mechanism.scratch
    scratch.load_state(z, zd, forces, near, loads, t)
    scratch.require_mass(entry_points.linearise(mechanism.model, scratch.work))
    return tuple(scratch.work[name][0, :mechanism.g, :mechanism.g].copy() for name in 'AB')


def force_jacobian(mechanism: Any, z: ArrayLike, zd: ArrayLike, near: ArrayLike | None = None,
                   t: float = 0.0) -> FloatArray:
    """Return how zdd (g) changes with a force on each coordinate of q (g, n), exact."""
    mechanism = mechanism.in_full('force_jacobian')
    scratch = mechanism.scratch
    scratch.load_state(z, zd, None, near, (), t)
    scratch.require_mass(entry_points.force_derivative(mechanism.model, scratch.work))
    by_z = scratch.work['zdd_force'][0, :mechanism.g, :mechanism.g]
    return by_z @ scratch.work['R'][0, :mechanism.n, :mechanism.g].T


def parameter_records(mechanism: Any, names: Sequence[str]) -> RecordArray:
    """Return the records of parameters (p) for kernels, see compilation.parameters."""
    # Imported here, as other kernels below: few processes ask for these.
    from mb_model.compilation.parameters import parameter_records
    return parameter_records(mechanism, names)


def parameter_jacobian(mechanism: Any, z: ArrayLike, zd: ArrayLike, parameters: Sequence[str],
                       forces: ArrayLike | Mapping[str, float] | None = None,
                       near: ArrayLike | None = None, loads: Iterable[Load] = (),
                       t: float = 0.0) -> FloatArray:
    """Return dzdd/dp (g, p) at constant z and zd, exact.

    parameters: paths of numbers in the file ('bodies.crank.mass', 'gravity.y') or names of its
    `parameters`.
    """
    mechanism = mechanism.in_full('parameter_jacobian')
    scratch, records = mechanism.scratch, mechanism.parameter_records(parameters)
    scratch.load_state(z, zd, forces, near, loads, t)
    out = np.empty((mechanism.g, len(records)))
    scratch.require_mass(entry_points.parameter_jacobian(
        mechanism.model, scratch.work, records, out))
    return out


@dataclass(frozen=True)
class OperationalSpace:
    """A mechanism at z, zd: mass zdd + coriolis zd + gravity + friction + other = F.

    F (g) is all that acts on the degrees of freedom from outside: drives, contacts.  q, qd (n); R
    (n, g): qd = R zd; mass, coriolis (g, g), with d(mass)/dt = coriolis + coriolis^T; gravity,
    friction (dampers too: what vanishes at rest), other (springs, constant forces) (g).  Source:
    Mohammad et al. 2025, Eq. (2).
    """

    mechanism: Any
    q: FloatArray
    qd: FloatArray
    R: FloatArray
    mass: FloatArray
    coriolis: FloatArray
    gravity: FloatArray
    friction: FloatArray
    other: FloatArray

    def needed(self, zd: FloatArray, zdd: FloatArray) -> FloatArray:
        """Return F (g) of a motion: inverse dynamics."""
        return self.mass @ zdd + self.coriolis @ zd + self.gravity + self.friction + self.other

    def jacobian(self, names: Sequence[str]) -> FloatArray:
        """Return J (k, g): the rates of coordinates by name are J zd.

        J^T times forces on these coordinates are those on the degrees of freedom.
        """
        return self.R[self.mechanism.indices(names)]

    def jacobian_from(self, names: Sequence[str]) -> FloatArray:
        """Return J_x,qa (g, g): zd is J times the rates of g coordinates by name, the drives.

        Raises SingularPositionError where these do not decide the motion.
        """
        rows = self.jacobian(names)
        if rows.shape[0] != rows.shape[1] or np.linalg.cond(rows) > _SINGULAR:
            raise SingularPositionError(f'{self.mechanism.file}: {", ".join(names)} do not decide '
                                        'the motion here')
        return np.linalg.inv(rows)

    def contact_jacobian(self, body: str, at: str | Sequence[float]) -> FloatArray:
        """Return J (3, g) of a point of a body; see Mechanism.contact_jacobian."""
        return contact_jacobian(self.mechanism, self.q, body, at) @ self.R


def operational_space(mechanism: Any, z: ArrayLike, zd: ArrayLike,
                      near: ArrayLike | None = None) -> OperationalSpace:
    """Return the OperationalSpace at z, zd (g): mass, Coriolis and forces by themselves.

    Raises MechanismError; not for prescribed coordinates, large mechanisms, bodies that roll,
    friction by load.
    """
    from mb_model.kernels import operational_space as kernel
    require_no_load_friction(mechanism.described, 'operational_space')
    mechanism = mechanism.in_full('operational_space')
    mechanism.require_holonomic('operational_space')
    if mechanism.described.prescribed:
        raise MechanismError(f'{mechanism.file}: operational_space: not for mechanisms with '
                             'prescribed coordinates')
    scratch, n, g = mechanism.scratch, mechanism.n, mechanism.g
    scratch.load_state(z, zd, None, near, (), 0.0)
    scratch.require(not mechanism.lacks_mass)
    work, coriolis, forces = scratch.work, np.empty((g, g)), np.empty((3, g))
    if not kernel.operational_space(mechanism.model, work, coriolis, *forces):
        raise SingularPositionError(f'{mechanism.file}: singular at z = '
                                    f'{work["z"][0, :g].tolist()}')
    return OperationalSpace(
        mechanism, work['q'][0, :n].copy(), work['qd'][0, :n].copy(), work['R'][0, :n, :g].copy(),
        work['M_bar'][0, :g, :g].copy(), coriolis, *forces)


def accelerations_by_cause(mechanism: Any, gravity: float) -> FloatArray:
    """Return zdd at the start by single causes (dimension + 2, g).

    A row for each axis: gravity [m/s^2] along it alone, on what is at rest; then springs, drives
    and other forces at rest, without gravity; then what the velocities of the start add.
    """
    scratch, model = mechanism.scratch, mechanism.model.copy()
    axes, still = range(mechanism.dimension), np.zeros(mechanism.g)

    def accelerations(field: Any, zd: FloatArray) -> FloatArray:
        model['gravity'][0, :] = 0.0
        model['gravity'][0, :mechanism.dimension] = field
        scratch.load_state(mechanism.z0, zd, None, None, (), 0.0)
        scratch.require_mass(entry_points.forward_dynamics(model, scratch.work))
        return scratch.work['zdd'][0, :mechanism.g].copy()
    rest = accelerations(0.0, still)
    fields = gravity * np.eye(mechanism.dimension)
    return np.array([*(accelerations(fields[axis], still) - rest for axis in axes), rest,
                     accelerations(0.0, mechanism.zd0) - rest])


def energy(mechanism: Any, z: ArrayLike, zd: ArrayLike, near: ArrayLike | None = None,
           t: float = 0.0) -> tuple[float, float]:
    """Return (kinetic, potential) energy [J]; potential: gravity (0 at the origin), springs."""
    require_masses(mechanism, 'energy')
    scratch = mechanism.scratch
    scratch.solve_position(z, near, t)
    scratch.load('zd', zd, mechanism.g)
    scratch.require(entry_points.solve_velocity(mechanism.model, scratch.work))
    return entry_points.energies(mechanism.model, scratch.work)
