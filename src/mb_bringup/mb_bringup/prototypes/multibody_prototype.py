"""The prototype as a multibody simulation of the same library: the truth has no foreign error."""

from mb_bringup.prototypes.prototype import State
from mb_model.formulations import make_stepper
from mb_model.simulation.stream import equal_steps


class MultibodyPrototype:
    """A mechanism in mb_model's index-3 augmented Lagrangian formulation; a Prototype."""

    def __init__(self, mechanism, interval, step):
        """Start at the mechanism's start; interval of advance() and longest step in seconds."""
        self._mechanism = mechanism
        self._steps = equal_steps(interval, step)
        self._step = interval / self._steps
        self._stepper = make_stepper(mechanism)
        self.advance()          # compiles, if need be, before time begins to run
        self._stepper.reset()

    def advance(self):
        """Move on by one interval."""
        for _ in range(self._steps):
            self._stepper.step(self._step)

    @property
    def state(self):
        """The present state."""
        stepper = self._stepper
        return State(*(values.copy() for values in (
            stepper.z, stepper.zd, stepper.zdd, stepper.q, stepper.qd, stepper.qdd)))

    @property
    def loop_residual(self):
        """The largest violation of a constraint [m]."""
        return self._mechanism.closing_error(self._stepper.q)
