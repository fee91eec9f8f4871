"""Coordinates of a file as its bodies say them: of two roots the right one, in the named turn.

The equation of an angle holds half a turn off, too, of a distance with the other sign, and
both leave turns open: Newton's iteration from a rough start may end there with closed bodies.
"""

from math import pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.closing import violations
from mb_model.assembly.guess import value_of, wound
from mb_model.constraints.equation import Equation
from mb_model.kernels.spatial_constraints import rest_spatial
from mb_model.mechanism_file.description import Description
from mb_model.space.equation import NONE, SpatialEquation

_TURN = 2.0 * pi
_OTHER_ROOT = 0.5       # from the right one, of what lies between both: that a root is the other
_WHOLE = 1e-6           # of a turn, and of slopes


class AddedCoordinates:
    """Added coordinates of a compiled mechanism; model and equations: with redundant ones."""

    def __init__(self, description: Description, model: RecordArray, equations: Any) -> None:
        self._description, self._model, self._equations = description, model, equations
        self._n = int(model['n'][0])
        self._first = self._n - len(description.coordinates)
        self.names = list(description.coordinates)
        self._own = {equation.meaning: equation for equation in equations}
        self._turns = np.array([one.unit == 'rad' and one.kind != 'orientation'
                                and one.inertia is None
                                for one in description.coordinates.values()], bool)
        self._tying = [k for k, equation in enumerate(equations) if self._ties(equation)]

    def others(self, work: RecordArray) -> dict[int, float]:
        """Return index in q -> value of the bodies, where work.q has the other root.

        Angles in the turn next to what they are.
        """
        q = work['q'][0]
        roots = {}
        for k, (value, turns) in enumerate(zip(self._values(work), self._turns, strict=True)):
            index = self._first + k
            off = abs(q[index] - value)
            between = pi if turns else abs(2.0 * value)
            if off > _OTHER_ROOT * between and off > _WHOLE * self._model['scale'][0, index]:
                roots[index] = value
        return roots

    def tied(self) -> set[int]:
        """Return the indices in q of coordinates that equations tie to others, or to a motion."""
        return {index for k in self._tying for index in self._on(self._equations[k])
                if index >= self._first}

    def name_of(self, index: int) -> str:
        """Return the name of the coordinate at an index in q."""
        return self.names[index - self._first]

    def in_named_turns(self, work: RecordArray) -> None:
        """Write angles to work.q that follow from bodies, each in the turn that the file names.

        That is the one of its start, or of zero; of a coil spring, see guess.wound.  Angles that
        others tie turn together, as far as whole turns can; degrees of freedom stay.
        """
        q, named = work['q'][0], self._description.coordinates
        bodies, tied = self._values(work), self.tied()
        kept = {*self._description.independent, *self._description.prescribed}
        follow = [k for k, name in enumerate(self.names) if self._turns[k] and name not in kept]
        columns = [self._first + k for k in follow if self._first + k in tied]
        if columns:
            self._turn_together(work, columns)
        for k in follow:
            if self._first + k not in tied:
                values = dict(zip(self.names, q[self._first:self._n], strict=True))
                near = wound(self._description, named[self.names[k]], values)
                q[self._first + k] = bodies[k] + _TURN * round((near - bodies[k]) / _TURN)

    def _turn_together(self, work: RecordArray, columns: list[int]) -> None:
        """Turn tied angles, indices in q, by whole turns towards zero as far as ties allow."""
        q = work['q'][0]
        first = np.cumsum([0, *(equation.rows for equation in self._equations)])[self._tying]
        _, jacobian = violations(self._model, work, self._equations)
        slopes = jacobian[first][:, columns]
        slopes = slopes if isinstance(slopes, np.ndarray) else slopes.toarray()
        _, sizes, motions = np.linalg.svd(slopes)
        motions = motions[int((sizes > _WHOLE).sum()):]      # that no tie feels
        for k, index in enumerate(columns):
            turns, share = -round(q[index] / _TURN), motions[:, k]
            if not turns or share @ share < _WHOLE:
                continue
            together = np.round(share @ motions * turns / (share @ share))
            if together[k] == turns and np.abs(slopes @ together).max(initial=0.0) < _WHOLE:
                q[columns] += _TURN * together

    def _values(self, work: RecordArray) -> FloatArray:
        """Return the coordinates as bodies say them, angles next to what they are in work.q."""
        q = work['q'][0]
        old = q[self._first:self._n].copy()
        if self._description.dimension == 3:
            rest_spatial(self._model, work)
            values = q[self._first:self._n].copy()
            q[self._first:self._n] = old
            return values
        return np.array([
            value_of(self._own[f'coordinates.{name}'], q, value)
            if f'coordinates.{name}' in self._own else value
            for name, value in zip(self.names, old, strict=True)])

    def _ties(self, equation: Equation | SpatialEquation) -> bool:
        """Return whether an equation is on coordinates that others define."""
        if isinstance(equation, SpatialEquation):
            return NONE not in equation.scalars
        return (equation.meaning.partition('.')[0] == 'constraints'
                and any(index >= self._first for index in self._on(equation)))

    def _on(self, equation: Equation | SpatialEquation) -> list[int]:
        """Return the indices in q of an equation's coordinates."""
        return [index for index in (equation.scalars if isinstance(equation, SpatialEquation)
                                    else equation.index) if index < self._n]
