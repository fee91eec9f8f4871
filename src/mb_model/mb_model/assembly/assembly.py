"""Putting a mechanism into positions, and saying why it cannot be put there."""

from collections.abc import Iterable, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray, RecordArray
from mb_model.assembly.added_coordinates import AddedCoordinates
from mb_model.assembly.closing import (
    ITERATIONS,
    closing_error,
    constraint_jacobian,
    nearest_to_closing,
)
from mb_model.assembly.flips import Flips
from mb_model.assembly.freedom import CLOSED, Freedom, freedom_of
from mb_model.assembly.requirements import finite_vector
from mb_model.assembly.singular import weightless
from mb_model.compilation.compilation import compile_model
from mb_model.constraints.equation import Equation
from mb_model.kernels import entry_points
from mb_model.kernels.charts import find_references
from mb_model.kernels.position import SOLVED
from mb_model.mechanism_file.description import AssemblyError, SingularPositionError
from mb_model.record.sparse import storage_of, work_for
from mb_model.space.equation import SpatialEquation

_TRIES = 3          # to close it, until coordinates are as bodies say
_TRIAL = 1e-2       # move that parts redundant constraints from singular positions [rad or sizes]


class Assembly:
    """Solves position problems in a workspace: `work.q`, `work.z` are where it was put last."""

    def __init__(self, freedom: Freedom, model: RecordArray,
                 equations: Sequence[Equation | SpatialEquation], work: RecordArray) -> None:
        self._description = description = freedom.description
        self._model, self._work, self._guess = model, work, freedom.guess
        self._chosen = freedom.chosen
        self._whole = (compile_model(description, storage_of(model))
                       if freedom.redundant else (model, equations))
        # With redundant equations there are more rows, for which `work` has no room.
        self._room = work_for(self._whole[0]) if freedom.redundant else work
        self._added = AddedCoordinates(description, *self._whole)
        self._flips = (Flips(model, description.bodies, description.joints)
                       if description.dimension == 3 else None)
        self.redundant = tuple(self._whole[1][k].meaning for k in sorted(freedom.redundant))
        self._n, self._g = int(model['n'][0]), int(model['g'][0])
        self._z = model['independent'][0, :self._g]      # indices of z in q
        self._dependent = model['dependent'][0, :self._n - self._g]
        self._size, self._closed = freedom.size, CLOSED * freedom.size

    def first_position(self) -> FloatArray:
        """Return q (n) at the start of the file, on the branch next to the start of its points.

        Dependent angles follow from the bodies, in the turns that the file names.
        """
        description, guess = self._description, self._guess
        z = guess[self._z]
        if not self._solves(guess, z):
            self._explain_start(guess)
        start = [description.start.get(name, value)
                 for name, value in zip(description.independent, z, strict=True)]
        if self._as_bodies_say():
            self.move_to(start, self._q.copy())
        else:
            self._move_from_nearest(guess, start)
        self._added.in_named_turns(self._at_whole())
        self._take_whole()
        q = self._q.copy()
        self._try_redundant(q)
        return q

    def move_to(self, z: Sequence[float] | FloatArray, near: ArrayLike, t: float = 0.0) -> None:
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
        raise self._error(f'{where}: the motion there is interrupted at {self.names(reached)}, by '
                          'a singular position or because it does not close beyond', distance)

    def position(self) -> FloatArray:
        """Return where it was put last, q (n)."""
        return self._q.copy()

    def load(self, q: ArrayLike) -> None:
        """Write a vector q (n); raises MechanismError."""
        self._load(self.vector('q', q, self._n))

    def settle(self, near: ArrayLike) -> FloatArray:
        """Return the closed position (n) next to `near`, at the degrees of freedom of `near`."""
        if not self._solves(near, np.asarray(near)[self._z]):
            error, meaning = self.closing_error()
            raise self._error('near: too far from any closed position '
                              f'({meaning} is {error:.4g} m off)', error)
        if not self._as_bodies_say():
            flipped = self._flipped()
            if flipped:
                raise self._error(f'near: {flipped[0]} in the closed position next to it', 0.0)
            index, value = next(iter(self._added.others(self._at_whole()).items()))
            raise self._error(f'near: {self._added.name_of(index)} = {self._q[index]:.6g}, '
                              f'expected about {value:.6g}, as the bodies are once they are closed',
                              0.0)
        return self._q.copy()

    def closed_from(self, q: ArrayLike, iterations: int) -> FloatArray:
        """Return the closed position (n) that is found from any q, with its degrees of freedom."""
        self.load(q)
        distance, meaning = self._nearest_to_closing(iterations)
        if not distance <= self._closed:
            raise self._error(f'{meaning} is {distance:.4g} m off at its nearest to closing',
                              distance)
        return self.settle(self._q.copy())

    def closing_error(self) -> tuple[float, str]:
        """Return (distance, meaning): the largest violation at work.q [m], and of which body."""
        return closing_error(self._whole[0], self._at_whole(), self._whole[1])

    def all_constraints(self, q: ArrayLike
                        ) -> tuple[Sequence[Equation | SpatialEquation], FloatArray]:
        """Return all equations, redundant ones too, and their Jacobian (m, n) at q (n)."""
        self.load(q)
        _, jacobian = constraint_jacobian(self._whole[0], self._at_whole())
        return self._whole[1], jacobian if isinstance(jacobian, np.ndarray) else jacobian.toarray()

    def require_closed(self) -> None:
        """Raise AssemblyError unless the constraints left out as redundant hold at work.q."""
        if not self.redundant:
            return
        distance, meaning = self.closing_error()
        if not distance <= self._closed:
            raise self._error(f'does not close at {self.names(self._q[self._z])}: {meaning} is '
                              f'{distance:.4g} m off; it was left out as redundant, which it is in '
                              'the start position only', distance)

    def require(self, solved: bool) -> None:
        """Raise SingularPositionError unless solved."""
        if not solved:
            why = weightless(self._description, self._model, self._work, self._size)
            raise SingularPositionError(f'{self._description.file}: singular at '
                                        f'{self.names(self._q[self._z])}{why and f": {why}"}')

    def vector(self, name: str, value: ArrayLike, size: int) -> FloatArray:
        """Return value as an array (size) of finite numbers; raises MechanismError."""
        return finite_vector(self._description.name, name, value, size)

    def names(self, z: Iterable[float]) -> str:
        """Return degrees of freedom as text: 'theta = 1.0472'."""
        return ', '.join(f'{name} = {value:.6g}' for name, value
                         in zip(self._description.independent, z, strict=True))

    def _solves(self, q: ArrayLike, z: ArrayLike) -> bool:
        """Move from any q (n) to a closed position at z (g); return whether there is one near."""
        self._load(q)
        self._work['z'][0, :self._g] = z
        entry_points.rest_driven(self._model, self._work)
        return entry_points.solve_position(self._model, self._work) == SOLVED

    def _as_bodies_say(self) -> bool:
        """Write dependent coordinates of work.q, closed, as bodies say; return whether all are so.

        Not if degrees of freedom have the other root, or coordinates that are tied, nor if bodies
        or joints are flipped.
        """
        if self._flipped():
            return False
        others = self._added.others(self._at_whole())
        if not {*self._z, *self._added.tied()}.isdisjoint(others):
            return False
        for index, value in others.items():
            self._q[index] = value
        return True

    def _move_from_nearest(self, guess: FloatArray, start: Sequence[float]) -> None:
        """Move to `start` (g) from a closed position where coordinates are right.

        From work.q, the nearest one to a guess (n), or the nearest with its degrees of freedom.
        """
        error = None
        for free in (None, np.arange(self._n), self._dependent):
            if free is not None:
                self._load(guess)
            if self._closes_as_bodies_say(free):
                try:
                    self.move_to(start, self._q.copy())
                    return
                except AssemblyError as failed:
                    error = error or failed
        raise error or self._unclear(guess, 0.0)

    def _closes_as_bodies_say(self, free: IntArray | None) -> bool:
        """Close work.q by coordinates `free` and write the others as bodies say until both hold."""
        for _ in range(_TRIES):
            if free is not None:
                self._nearest_to_closing(free=free)
            for index, value in self._added.others(self._at_whole()).items():
                self._q[index] = value
            q = self._q.copy()
            if (self._solves(q, q[self._z]) and not self._flipped()
                    and not self._added.others(self._at_whole())):
                return True
        return False

    def _flipped(self) -> list[str]:
        """Return in words which bodies and joints are flipped at work.q, see Flips."""
        return self._flips.at(self._q) if self._flips else []

    def _load(self, q: ArrayLike) -> None:
        """Write q (n) to work.q, and references of orientations, which follow from it."""
        self._q[:] = q
        find_references(self._model, self._work)

    @property
    def _q(self) -> FloatArray:
        return self._work['q'][0, :self._n]

    def _nearest_to_closing(self, iterations: int = ITERATIONS, free: IntArray | None = None
                            ) -> tuple[float, str]:
        """Move coordinates `free` of work.q, by default dependent ones; return closing_error."""
        nearest = nearest_to_closing(self._whole[0], self._at_whole(), self._whole[1],
                                   self._dependent if free is None else free, iterations)
        self._take_whole()
        return nearest

    def _at_whole(self) -> RecordArray:
        """Return the workspace of all equations, at work.q."""
        if self._room is not self._work:
            size = int(self._model['n_total'][0])
            self._room['q'][0, :size] = self._work['q'][0, :size]
        return self._room

    def _take_whole(self) -> None:
        """Write work.q where the workspace of all equations is."""
        if self._room is not self._work:
            self._q[:] = self._room['q'][0, :self._n]

    def _try_redundant(self, q: FloatArray) -> None:
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

    def _explain_start(self, guess: FloatArray) -> NoReturn:
        """Raise why the mechanism cannot be assembled near the start of its points."""
        self._load(guess)
        distance, meaning = self._nearest_to_closing()
        at = self.names(guess[self._z])
        if distance > self._closed:
            raise self._error(f'cannot be assembled at {at}: at its nearest to closing, {meaning} '
                              f'is {distance:.4g} m off', distance)
        freedom_of(self._description, storage_of(self._model), self._q, self._chosen)
        raise self._unclear(guess, distance)

    def _unclear(self, guess: FloatArray, distance: float) -> AssemblyError:
        """Return the error of a guess (n) from which Newton's iteration does not close it right."""
        what, starts = ('points', 'the starts') if self._description.dimension == 2 else (
            'bodies', 'the poses')
        return self._error(
            f'{what}: {starts} do not say how to assemble at {self.names(guess[self._z])}: they '
            'are far from any branch, or between two; move them nearer to the wanted one',
            distance)

    def _error(self, message: str, distance: float) -> AssemblyError:
        """Return an AssemblyError at work.q."""
        return AssemblyError(f'{self._description.file}: {message}', distance, self._q.copy())
