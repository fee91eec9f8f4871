"""Start on another branch than the one of the mechanism file."""

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.orientations import counted_from, turns_at
from mb_estimators.kernels.start import start
from mb_model import FreeOrientations
from mb_model.arrays import FloatArray


class StartNear:
    """Of a ModelFilter that is to start on a branch."""

    def start_near(self, q: FloatArray) -> None:
        """Start near a position (n), on its branch, at the present degrees of freedom.

        Raises FilterError for a singular one, and for an orientation a quarter turn away.
        """
        g, near, P = self._g, np.array(q), self._filter['P'].copy()
        x, free = np.concatenate([view[:g] for view in self._motion[:2]]), FreeOrientations(
            self.mechanism)
        if len(free):
            near[self.mechanism.places(self.mechanism.independent)[free.places]] = 0.0
            found = counted_from(x, g, free.places, turns_at(free, self._motion[3]),
                                 turns_at(free, near))
            if found is None:
                raise FilterError(f'{self.mechanism.name}: the start is a quarter turn or more '
                                  'from the start of a branch')
            x = found
        self._work['q'][:self._n] = self.mechanism.assemble(x[:g], near)
        self._work['zd'][:g] = x[g:]
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position of a '
                              'branch')
        if self._turns:
            self._follow()
            self._filter['P'][:] = P        # which is of the bodies' frames already
