"""Start on another branch than the one of the mechanism file."""

from mb_estimators.filter import FilterError
from mb_estimators.kernels.start import start
from mb_model.arrays import FloatArray


class StartNear:
    """Of a ModelFilter that is to start on a branch."""

    def start_near(self, q: FloatArray) -> None:
        """Start near a position (n), on its branch.  Raises FilterError for a singular one."""
        self._work['q'][:self._n] = self.mechanism.assemble(self._work['z'][:self._g].copy(), q)
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position of a '
                              'branch')
        if self._turns:
            self._follow()
