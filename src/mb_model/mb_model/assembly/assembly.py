"""Putting a mechanism into positions, and telling why it cannot be put there."""

from mb_model.assembly.closing import ITERATIONS, closing_error, nearest_to_closing
from mb_model.assembly.freedom import CLOSED, freedom_of
from mb_model.assembly.singular import weightless
from mb_model.assembly.vectors import finite_vector
from mb_model.compilation.compilation import compile_model
from mb_model.kernels import entry_points
from mb_model.kernels.charts import find_references
from mb_model.kernels.position import SOLVED
from mb_model.mechanism_file.description import AssemblyError, SingularPositionError
from mb_model.record.sparse import storage_of

_TRIAL = 1e-2       # move that tells redundant constraints from singular positions [rad or sizes]


class Assembly:
    """Solves position problems in a workspace: `work.q`, `work.z` are where it was put last."""

    def __init__(self, freedom, model, equations, work):
        self._description = description = freedom.description
        self._model, self._work, self._guess = model, work, freedom.guess
        self._whole = (compile_model(description, storage_of(model))
                       if freedom.redundant else (model, equations))
        self.redundant = tuple(self._whole[1][k].meaning for k in sorted(freedom.redundant))
        self._n, self._g = int(model['n'][0]), int(model['g'][0])
        self._z = model['independent'][0, :self._g]      # places of z in q
        self._dependent = model['dependent'][0, :self._n - self._g]
        self._size, self._closed = freedom.size, CLOSED * freedom.size

    def first_position(self):
        """Return q (n) at the start of the file, on the branch next to the start of its points."""
        description, guess = self._description, self._guess
        self._load(guess)
        self._work['z'][0, :self._g] = guess[self._z]
        entry_points.rest_driven(self._model, self._work)
        if entry_points.solve_position(self._model, self._work) != SOLVED:
            self._explain_start(guess)
        q = self._q.copy()
        start = [description.start.get(name, q[k])
                 for name, k in zip(description.independent, self._z, strict=True)]
        self.place(start, q)
        q = self._q.copy()
        self._try_redundant(q)
        return q

    def place(self, z, near, t=0.0):
        """Move from the closed position `near` (n), of any time, to z (g) at the time t."""
        self._load(near)
        self._work['t'] = t
        self._work['z'][0, :self._g] = z
        status, _ = entry_points.follow_position(self._model, self._work)
        if status == SOLVED:
            self.require_closed()
            return
        reached = self._q[self._z].copy()
        self._q[self._z] = z
        distance, meaning = self._nearest_to_closing()
        where = f'cannot be moved to the position at {self.names(z)}'
        if distance > self._closed:
            raise self._error(f'{where}: it closes up to {self.names(reached)}; beyond, at its '
                              f'nearest to closing, {meaning} is {distance:.4g} m off', distance)
        raise self._error(f'{where}: the way there is interrupted at {self.names(reached)}, by a '
                          'singular position or because it does not close beyond', distance)

    def position(self):
        """Return where it was put last, q (n)."""
        return self._q.copy()

    def load(self, q):
        """Write a vector q (n); raises MechanismError."""
        self._load(self.vector('q', q, self._n))

    def settle(self, near):
        """Return the closed position (n) next to `near`, at the degrees of freedom of `near`."""
        self._load(near)
        self._work['z'][0, :self._g] = self._q[self._z]
        entry_points.rest_driven(self._model, self._work)
        if entry_points.solve_position(self._model, self._work) != SOLVED:
            error, meaning = self.closing_error()
            raise self._error('near: too far from any closed position '
                              f'({meaning} is {error:.4g} m off)', error)
        return self._q.copy()

    def closed_from(self, q, iterations):
        """Return the closed position (n) that is found from any q, with its degrees of freedom."""
        self.load(q)
        distance, meaning = self._nearest_to_closing(iterations)
        if not distance <= self._closed:
            raise self._error(f'{meaning} is {distance:.4g} m off at its nearest to closing',
                              distance)
        return self.settle(self._q.copy())

    def closing_error(self):
        """Return (distance, meaning): the largest violation at work.q [m], and of which body."""
        return closing_error(self._whole[0], self._work, self._whole[1])

    def require_closed(self):
        """Raise AssemblyError unless the constraints left out as redundant hold at work.q."""
        if not self.redundant:
            return
        distance, meaning = self.closing_error()
        if not distance <= self._closed:
            raise self._error(f'does not close at {self.names(self._q[self._z])}: {meaning} is '
                              f'{distance:.4g} m off; it was left out as redundant, which it is in '
                              'the start position only', distance)

    def require(self, solved):
        """Raise SingularPositionError unless solved."""
        if not solved:
            why = weightless(self._description, self._model, self._work, self._size)
            raise SingularPositionError(f'{self._description.file}: singular at '
                                        f'{self.names(self._q[self._z])}{why and f": {why}"}')

    def vector(self, name, value, size):
        """Return value as an array (size) of finite numbers; raises MechanismError."""
        return finite_vector(self._description.name, name, value, size)

    def names(self, z):
        """Return degrees of freedom as text: 'theta = 1.0472'."""
        return ', '.join(f'{name} = {value:.6g}' for name, value
                         in zip(self._description.independent, z, strict=True))

    def _load(self, q):
        """Write q (n) to work.q, and references of orientations, which follow from it."""
        self._q[:] = q
        find_references(self._model, self._work)

    @property
    def _q(self):
        return self._work['q'][0, :self._n]

    def _nearest_to_closing(self, iterations=ITERATIONS):
        """Move work.q, its degrees of freedom kept; return (distance, meaning) there."""
        return nearest_to_closing(self._whole[0], self._work, self._whole[1], self._dependent,
                                  iterations)

    def _try_redundant(self, q):
        """Raise AssemblyError if constraints were taken for redundant in a singular position."""
        for k in range(self._g if self.redundant else 0):
            scale = self._model['scale'][0, self._z[k]]
            for move in (_TRIAL * scale, -_TRIAL * scale):
                self._load(q)
                self._work['z'][0, :self._g] = q[self._z]
                self._work['z'][0, k] += move
                if entry_points.follow_position(self._model, self._work)[0] == SOLVED:
                    self.require_closed()
        self._load(q)

    def _explain_start(self, guess):
        """Raise why the mechanism cannot be assembled near the start of its points."""
        self._load(guess)
        distance, meaning = self._nearest_to_closing()
        at = self.names(guess[self._z])
        if distance > self._closed:
            raise self._error(f'cannot be assembled at {at}: at its nearest to closing, {meaning} '
                              f'is {distance:.4g} m off', distance)
        freedom_of(self._description, storage_of(self._model), self._q)
        raise self._error(
            f'points: the starts do not tell how to assemble at {at}: they are far from any way to '
            'do it, or between two; move them nearer to the wanted one', distance)

    def _error(self, message, distance):
        """Return an AssemblyError at work.q."""
        return AssemblyError(f'{self._description.file}: {message}', distance, self._q.copy())
