"""A mechanism: its description, its compiled model, and the basic questions to ask of it."""

from copy import deepcopy
from math import atan2, pi

import numpy as np

from mb_model.closing import closing_error, nearest_to_closing
from mb_model.compilation import compile_model
from mb_model.description import AssemblyError, MechanismError, SingularPositionError
from mb_model.entries import as_number
from mb_model.kernels import entry_points
from mb_model.kernels.position import SOLVED
from mb_model.mechanism_file import read_mechanism_file
from mb_model.reading import coordinate_names, read_description
from mb_model.record import new_work


class Mechanism:
    """Planar bodies joined at points, with kinematics and dynamics.

    Arrays: q, qd, qdd (n) in the order of `coordinates`; z, zd, zdd (g) in that of `independent`.
    Methods that take `near` (n) start from there, which decides the branch; else from q0.
    One mechanism must not be used by several threads at once.
    """

    def __init__(self, raw, file):
        """Make a mechanism from the mapping of a mechanism file; raises MechanismError."""
        self._raw = deepcopy(raw)
        self.file = file
        self.described = read_description(raw, file)
        self.name, self.description = self.described.name, self.described.description
        self.gravity = np.array(self.described.gravity)
        self.parameters = self.described.parameters
        self.points, self.bodies = self.described.points, self.described.bodies
        self.sensors = self.described.sensors
        self.sensor_groups = self.described.sensor_groups
        self.coordinates = tuple(coordinate_names(self.points, self.described.coordinates))
        self.independent = self.described.independent
        self.model, self.equations = compile_model(self.described)
        self.n, self.m, self.g = (int(self.model[name][0]) for name in ('n', 'm', 'g'))
        self._z = self.model['independent'][0, :self.g]
        self._work = self.new_work()
        self.q0 = self._first_position()
        self.z0 = self.q0[self._z]
        self.zd0 = np.array([self.described.start_velocity.get(name, 0.0)
                             for name in self.independent])

    def new_work(self):
        """Return a workspace for kernels, its mass matrix filled in."""
        work = new_work(self.model)
        entry_points.fill_mass_matrix(self.model, work)
        return work

    def replace(self, **overrides):
        """Return this mechanism with some entries of its file replaced, mappings merged into it.

        mechanism.replace(gravity=[0, -8.81], bodies={'coupler': {'mass': 9.0}})
        """
        return Mechanism(_merged(self._raw, overrides), self.file)

    def assemble(self, z, near=None):
        """Position problem: return q (n) with the degrees of freedom z, on the branch of `near`.

        Raises MechanismError if the mechanism cannot be moved there.
        """
        self._place(z, near)
        return self._work['q'][0, :self.n].copy()

    def velocity(self, q, zd):
        """Velocity problem: return qd = R zd (n) at a solved position q."""
        self._load('q', q, self.n)
        self._load('zd', zd, self.g)
        self._require(entry_points.solve_velocity(self.model, self._work))
        return self._work['qd'][0, :self.n].copy()

    def acceleration(self, q, qd, zdd):
        """Acceleration problem: return qdd = R zdd + S c (n) at a solved q and qd."""
        self._load('q', q, self.n)
        zd = self._vector('qd', qd, self.n)[self._z]
        self._load('zd', zd, self.g)
        self._load('zdd', zdd, self.g)
        self._require(entry_points.solve_acceleration(self.model, self._work))
        return self._work['qdd'][0, :self.n].copy()

    def forward_dynamics(self, z, zd, forces=None, near=None):
        """Return zdd (g) under gravity and `forces` on the degrees of freedom (g) [N or N m]."""
        self._place(z, near)
        self._load('zd', zd, self.g)
        self._load('forces', np.zeros(self.g) if forces is None else forces, self.g)
        self._require(entry_points.forward_dynamics(self.model, self._work))
        return self._work['zdd'][0, :self.g].copy()

    def inverse_dynamics(self, z, zd, zdd, near=None):
        """Return the forces on the degrees of freedom (g) that a motion needs beside gravity."""
        self._place(z, near)
        self._load('zd', zd, self.g)
        self._load('zdd', zdd, self.g)
        self._require(entry_points.inverse_dynamics(self.model, self._work))
        return self._work['forces'][0, :self.g].copy()

    def linearise(self, z, zd, forces=None, near=None):
        """Return A = dzdd/dz and B = dzdd/dzd (g, g), exact."""
        self._place(z, near)
        self._load('zd', zd, self.g)
        self._load('forces', np.zeros(self.g) if forces is None else forces, self.g)
        self._require(entry_points.linearise(self.model, self._work))
        return tuple(self._work[name][0, :self.g, :self.g].copy() for name in 'AB')

    def energy(self, z, zd, near=None):
        """Return (kinetic, potential) energy [J]; potential is that of gravity, 0 at the origin."""
        self._place(z, near)
        self._load('zd', zd, self.g)
        self._require(entry_points.solve_velocity(self.model, self._work))
        return entry_points.energies(self.model, self._work)

    def body_indices(self, body):
        """Return where x of a body's first and second point are in arrays over n_total."""
        first, second = self.model['body_index'][0, list(self.bodies).index(body)]
        return int(first), int(second)

    def angle_index(self, body):
        """Return the place in q of a body's own absolute angle, None if it has none."""
        for coordinate in self.described.coordinates.values():
            if coordinate.kind == 'angle' and coordinate.body == body:
                return self.coordinates.index(coordinate.name)
        return None

    def number(self, value):
        """Return a number or an expression over the file's parameters as a float; ValueError."""
        return as_number(value, self.parameters)

    def closing_error(self, q):
        """Return the largest violation of a constraint at q [m]."""
        self._load('q', q, self.n)
        return closing_error(self.model, self._work, self.equations)[0]

    def _first_position(self):
        """Return q at the start of the file, near the start of its points."""
        guess = [x for point in self.points.values() if not point.fixed for x in point.position]
        for name, coordinate in self.described.coordinates.items():
            first, second = (self.points[p].position
                             for p in list(self.bodies[coordinate.body].points)[:2])
            angle = atan2(second[1] - first[1], second[0] - first[0])
            turns = round((self.described.start.get(name, angle) - angle) / (2.0 * pi))
            guess.append(angle + 2.0 * pi * turns)
        self._load('q', guess, self.n)
        z = np.array(guess)[self._z]
        self._work['z'][0, :self.g] = z
        if entry_points.solve_position(self.model, self._work) != SOLVED:
            self._explain_start(guess)
        q = self._work['q'][0, :self.n].copy()
        start = [self.described.start.get(name, q[k])
                 for name, k in zip(self.independent, self._z, strict=True)]
        return self.assemble(start, near=q)

    def _explain_start(self, guess):
        """Raise why the mechanism cannot be assembled near the start of its points."""
        self._load('q', guess, self.n)
        distance, meaning = nearest_to_closing(self.model, self._work, self.equations)
        at = self._at(np.array(guess)[self._z])
        if distance > 1e-6 * self.model['scale'][0, 0]:
            raise AssemblyError(
                f'{self.file}: cannot be assembled {at}: at its nearest to closing, '
                f'{meaning} is {distance:.4g} m off', distance)
        raise AssemblyError(
            f'{self.file}: points: the starts do not tell how to assemble {at}: they are far from '
            'any way to do it, or between two; move them nearer to the wanted one', distance)

    def _place(self, z, near):
        """Solve the position problem in self._work."""
        target = self._vector('z', z, self.g)
        if near is None:
            self._work['q'][0, :self.n] = self.q0
        else:
            self._settle(near)
        self._work['z'][0, :self.g] = target
        status, _ = entry_points.follow_position(self.model, self._work)
        if status == SOLVED:
            return
        reached = self._at(self._work['q'][0, self._z])
        self._work['q'][0, self._z] = target
        distance, meaning = nearest_to_closing(self.model, self._work, self.equations)
        where = f'{self.file}: cannot be moved to the position {self._at(target)}'
        if distance > 1e-6 * self.model['scale'][0, 0]:
            raise AssemblyError(f'{where}: it closes up to {reached[3:]}; beyond, at its nearest '
                                f'to closing, {meaning} is {distance:.4g} m off', distance)
        raise AssemblyError(f'{where}: the way there is interrupted {reached}, by a singular '
                            'position or because it does not close beyond', distance)

    def _settle(self, near):
        """Put self._work.q on the solution next to `near`, at its own degrees of freedom."""
        self._load('q', near, self.n)
        self._work['z'][0, :self.g] = self._work['q'][0, self._z]
        if entry_points.solve_position(self.model, self._work) != SOLVED:
            error, meaning = closing_error(self.model, self._work, self.equations)
            raise AssemblyError(f'{self.file}: near: too far from any closed position '
                                f'({meaning} is {error:.4g} m off)', error)

    def _load(self, name, value, size):
        self._work[name][0, :size] = self._vector(name, value, size)

    def _vector(self, name, value, size):
        """Return value as an array (size) of finite numbers."""
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            array = np.array(repr(value))
        if array.dtype != float or array.shape != (size,) or not np.isfinite(array).all():
            raise MechanismError(f'{self.name}: {name}: {_short(array)} '
                                 f'must be {size} finite number{"s" * (size > 1)}')
        return array

    def _require(self, solved):
        if not solved:
            at = self._at(self._work['q'][0, self._z])
            raise SingularPositionError(f'{self.file}: singular {at}')

    def _at(self, z):
        return 'at ' + ', '.join(f'{name} = {value:.6g}' for name, value
                                 in zip(self.independent, z, strict=True))


def load_mechanism(name_or_path):
    """Return the Mechanism of a name (those that come with mb_model) or of a YAML file.

    Raises MechanismError naming file, key, value and what was expected.
    """
    return Mechanism(*read_mechanism_file(name_or_path))


def _short(array):
    """Return a short text of an array for messages."""
    return np.array2string(array, threshold=12) if array.dtype == float else str(array)[:60]


def _merged(raw, overrides):
    """Return raw with overrides merged into its mappings."""
    if not isinstance(raw, dict) or not isinstance(overrides, dict):
        return deepcopy(overrides)
    return {key: _merged(raw.get(key), overrides[key]) if key in overrides else deepcopy(raw[key])
            for key in (*raw, *(key for key in overrides if key not in raw))}
