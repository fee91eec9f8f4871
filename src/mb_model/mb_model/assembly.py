"""Putting a mechanism into positions, and telling why it cannot be put there."""

import numpy as np

from mb_model.closing import closing_error, nearest_to_closing
from mb_model.description import AssemblyError, MechanismError, SingularPositionError
from mb_model.guess import start_guess
from mb_model.kernels import entry_points
from mb_model.kernels.position import SOLVED

_CLOSED = 1e-6      # a violation below this share of the mechanism's size counts as closed


class Assembly:
    """Solves position problems in a workspace: `work.q`, `work.z` are where it was put last."""

    def __init__(self, description, model, equations, work):
        self._description = description
        self._model, self._equations, self._work = model, equations, work
        self._n, self._g = int(model['n'][0]), int(model['g'][0])
        self._z = model['independent'][0, :self._g]      # places of z in q
        self._closed = _CLOSED * model['scale'][0, 0]

    def first_position(self):
        """Return q (n) at the start of the file, on the branch next to the start of its points."""
        description = self._description
        guess = start_guess(description)
        self._q[:] = guess
        self._work['z'][0, :self._g] = guess[self._z]
        entry_points.rest_driven(self._model, self._work)
        if entry_points.solve_position(self._model, self._work) != SOLVED:
            self._explain_start(guess)
        q = self._q.copy()
        start = [description.start.get(name, q[k])
                 for name, k in zip(description.independent, self._z, strict=True)]
        self.place(start, q)
        return self._q.copy()

    def place(self, z, near, t=0.0):
        """Move from the closed position `near` (n), of any time, to z (g) at the time t."""
        self._q[:] = near
        self._work['t'] = t
        self._work['z'][0, :self._g] = z
        status, _ = entry_points.follow_position(self._model, self._work)
        if status == SOLVED:
            return
        reached = self._q[self._z].copy()
        self._q[self._z] = z
        distance, meaning = nearest_to_closing(self._model, self._work, self._equations)
        where = (f'{self._description.file}: cannot be moved to the position at {self.names(z)}')
        if distance > self._closed:
            raise AssemblyError(
                f'{where}: it closes up to {self.names(reached)}; beyond, at its nearest to '
                f'closing, {meaning} is {distance:.4g} m off', distance)
        raise AssemblyError(
            f'{where}: the way there is interrupted at {self.names(reached)}, by a singular '
            'position or because it does not close beyond', distance)

    def settle(self, near):
        """Return the closed position (n) next to `near`, at the degrees of freedom of `near`."""
        self._q[:] = near
        self._work['z'][0, :self._g] = self._q[self._z]
        entry_points.rest_driven(self._model, self._work)
        if entry_points.solve_position(self._model, self._work) != SOLVED:
            error, meaning = self.closing_error()
            raise AssemblyError(f'{self._description.file}: near: too far from any closed position '
                                f'({meaning} is {error:.4g} m off)', error)
        return self._q.copy()

    def closing_error(self):
        """Return (distance, meaning): the largest violation at work.q [m], and of which body."""
        return closing_error(self._model, self._work, self._equations)

    def require(self, solved):
        """Raise SingularPositionError unless solved."""
        if not solved:
            raise SingularPositionError(f'{self._description.file}: singular at '
                                        f'{self.names(self._q[self._z])}')

    def vector(self, name, value, size):
        """Return value as an array (size) of finite numbers; raises MechanismError."""
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            array = np.array(repr(value))
        if array.dtype != float or array.shape != (size,) or not np.isfinite(array).all():
            shown = (np.array2string(array, threshold=12) if array.dtype == float
                     else str(array)[:60])
            raise MechanismError(f'{self._description.name}: {name}: {shown} must be {size} finite '
                                 f'number{"s" * (size > 1)}')
        return array

    def names(self, z):
        """Return degrees of freedom as text: 'theta = 1.0472'."""
        return ', '.join(f'{name} = {value:.6g}' for name, value
                         in zip(self._description.independent, z, strict=True))

    @property
    def _q(self):
        return self._work['q'][0, :self._n]

    def _explain_start(self, guess):
        """Raise why the mechanism cannot be assembled near the start of its points."""
        self._q[:] = guess
        distance, meaning = nearest_to_closing(self._model, self._work, self._equations)
        file, at = self._description.file, self.names(guess[self._z])
        if distance > self._closed:
            raise AssemblyError(f'{file}: cannot be assembled at {at}: at its nearest to closing, '
                                f'{meaning} is {distance:.4g} m off', distance)
        raise AssemblyError(
            f'{file}: points: the starts do not tell how to assemble at {at}: they are far from '
            'any way to do it, or between two; move them nearer to the wanted one', distance)
