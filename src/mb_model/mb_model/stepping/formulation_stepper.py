"""Steps by a formulation and one of its integrators."""

from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.formulation import SERIES, FormulationKind, Integrates
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.integration import entry_points
from mb_model.integration.registry import number_of
from mb_model.kernels import entry_points as model_entry_points
from mb_model.reactions.reactions import Reactions
from mb_model.stepping.stepper import Stepper

# A function (models, works, ..., *last arguments) that returns whether it could, and these.
Action = tuple[Any, tuple[Any, ...]]


def stepping_of(formulation: FormulationKind, integrator: str) -> Action:
    """Return what makes a step, a function of (models, works, dt, ...)."""
    if formulation.steps:
        return formulation.steps[integrator](), ()
    number = int(number_of(formulation))
    if integrator in TABLEAUX:
        return entry_points.step_explicit, (number, TABLEAUX[integrator])
    if integrator in SERIES:
        return entry_points.step_exponential_series, (number, SERIES[integrator])
    if integrator == 'exponential':
        return entry_points.step_exponential, (number,)
    if formulation.integrates == Integrates.INDEPENDENT:
        return entry_points.step_trapezoidal, (number,)
    return entry_points.step_trapezoidal_iteration, (number,)


def renewal_of(formulation: FormulationKind) -> Action:
    """Return what finds the accelerations under new forces, a function of (models, works, ...)."""
    if formulation.renewal is not None:
        return formulation.renewal(), ()
    return entry_points.renew, (int(number_of(formulation)),)


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
