"""A mechanism: its description, its compiled model, and the queries about both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.arrays import RecordArray
from mb_model.assembly.freedom import freedom_of
from mb_model.assembly.mending import mended
from mb_model.assembly.rolling import start_rates
from mb_model.assembly.singular import lacks_mass, reduced_motion
from mb_model.assembly.start import assemble_nearest
from mb_model.compilation.compilation import compile_model, prepare_kernels
from mb_model.forces.kinds.characteristic import Backlash
from mb_model.kernels import entry_points
from mb_model.mechanism import addresses, dynamics, kinematics, limits, storage
from mb_model.mechanism.thread_workspace import ThreadWorkspace
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.entries import as_number
from mb_model.mechanism_file.file import mechanism_text, read_mechanism_file
from mb_model.mechanism_file.overrides import merged
from mb_model.mechanism_file.reading import read_description
from mb_model.record.sparse import storage_of, work_for
from mb_model.registry.joints import JOINTS

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit


@contextmanager
def _computable(file: str) -> Iterator[None]:
    """Raise MechanismError, naming the file, where numbers are too large or too small together."""
    try:
        with np.errstate(all='ignore'):
            yield
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise MechanismError(f'{file}: cannot be computed ({error}): some of its numbers are too '
                             'large or too small beside others') from error


class Mechanism:
    """Bodies and what ties them, in the plane or in space, with kinematics and dynamics.

    Arrays: q, qd, qdd (n) in the order of `coordinates`; z, zd, zdd (g) as in `independent`.
    Methods that take `near` (n) start from there, which decides the branch; else from q0.  t [s]
    is the time of coordinates that the file prescribes.
    A mechanism does not change: `replace` returns another one.  Several threads may use the same
    one at once; each has a workspace of its own for its queries.

    Attributes, by topic:

    - File: `name`, `description`, `file`, `raw`, `text`, `parameters`, `described`.
    - Machine: `dimension`, `gravity` [m/s^2]; by name `bodies`, `points`, `joints`, `shapes` of the
      plane, `sensors`, `sensor_groups`; `drives`, `circuit`, `plays`.
    - Names of some: `rolling`, `turning_joints`, `flexible_bodies`, `force_states`.
    - Coordinates: `coordinates`, `independent`, `modes`; how many: `n`, `g`; `freedom`; `chosen`:
      whether the file does not name independent ones.
    - Constraints: `equations`; how many: `m`; `redundant`: follow from others, and are left out.
    - Start: `q0` (n), `z0`, `zd0` (g), `lacks_mass`.
    - Computation: `model`, `scratch`, `storage`, `is_sparse`.
    """

    described: Any      # Description, whose independent coordinates are known

    def __init__(self, raw: Mapping[str, Any], file: str, storage: str | None = None) -> None:
        """Make a mechanism from the mapping of a mechanism file; raises MechanismError.

        storage: of its matrices, "dense", "sparse", or None: sparse where dense has no room.
        """
        self.file, self.storage = file, storage
        with _computable(file):
            self.raw = deepcopy(mended(raw, file))
            self._make(self.raw, file, storage)
        self._frozen = True

    def _make(self, raw: Any, file: str, storage: str | None) -> None:
        """Describe and compile it, and find its start position."""
        described = read_description(raw, file)
        assemble_nearest(self, described, lambda near: self._assemble(near, storage))
        self.zd0 = start_rates(self)

    def _assemble(self, described: Any, storage: str | None) -> None:
        """Compile it and find its start position next to the poses of a description."""
        self.freedom = freedom_of(described, storage)
        self.described, self.chosen = self.freedom.description, described.independent is None
        self.name, self.description = self.described.name, self.described.description
        self.gravity = np.array(self.described.gravity)
        self.parameters = self.described.parameters
        self.points, self.bodies = self.described.points, self.described.bodies
        self.dimension, self.joints = self.described.dimension, self.described.joints
        self.shapes = {} if self.dimension == 3 else {
            name: body.shape for name, body in self.bodies.items() if body.shape}
        self.sensors = self.described.sensors
        self.sensor_groups = self.described.sensor_groups
        self.coordinates = self.freedom.names
        self.independent, self.drives = self.described.independent, self.described.drives
        self.model, self.equations = compile_model(
            self.described, storage, self.freedom.redundant, self.freedom.layout)
        self.freedom = replace(self.freedom, layout=None)
        self.n, self.m, self.g = (int(self.model[name][0]) for name in ('n', 'm', 'g'))
        dynamics.require_drives(self.described)
        self._z = self.model['independent'][0, :self.g]
        self._of_thread = local()
        assembly = self.scratch.assembly
        self.redundant = assembly.redundant
        self.q0 = assembly.first_position()
        self.z0 = self.q0[self._z]

    def __setattr__(self, name: str, value: Any) -> None:
        self._require_not_frozen(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._require_not_frozen(name)
        super().__delattr__(name)

    def __repr__(self) -> str:
        where = 'in space' if self.dimension == 3 else 'in the plane'
        mass = sum(body.mass for body in self.bodies.values())
        lines = [f'Mechanism {self.name} {where}: {len(self.bodies)} bodies, {mass:.6g} kg, '
                 f'{self.n} coordinates',
                 f'  degrees of freedom: {", ".join(self.independent) or "none"}']
        return '\n'.join(lines + (
            [f'  sensors: {", ".join(self.sensors)}'] if self.sensors else []))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != '_of_thread'}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _of_thread=local())
        prepare_kernels(self.model)

    @cached_property
    def circuit(self) -> Circuit | None:
        """The hydraulic Circuit of the file, None without one; raises MechanismError."""
        if self.described.hydraulics is None:
            return None
        # Imported here: mechanisms without oil need not wait for its kernels.
        from mb_model.circuit.circuit import make_circuit
        self.in_full('hydraulics')      # raises
        self.require_holonomic('hydraulics')
        with _computable(self.file):
            return make_circuit(self)

    def workspace(self) -> RecordArray:
        """Return a new workspace for kernels, its mass matrix filled in."""
        work = work_for(self.model)
        entry_points.fill_mass_matrix(self.model, work)
        return work

    @property
    def is_sparse(self) -> bool:
        """Whether its matrices are stored without their zeros, as of large mechanisms."""
        return storage_of(self.model) == 'sparse'

    @property
    def text(self) -> str:
        """The mechanism as the text of a file, with what it extends and all replacements."""
        return mechanism_text(self.raw)

    def replace(self, **overrides: Any) -> Mechanism:
        """Return this mechanism with some entries of its file replaced, mappings merged into it.

        mechanism.replace(gravity=[0, -8.81], bodies={'coupler': {'mass': 9.0}}); None removes an
        entry: forces={'spring': None}.
        """
        return Mechanism(merged(self.raw, overrides), self.file, self.storage)

    def number(self, value: float | str) -> float:
        """Return a number or an expression over the file's parameters as a float; ValueError."""
        return as_number(value, self.parameters)

    @property
    def scratch(self) -> ThreadWorkspace:
        """What the queries of this thread work in."""
        try:
            return self._of_thread.scratch
        except AttributeError:
            self._of_thread.scratch = ThreadWorkspace(self)
            return self._of_thread.scratch

    def require_holonomic(self, what: str) -> None:
        """Raise MechanismError if a body rolls, for what knows no constraints of velocities."""
        if self.rolling:
            raise MechanismError(f'{self.file}: {what}: not for mechanisms with bodies that roll, '
                                 f'here on joints.{", joints.".join(self.rolling)}; expected '
                                 'constraints of positions alone')

    def _require_not_frozen(self, name: str) -> None:
        if '_frozen' in vars(self):
            raise AttributeError(f'{name}: a Mechanism does not change; replace() returns another '
                                 'one')

    @property
    def force_states(self) -> tuple[str, ...]:
        """Degrees of freedom whose rates are states of forces, by name: positions say nothing of
        them.
        """
        return tuple(name for name, one in self.described.coordinates.items()
                     if one.inertia is not None)

    @property
    def plays(self) -> tuple[Backlash, ...]:
        """The backlashes."""
        return tuple(force for force in self.described.forces.values()
                     if isinstance(force, Backlash))

    @property
    def rolling(self) -> tuple[str, ...]:
        """Joints on which a body rolls: constraints of velocities that positions do not show."""
        return tuple(name for name, joint in self.joints.items() if JOINTS[joint.kind].rolls)

    @property
    def flexible_bodies(self) -> tuple[str, ...]:
        """Names of the bodies that bend."""
        return tuple(name for name, body in self.bodies.items()
                     if body.beam is not None)

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of their modal coordinates, which are degrees of freedom."""
        return tuple(mode for name in self.flexible_bodies for mode in self.bodies[name].modes)

    @property
    def turning_joints(self) -> tuple[str, ...]:
        """Names of the joints in space that turn about one axis of both bodies."""
        return tuple(name for name, joint in self.joints.items()
                     if JOINTS[joint.kind].axis == 'common'
                     and 'angle' in JOINTS[joint.kind].coordinates)

    @cached_property
    def lacks_mass(self) -> bool:
        """Whether a motion moves no mass at the start, so that no forces decide it."""
        work = self.workspace()
        work['q'][0, :self.n] = self.q0
        motion = reduced_motion(self.model, work)
        return motion is not None and lacks_mass(motion[1])

    # Queries: functions whose first argument is the mechanism.
    in_full = storage.in_full
    unit = addresses.unit
    indices = addresses.indices
    body_indices = addresses.body_indices
    point_index = addresses.point_index
    angle_index = addresses.angle_index
    point_terms = addresses.point_terms
    direction_terms = addresses.direction_terms

    assemble = kinematics.assemble
    closed_from = kinematics.closed_from
    forward_kinematics = kinematics.forward_kinematics
    driven_by = kinematics.driven_by
    velocity = kinematics.velocity
    acceleration = kinematics.acceleration
    R = kinematics.R
    S = kinematics.S
    Sc = kinematics.Sc
    constraint_terms = kinematics.constraint_terms
    all_constraints = kinematics.all_constraints
    contact_jacobian = kinematics.contact_jacobian
    body_motion = kinematics.body_motion
    require_closed = kinematics.require_closed
    singularity = kinematics.singularity
    closing_error = kinematics.closing_error
    beyond_limits = limits.beyond_limits

    require_masses = dynamics.require_masses
    forward_dynamics = dynamics.forward_dynamics
    inverse_dynamics = dynamics.inverse_dynamics
    reactions = dynamics.reactions
    driving_forces = dynamics.driving_forces
    linearise = dynamics.linearise
    force_jacobian = dynamics.force_jacobian
    parameter_records = dynamics.parameter_records
    parameter_jacobian = dynamics.parameter_jacobian
    operational_space = dynamics.operational_space
    accelerations_by_cause = dynamics.accelerations_by_cause
    energy = dynamics.energy


def load_mechanism(name_or_path: str | Path, storage: str | None = None) -> Mechanism:
    """Return the Mechanism of a name (one that comes with mb_model) or of a YAML file.

    storage: see Mechanism; large mechanisms get the sparse one without asking.
    Raises MechanismError naming file, key, value and what was expected.
    """
    return Mechanism(*read_mechanism_file(name_or_path), storage)
