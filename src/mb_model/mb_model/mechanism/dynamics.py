"""The queries of a mechanism about forces, accelerations and energies."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.singular import lacks_mass, reduced_motion
from mb_model.forces.kinds.load import Load
from mb_model.forces.kinds.load_friction import by_load
from mb_model.kernels import entry_points
from mb_model.mechanism_file.description import Description, MechanismError
from mb_model.stepping.outside import write_forces

if TYPE_CHECKING:
    from mb_model.mechanism.operational_space import OperationalSpace
    from mb_model.reactions.reactions import Reactions


def require_drives(described: Description) -> None:
    """Raise MechanismError unless friction by load is on degrees of freedom, each of its own.

    The load that a drive passes on follows from the known force on its coordinate without a system
    of equations there only; cylinders have friction by their pressures.
    """
    found: dict[str, str] = {}
    for name in by_load(described.forces):
        coordinate = described.forces[name].coordinate
        path = f'{described.file}: forces.{name}'
        if coordinate not in (described.independent or ()):
            free = ', '.join(described.independent or ()) or 'none'
            raise MechanismError(f'{path}.coordinate: {coordinate} is no degree of freedom of the '
                                 f'mechanism, expected one of {free}')
        if coordinate in found:
            raise MechanismError(f'{path}.coordinate: {coordinate} has the friction of a drive '
                                 f'already, forces.{found[coordinate]}')
        if described.hydraulics is not None:
            raise MechanismError(f'{path}: friction by load is not for mechanisms with hydraulics, '
                                 'whose cylinders have friction by their pressures')
        found[coordinate] = name


def require_no_load_friction(described: Description, what: str) -> None:
    """Raise MechanismError where friction depends on forces that `what` does not know."""
    for name in by_load(described.forces):
        raise MechanismError(f'{described.file}: {what}: not for mechanisms with friction by load, '
                             f'here forces.{name}: it depends on the forces from outside')


class Dynamics:
    """Queries of a Mechanism, which derives from this; arrays as there."""

    @cached_property
    def lacks_mass(self) -> bool:
        """Whether a motion moves no mass at the start, so that no forces decide it."""
        work = self.workspace()
        work['q'][0, :self.n] = self.q0
        motion = reduced_motion(self.model, work)
        return motion is not None and lacks_mass(motion[1])

    def forward_dynamics(self, z: ArrayLike, zd: ArrayLike,
                         forces: ArrayLike | Mapping[str, float] | None = None,
                         near: ArrayLike | None = None, loads: Iterable[Load] = (),
                         t: float = 0.0) -> FloatArray:
        """Return zdd (g) under the forces of the model and those from outside.

        forces [N or N m]: on the degrees of freedom (g), or a mapping from names of coordinates;
        loads: Load(body, at, force, moment), forces at places of bodies.
        """
        space = self._space
        space.load_state(z, zd, forces, near, loads, t)
        space.require_mass(entry_points.forward_dynamics(self.model, space.work))
        return space.work['zdd'][0, :self.g].copy()

    def inverse_dynamics(self, z: ArrayLike, zd: ArrayLike, zdd: ArrayLike,
                         near: ArrayLike | None = None, formulation: str | None = None,
                         loads: Iterable[Load] = (), t: float = 0.0) -> FloatArray:
        """Return the forces on the degrees of freedom (g) that a motion needs beside all others.

        formulation: default matrix_r, for large mechanisms index3_al.  Raises MechanismError where
        bodies roll: a motion does not say what their contacts push.
        """
        space = self._space
        stepper = space.stepper(formulation, z, zd, near, loads, t)
        return stepper.inverse_dynamics(space.assembly.vector('zdd', zdd, self.g))

    def reactions(self, z: ArrayLike, zd: ArrayLike,
                  forces: ArrayLike | Mapping[str, float] | None = None,
                  near: ArrayLike | None = None, formulation: str | None = None,
                  loads: Iterable[Load] = (), t: float = 0.0) -> 'Reactions':
        """Return the Reactions at z, zd under the same as in forward_dynamics."""
        space = self._space
        stepper = space.stepper(formulation, z, zd, near, loads, t)
        write_forces(self, stepper.work, forces)
        return stepper.reactions()

    def driving_forces(self, z: ArrayLike, zd: ArrayLike, zdd: ArrayLike | None = None,
                       forces: ArrayLike | Mapping[str, float] | None = None,
                       near: ArrayLike | None = None, loads: Iterable[Load] = (),
                       t: float = 0.0) -> FloatArray:
        """Return what drives each prescribed coordinate [N or N m], in the order of the file.

        zdd (g): that of an inverse dynamics; otherwise that of the forward dynamics under forces.
        """
        space = self._space
        if zdd is not None:
            forces = self.inverse_dynamics(z, zd, zdd, near, loads=loads, t=t)
        space.load_state(z, zd, forces, near, loads, t)
        space.require_mass(entry_points.forward_dynamics(self.model, space.work))
        rows = self.model['driven_row'][0, :int(self.model['driven'][0])]
        return -space.work['lam'][0, rows]

    def linearise(self, z: ArrayLike, zd: ArrayLike,
                  forces: ArrayLike | Mapping[str, float] | None = None,
                  near: ArrayLike | None = None, loads: Iterable[Load] = (),
                  t: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Return A = dzdd/dz and B = dzdd/dzd (g, g), exact; raises MechanismError if sparse."""
        self._require_dense('linearise')
        space = self._space
        space.load_state(z, zd, forces, near, loads, t)
        space.require_mass(entry_points.linearise(self.model, space.work))
        return tuple(space.work[name][0, :self.g, :self.g].copy() for name in 'AB')

    def force_jacobian(self, z: ArrayLike, zd: ArrayLike, near: ArrayLike | None = None,
                       t: float = 0.0) -> FloatArray:
        """Return how zdd (g) changes with a force on each coordinate of q (g, n), exact."""
        self._require_dense('force_jacobian')
        space = self._space
        space.load_state(z, zd, None, near, (), t)
        space.require_mass(entry_points.force_derivative(self.model, space.work))
        by_z = space.work['zdd_force'][0, :self.g, :self.g]
        return by_z @ space.work['R'][0, :self.n, :self.g].T

    def parameter_records(self, names: Sequence[str]) -> RecordArray:
        """Return the records of parameters (p) for kernels, see compilation.parameters."""
        # Imported here, as other kernels below: few processes ask for these.
        from mb_model.compilation.parameters import parameter_records
        return parameter_records(self, names)

    def parameter_jacobian(self, z: ArrayLike, zd: ArrayLike, parameters: Sequence[str],
                           forces: ArrayLike | Mapping[str, float] | None = None,
                           near: ArrayLike | None = None, loads: Iterable[Load] = (),
                           t: float = 0.0) -> FloatArray:
        """Return dzdd/dp (g, p) at constant z and zd, exact.

        parameters: paths of numbers in the file ('bodies.crank.mass', 'gravity.y') or names of its
        `parameters`.
        """
        self._require_dense('parameter_jacobian')
        space, records = self._space, self.parameter_records(parameters)
        space.load_state(z, zd, forces, near, loads, t)
        out = np.empty((self.g, len(records)))
        space.require_mass(entry_points.parameter_jacobian(self.model, space.work, records, out))
        return out

    def operational_space(self, z: ArrayLike, zd: ArrayLike,
                          near: ArrayLike | None = None) -> 'OperationalSpace':
        """Return the OperationalSpace at z, zd (g): mass, Coriolis and forces by themselves.

        Raises MechanismError; not for prescribed coordinates, sparse storage, bodies that roll,
        friction by load.
        """
        from mb_model.mechanism.operational_space import operational_space
        require_no_load_friction(self.described, 'operational_space')
        self._require_dense('operational_space')
        self.require_holonomic('operational_space')
        if self.described.prescribed:
            raise MechanismError(f'{self.file}: operational_space: not for mechanisms with '
                                 'prescribed coordinates')
        space = self._space
        space.require(not self.lacks_mass)
        space.load_state(z, zd, None, near, (), 0.0)
        return operational_space(self, space.work)

    def energy(self, z: ArrayLike, zd: ArrayLike, near: ArrayLike | None = None,
               t: float = 0.0) -> tuple[float, float]:
        """Return (kinetic, potential) energy [J]; potential: gravity (0 at the origin), springs."""
        space = self._space
        space.place(z, near, t)
        space.load('zd', zd, self.g)
        space.require(entry_points.solve_velocity(self.model, space.work))
        return entry_points.energies(self.model, space.work)
