"""A mechanism and its oil in motion together."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mb_model.circuit.kernels import entry_points
from mb_model.compilation.parameters import parameter_records
from mb_model.hydraulics.fluid_stepper import HALVINGS, OilState
from mb_model.integration.registry import FORMULATIONS
from mb_model.stepping.stepper import Stepper

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


class HydraulicStepper(OilState, Stepper):
    """A Stepper whose cylinders push; of second order, stable however stiff the oil.

    coordinate_forces of the cylinders' coordinates are theirs: forces from outside go elsewhere.
    """

    def __init__(self, mechanism: 'Mechanism') -> None:
        """Start at the mechanism's start; raises ValueError if it has no hydraulics."""
        circuit = mechanism.circuit
        if circuit is None:
            raise ValueError(f'{mechanism.file}: has no hydraulics')
        self.circuit, self.fluid = circuit, circuit.new_fluid()
        self._records: dict[str, Any] = {}
        # Parameters of the model may be set.
        super().__init__(mechanism, mechanism.model.copy(), FORMULATIONS['matrix_r'], 'rosenbrock')

    def _bind(self):
        super()._bind()
        self.bind_oil()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items()
                if name not in self.VIEWS}

    def twin(self) -> Self:
        """Return another Stepper with the same model in the same state."""
        other = super().twin()
        other.fluid = self.fluid.copy()
        other._bind()
        return other

    def reset(self, z: ArrayLike | None = None, zd: ArrayLike | None = None,
              near: ArrayLike | None = None, t: float = 0.0, p: ArrayLike | None = None,
              U: ArrayLike | None = None) -> None:
        """Start at z, zd, p, U, default: as in the file; the spools stay.

        near: coordinates (n) to start the position problem from.  Raises MechanismError.
        """
        self.reset_oil(p, U)
        super().reset(z, zd, near, t)

    def set_parameter(self, name: str, value: float) -> None:
        """Give a parameter, such as the mass of a load, another value from now on.

        name: as for Mechanism.parameter_records; positions and velocities stay.  Raises
        MechanismError for an unknown one, ValueError for a value that is not finite.
        """
        if not np.isfinite(value):
            raise ValueError(f'{name}: {value} must be finite')
        if name not in self._records:
            self._records[name] = parameter_records(self.mechanism, [name])
        entry_points.set_parameter(self.model, self.work, self._records[name], value)
        self.refresh()

    def refresh(self) -> None:
        """Make q, qd, zdd, qdd and the forces consistent with z, zd, p and forces from outside."""
        self._require(entry_points.evaluate(self.model, self.work, self.circuit.record,
                                                    self.fluid))

    def _renew(self):
        return True      # the step does it

    def _advance(self, dt):
        if self._step(dt):
            return True
        before = self.work.copy(), self.fluid.copy()
        for halvings in range(1, HALVINGS + 1):
            if all(self._step(dt / 2 ** halvings) for _ in range(2 ** halvings)):
                return True
            self.work[:], self.fluid[:] = before
        return False

    def _step(self, h):
        return entry_points.step(self.model, self.work, self.circuit.record, self.fluid, h)
