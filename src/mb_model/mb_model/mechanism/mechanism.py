"""A mechanism: its description, its compiled model, and the basic questions to ask of it."""

from copy import deepcopy
from functools import cached_property

import numpy as np

from mb_model.assembly.assembly import Assembly
from mb_model.assembly.computable import computable
from mb_model.assembly.forward_kinematics import driven_assembly
from mb_model.assembly.freedom import freedom_of
from mb_model.compilation.compilation import compile_model
from mb_model.compilation.parameters import parameter_records
from mb_model.formulations import make_stepper
from mb_model.formulations.outside import contact_jacobian, write_forces, write_loads
from mb_model.kernels import entry_points
from mb_model.mechanism.addresses import Addresses
from mb_model.mechanism.analysis import singularity
from mb_model.mechanism.constraint_terms import constraint_terms
from mb_model.mechanism.operational_space import operational_space
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.entries import as_number
from mb_model.mechanism_file.file import mechanism_text, read_mechanism_file
from mb_model.mechanism_file.overrides import merged
from mb_model.mechanism_file.reading import coordinate_names, read_description
from mb_model.record import MAX_COORDINATES
from mb_model.record.sparse import storage_of, work_for
from mb_model.separate import compile_postponed


class Mechanism(Addresses):
    """Planar bodies joined at points, with kinematics and dynamics.

    Arrays: q, qd, qdd (n) in the order of `coordinates`; z, zd, zdd (g) in that of `independent`.
    Methods that take `near` (n) start from there, which decides the branch; else from q0.  t [s]
    is the time of coordinates that the file prescribes.
    `redundant` names constraints that follow from others; they are left out of the equations.
    `chosen` tells that the file does not name independent coordinates.
    One mechanism must not be used by several threads at once.
    """

    def __init__(self, raw, file, storage=None):
        """Make a mechanism from the mapping of a mechanism file; raises MechanismError.

        storage: of its matrices, "dense", "sparse", or None: sparse where dense has no room.
        """
        self.raw, self._storage = deepcopy(raw), storage
        self.file = file
        with computable(file):
            self._make(raw, file, storage)

    def _make(self, raw, file, storage):
        """Describe and compile it, and find its start position."""
        described = read_description(raw, file)
        freedom = freedom_of(described, storage)
        self.described, self.chosen = freedom.description, described.independent is None
        self.name, self.description = self.described.name, self.described.description
        self.gravity = np.array(self.described.gravity)
        self.parameters = self.described.parameters
        self.points, self.bodies = self.described.points, self.described.bodies
        self.shapes = {name: body.shape for name, body in self.bodies.items() if body.shape}
        self.sensors = self.described.sensors
        self.sensor_groups = self.described.sensor_groups
        self.coordinates = tuple(coordinate_names(self.points, self.described.coordinates))
        self.independent, self.drives = self.described.independent, self.described.drives
        self.model, self.equations = compile_model(self.described, storage, freedom.redundant)
        self.n, self.m, self.g = (int(self.model[name][0]) for name in ('n', 'm', 'g'))
        self._z = self.model['independent'][0, :self.g]
        self._work = self.new_work()
        self._steppers, self._driven, self._freedom = {}, {}, freedom
        self._assembly = Assembly(freedom, self.model, self.equations, self._work)
        self.redundant = self._assembly.redundant
        self.q0 = self._assembly.first_position()
        self.z0 = self.q0[self._z]
        self.zd0 = np.array([self.described.start_velocity.get(name, 0.0)
                             for name in self.independent])

    def __getstate__(self):
        return vars(self) | {'_steppers': {}}      # they refer to the mechanism

    def __setstate__(self, state):
        vars(self).update(state)
        if self.is_sparse:
            compile_postponed()

    @cached_property
    def circuit(self):
        """The hydraulic Circuit of the file, None without one; raises MechanismError."""
        if self.described.hydraulics is None:
            return None
        # Imported here: mechanisms without oil need not wait for its kernels.
        from mb_model.circuit.circuit import make_circuit
        self._require_dense('hydraulics')
        with computable(self.file):
            return make_circuit(self)

    def new_work(self):
        """Return a workspace for kernels, its mass matrix filled in."""
        work = work_for(self.model)
        entry_points.fill_mass_matrix(self.model, work)
        return work

    @property
    def is_sparse(self):
        """Whether its matrices are stored without their zeros, as those of large mechanisms are."""
        return storage_of(self.model) == 'sparse'

    @property
    def text(self):
        """The mechanism as the text of a file, with what it extends and all replacements."""
        return mechanism_text(self.raw)

    def replace(self, **overrides):
        """Return this mechanism with some entries of its file replaced, mappings merged into it.

        mechanism.replace(gravity=[0, -8.81], bodies={'coupler': {'mass': 9.0}}); None removes an
        entry: forces={'spring': None}.
        """
        return Mechanism(merged(self.raw, overrides), self.file, self._storage)

    def assemble(self, z, near=None, t=0.0):
        """Position problem: return q (n) with the degrees of freedom z, on the branch of `near`.

        Raises MechanismError if the mechanism cannot be moved there.
        """
        self._place(z, near, t)
        return self._work['q'][0, :self.n].copy()

    def forward_kinematics(self, names, values, near=None, t=0.0):
        """Return q (n) where coordinates by name, as many as degrees of freedom, have values (g).

        By Newton's iteration from `near`, in steps short enough to stay on its branch: the pose of
        a parallel robot from the angles of its drives.  Angles count on beyond a turn, like those
        of `near`.  Raises MechanismError, also if a singular position is in the way.
        """
        assembly, _ = self._driven_by(names)
        assembly.place(assembly.vector('values', values, self.g), self._from(near), t)
        return assembly.position()

    def driven_by(self, names):
        """Return this model's record with other independent coordinates, by name (g), for kernels.

        Its z are those coordinates; rows of its R are the Jacobian from them to any others.  To
        be used with a workspace of its own; raises MechanismError.
        """
        return self._driven_by(names)[1].copy()

    def velocity(self, q, zd, t=0.0):
        """Velocity problem: return qd = R zd + S b (n) at a solved position q."""
        self._load('q', q, self.n)
        entry_points.set_time(self.model, self._work, t)
        self._load('zd', zd, self.g)
        self._assembly.require(entry_points.solve_velocity(self.model, self._work))
        return self._work['qd'][0, :self.n].copy()

    def acceleration(self, q, qd, zdd, t=0.0):
        """Acceleration problem: return qdd = R zdd + S c (n) at a solved q and qd."""
        self._load('q', q, self.n)
        entry_points.set_time(self.model, self._work, t)
        zd = self._assembly.vector('qd', qd, self.n)[self._z]
        self._load('zd', zd, self.g)
        self._load('zdd', zdd, self.g)
        self._assembly.require(entry_points.solve_acceleration(self.model, self._work))
        return self._work['qdd'][0, :self.n].copy()

    def R(self, q):      # noqa: N802
        """Return R (n, g) at a solved position q: qd = R zd; raises MechanismError if sparse."""
        self._require_dense('R, S')
        self._load('q', q, self.n)
        self._assembly.require(entry_points.solve_velocity(self.model, self._work))
        return self._work['R'][0, :self.n, :self.g].copy()

    def S(self, q):      # noqa: N802
        """Return S (n, m) at a solved position q: phi_q S = 1, and S moves no degree of freedom."""
        self.R(q)      # fills phi_q
        dependent = self.model['dependent'][0, :self.m]
        S = np.zeros((self.n, self.m))
        S[dependent] = np.linalg.inv(self._work['phi_q'][0, :self.m][:, dependent])
        return S

    def Sc(self, q, qd):      # noqa: N802
        """Return S c (n) at a solved q and qd: the accelerations for zdd = 0."""
        return self.acceleration(q, qd, np.zeros(self.g))

    def forward_dynamics(self, z, zd, forces=None, near=None, loads=(), t=0.0):
        """Return zdd (g) under the forces of the model and those from outside.

        forces [N or N m]: on the degrees of freedom (g), or a mapping from names of coordinates;
        loads: Load(body, at, force, moment), forces at places of bodies.
        """
        self._state(z, zd, forces, near, loads, t)
        self._assembly.require(entry_points.forward_dynamics(self.model, self._work))
        return self._work['zdd'][0, :self.g].copy()

    def inverse_dynamics(self, z, zd, zdd, near=None, formulation=None, loads=(), t=0.0):
        """Return the forces on the degrees of freedom (g) that a motion needs beside all others.

        formulation: default matrix_r, for large mechanisms index3_al.
        """
        stepper = self._stepper(formulation, z, zd, near, loads, t)
        return stepper.inverse_dynamics(self._assembly.vector('zdd', zdd, self.g))

    def reactions(self, z, zd, forces=None, near=None, formulation=None, loads=(), t=0.0):
        """Return the Reactions at z, zd under the same as in forward_dynamics."""
        stepper = self._stepper(formulation, z, zd, near, loads, t)
        write_forces(self, stepper.work, forces)
        return stepper.reactions()

    def driving_forces(self, z, zd, zdd=None, forces=None, near=None, loads=(), t=0.0):
        """Return what drives each prescribed coordinate [N or N m], in the order of the file.

        zdd (g): that of an inverse dynamics; otherwise that of the forward dynamics under forces.
        """
        if zdd is not None:
            forces = self.inverse_dynamics(z, zd, zdd, near, loads=loads, t=t)
        self._state(z, zd, forces, near, loads, t)
        self._assembly.require(entry_points.forward_dynamics(self.model, self._work))
        rows = self.model['driven_row'][0, :int(self.model['driven'][0])]
        return -self._work['lam'][0, rows]

    def linearise(self, z, zd, forces=None, near=None, loads=(), t=0.0):
        """Return A = dzdd/dz and B = dzdd/dzd (g, g), exact; raises MechanismError if sparse."""
        self._require_dense('linearise')
        self._state(z, zd, forces, near, loads, t)
        self._assembly.require(entry_points.linearise(self.model, self._work))
        return tuple(self._work[name][0, :self.g, :self.g].copy() for name in 'AB')

    def force_jacobian(self, z, zd, near=None, t=0.0):
        """Return how zdd (g) changes with a force on each coordinate of q (g, n), exact."""
        self._require_dense('force_jacobian')
        self._state(z, zd, None, near, (), t)
        self._assembly.require(entry_points.force_derivative(self.model, self._work))
        by_z = self._work['zdd_force'][0, :self.g, :self.g]
        return by_z @ self._work['R'][0, :self.n, :self.g].T

    def parameter_records(self, names):
        """Return the records of parameters (p) for kernels; see mb_model.compilation.parameters."""
        return parameter_records(self, names)

    def parameter_jacobian(self, z, zd, parameters, forces=None, near=None, loads=(), t=0.0):
        """Return dzdd/dp (g, p) at constant z and zd, exact.

        parameters: paths of numbers in the file ('bodies.crank.mass', 'gravity.y') or names of its
        `parameters`.
        """
        self._require_dense('parameter_jacobian')
        records = parameter_records(self, parameters)
        self._state(z, zd, forces, near, loads, t)
        out = np.empty((self.g, len(records)))
        self._assembly.require(entry_points.parameter_jacobian(self.model, self._work, records,
                                                               out))
        return out

    def constraint_terms(self, q, qd=None, qdd=None, t=0.0):
        """Return the ConstraintTerms at any q, qd, qdd (n), solved or not; default: at rest."""
        self._require_dense('constraint_terms')
        still = np.zeros(self.n)
        q, qd, qdd = (self._assembly.vector(name, still if value is None else value, self.n)
                      for name, value in (('q', q), ('qd', qd), ('qdd', qdd)))
        entry_points.set_time(self.model, self._work, t)
        return constraint_terms(self, self._work, q, qd, qdd)

    def operational_space(self, z, zd, near=None):
        """Return the OperationalSpace at z, zd (g): mass, Coriolis and forces by themselves.

        Raises MechanismError; not for prescribed coordinates and sparse storage.
        """
        self._require_dense('operational_space')
        if self.described.prescribed:
            raise MechanismError(f'{self.file}: operational_space: not for mechanisms with '
                                 'prescribed coordinates')
        self._state(z, zd, None, near, (), 0.0)
        return operational_space(self, self._work)

    def contact_jacobian(self, q, body, at, reduced=False):
        """Return J (3, n) of a place of a body at a solved position q, or J R (3, g) if reduced.

        J qd is the velocity of the place and the angular velocity of the body, [vx, vy, w]; J^T
        [fx, fy, moment] are the forces on the coordinates, (J R)^T [...] those on the degrees of
        freedom, of a load there.  at: in the body's frame [m], or the name of a point of it.
        """
        jacobian = contact_jacobian(self, self._assembly.vector('q', q, self.n), body, at)
        if not reduced:
            return jacobian
        self._require_dense('contact_jacobian')
        return jacobian @ self.R(q)

    def energy(self, z, zd, near=None, t=0.0):
        """Return (kinetic, potential) energy [J]; potential: gravity (0 at the origin), springs."""
        self._place(z, near, t)
        self._load('zd', zd, self.g)
        self._assembly.require(entry_points.solve_velocity(self.model, self._work))
        return entry_points.energies(self.model, self._work)

    def number(self, value):
        """Return a number or an expression over the file's parameters as a float; ValueError."""
        return as_number(value, self.parameters)

    def require_closed(self, q):
        """Raise AssemblyError if a redundant constraint, which nothing enforces, is open at q (n).

        Costs nothing where none is redundant.
        """
        if self.redundant:
            self._load('q', q, self.n)
            self._assembly.require_closed()

    def singularity(self, q):
        """Return how far a closed position q (n), or each of q (k, n), is from singular ones.

        0 where the degrees of freedom do not decide the motion; see analysis.singularity.
        """
        values = singularity(self, np.atleast_2d(q))
        return values if np.ndim(q) > 1 else float(values[0])

    def closing_error(self, q):
        """Return the largest violation of a constraint at q [m]."""
        self._load('q', q, self.n)
        return self._assembly.closing_error()[0]

    def _state(self, z, zd, forces, near, loads, t):
        """Load a state and what acts from outside into self._work."""
        self._place(z, near, t)
        self._load('zd', zd, self.g)
        write_forces(self, self._work, forces)
        write_loads(self, self._work, loads)

    def _place(self, z, near, t):
        """Solve the position problem in self._work."""
        self._assembly.place(self._assembly.vector('z', z, self.g), self._from(near), t)

    def _from(self, near):
        """Return the closed position (n) that a way starts from."""
        return self.q0 if near is None else self._assembly.settle(
            self._assembly.vector('near', near, self.n))

    def _driven_by(self, names):
        """Return (Assembly, model) of other independent coordinates, kept for the next time."""
        key = tuple(names)
        if key not in self._driven:
            self.places(key)
            self._driven[key] = driven_assembly(self._freedom, key, self._storage, self.new_work())
        return self._driven[key]

    def _require_dense(self, what):
        if self.is_sparse:
            raise MechanismError(f'{self.file}: {what}: only for mechanisms with dense storage, '
                                 f'up to {MAX_COORDINATES} coordinates, those of fixed points '
                                 'included')

    def _stepper(self, formulation, z, zd, near, loads, t):
        """Return a stepper of a formulation, kept for the next time, at z, zd."""
        formulation = formulation or ('index3_al' if self.is_sparse else 'matrix_r')
        if formulation not in self._steppers:
            self._steppers[formulation] = make_stepper(self, formulation)
        stepper = self._steppers[formulation]
        stepper.reset(z, self._assembly.vector('zd', zd, self.g), near, t)
        stepper.apply_loads(loads)
        return stepper

    def _load(self, name, value, size):
        self._work[name][0, :size] = self._assembly.vector(name, value, size)


def load_mechanism(name_or_path, storage=None):
    """Return the Mechanism of a name (those that come with mb_model) or of a YAML file.

    storage: see Mechanism; large mechanisms get the sparse one without asking.
    Raises MechanismError naming file, key, value and what was expected.
    """
    return Mechanism(*read_mechanism_file(name_or_path), storage)
