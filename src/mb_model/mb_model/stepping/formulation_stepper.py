"""Steps by a formulation and one of its integrators."""

from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.formulation import SERIES, FormulationKind
from mb_model.integration import entry_points
from mb_model.kernels import entry_points as model_entry_points
from mb_model.reactions.reactions import Reactions
from mb_model.stepping.integrators import renewal_of, stepping_of
from mb_model.stepping.stepper import Stepper


class FormulationStepper(Stepper):
    """A Stepper by a FormulationKind."""

    def __init__(self, mechanism: CompiledMechanism, formulation: FormulationKind,
                 integrator: str | None = None, **settings: Any) -> None:
        """Raises ValueError for an unknown integrator, SettingError for a setting."""
        integrator = integrator or formulation.integrators[0]
        if integrator not in formulation.integrators:
            raise ValueError(f'integrator: {integrator}: unknown with this formulation, expected '
                             f'one of {", ".join(formulation.integrators)}')
        if integrator in SERIES and mechanism.described.prescribed:
            raise ValueError(f'integrator: {integrator}: not with prescribed coordinates: it takes '
                             'the equations as constant during a step')
        model, self.plan = (formulation.prepare(mechanism) if formulation.prepare
                            else (mechanism.model, None))
        super().__init__(mechanism, model, formulation, integrator, **settings)

    def refresh(self) -> None:
        """Make qd, zdd, qdd and the multipliers consistent with q, z, zd and forces."""
        enter = self.formulation.enter
        if enter is None:
            super().refresh()
            return
        self._require(model_entry_points.solve_velocity(self.model, self.work))
        enter(self.mechanism, self.plan, self.model, self.work)
        self._require(entry_points.start(self.model, self.work, self.number))

    @property
    def multipliers(self) -> Any:
        """The Lagrange multipliers (m) of the present state: M qdd + phi_q^T lam = Q.

        Of a formulation in joint coordinates: those of its loops, by what closes them.
        """
        return super().multipliers if self.formulation.reactions is None else (
            self.reactions().multipliers)

    def reactions(self) -> Reactions:
        """Return the Reactions in the present state.  Raises SingularPositionError."""
        if self.formulation.reactions is None:
            return super().reactions()
        return self.formulation.reactions(self.mechanism, self.plan, self.model, self._balanced())

    def _bind(self):
        super()._bind()
        self._renewal = renewal_of(self.formulation)
        self._stepping = stepping_of(self.formulation, self.integrator)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items()
                if name not in ('_renewal', '_stepping')}

    def _renew(self):
        function, last = self._renewal
        return function(self.model, self.work, *last)

    def _advance(self, dt):
        function, last = self._stepping
        return function(self.model, self.work, dt, *last)
