"""Known forces on the degrees of freedom of a filter: over a step, and at an instant."""

from mb_estimators.filter import DivergenceError
from mb_estimators.kernels.accelerate import accelerate


class KnownForces:
    """Of a ModelFilter: forces (g) that act beside the forces of the model; None: none.

    Commands hold over steps, measured forces act on steps by their means.  At a stamp the
    accelerations are as the forces of then make them, see filter.Acting.
    """

    _begins_accelerated = False     # a step begins with the accelerations that it finds

    def _hold(self, inputs):
        """Let known forces act on z from now on."""
        self._forces_on_z[:] = 0.0 if inputs is None else inputs

    def _begin_under(self, inputs):
        """Let known forces act on the next step, from its begin on."""
        if not self._begins_accelerated:
            self._hold(inputs)
        elif (self._forces_on_z != (0.0 if inputs is None else inputs)).any():
            self.act(inputs)

    def act(self, inputs):
        """Let known forces act where the state is.

        Raises DivergenceError where the mechanism has no accelerations.
        """
        self._hold(inputs)
        self._add_estimated()
        if not self._accelerate():
            raise DivergenceError('the mechanism is in a singular position')

    def _add_estimated(self):
        """Add estimated forces to the known ones."""

    def _accelerate(self):
        """Let accelerations be as the forces make them; return whether the model has any."""
        return accelerate(self._models, self._works)
