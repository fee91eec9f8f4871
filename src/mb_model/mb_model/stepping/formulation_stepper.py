"""Steps by a formulation and one of its integrators, and steppers by the names of both."""

from dataclasses import fields
from typing import Any, cast

from mb_model import integration
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.formulation import SERIES, FormulationKind, Integrates
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.integration.registry import FORMULATIONS, number_of
from mb_model.kernels import entry_points
from mb_model.reactions.reactions import Reactions
from mb_model.reactions.spatial import SpatialReactions
from mb_model.stepping.stepper import Stepper

# A function (models, works, ..., *last arguments) that returns whether it could, and these.
Action = tuple[Any, tuple[Any, ...]]


def stepping_of(formulation: FormulationKind, integrator: str) -> Action:
    """Return what makes a step, a function of (models, works, dt, ...)."""
    if formulation.steps:
        return formulation.steps[integrator](), ()
    number = int(number_of(formulation))
    if integrator in TABLEAUX:
        return integration.step_explicit, (number, TABLEAUX[integrator])
    if integrator in SERIES:
        return integration.step_exponential_series, (number, SERIES[integrator])
    if integrator == 'exponential':
        return integration.step_exponential, (number,)
    if formulation.integrates == Integrates.INDEPENDENT:
        return integration.step_trapezoidal, (number,)
    return integration.step_trapezoidal_iteration, (number,)


def renewal_of(formulation: FormulationKind) -> Action:
    """Return what finds the accelerations under new forces, a function of (models, works, ...)."""
    if formulation.renewal is not None:
        return formulation.renewal(), ()
    return integration.renew, (int(number_of(formulation)),)


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
        self.plan: Any
        model, self.plan = (formulation.prepare(mechanism) if formulation.prepare
                            else (mechanism.model, None))
        super().__init__(mechanism, model, formulation, integrator, **settings)

    def refresh(self) -> None:
        """Make qd, zdd, qdd and the multipliers consistent with q, z, zd and forces."""
        enter = self.formulation.enter
        if enter is None:
            super().refresh()
            return
        self._require(entry_points.solve_velocity(self.model, self.work))
        enter(self.mechanism, self.plan, self.model, self.work)
        self._require(integration.start(self.model, self.work, self.number))

    @property
    def multipliers(self) -> Any:
        """The Lagrange multipliers (m) of the present state: M qdd + phi_q^T lam = Q.

        Of a formulation in joint coordinates: of its loops, by what closes them.
        """
        return super().multipliers if self.formulation.reactions is None else (
            self.reactions().multipliers)

    def reactions(self) -> Reactions | SpatialReactions:
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


def usual_formulation(mechanism: CompiledMechanism) -> str:
    """Return the name of the formulation for who names none: index3_al, if bodies roll matrix_r."""
    return next(name for name in ('index3_al', 'matrix_r')
                if FORMULATIONS[name].serves(mechanism))


def why_usual(mechanism: CompiledMechanism) -> str:
    """Return in words why usual_formulation is the one it is."""
    return f'as bodies roll: joints.{", joints.".join(rolling)}' if (
        rolling := mechanism.rolling) else 'the default'


def make_stepper(mechanism: CompiledMechanism, formulation: str | None = None,
                 integrator: str | None = None, **settings: Any) -> Stepper:
    """Return a Stepper at the mechanism's start.

    formulation: default usual_formulation; integrator: one of
    FORMULATIONS[formulation].integrators, default the first; settings: fields of
    FORMULATIONS[formulation].Settings.  Raises ValueError for unknown names and values, and for
    formulations that are not for large mechanisms, or not for bodies that roll.
    """
    formulation = usual_formulation(mechanism) if formulation is None else formulation
    if formulation not in FORMULATIONS:
        raise ValueError(f'formulation: {formulation}: unknown, expected one of '
                         f'{", ".join(FORMULATIONS)}')
    if not FORMULATIONS[formulation].serves(mechanism):
        able = [name for name, kind in FORMULATIONS.items() if kind.serves(mechanism)]
        such = (f'mechanisms with bodies that roll, such as {mechanism.file}'
                if mechanism.model['rolls'][0]
                else f'large mechanisms such as {mechanism.file} (sparse storage)')
        raise ValueError(f'formulation: {formulation}: not for {such}, expected one of '
                         f'{", ".join(able)}')
    return FormulationStepper(mechanism, FORMULATIONS[formulation], integrator, **settings)


def formulations_table() -> list[str]:
    """Return lines of Markdown: every formulation, what it integrates, what can be set."""
    return ['| formulation | integrates | integrators | settings |', '| --- | --- | --- | --- |',
            *map(_row, FORMULATIONS.values())]


def _row(kind: FormulationKind) -> str:
    if kind.steps:
        integrators = ', '.join(f'`{name}`' for name in kind.steps)
    else:
        integrators = ('all' if kind.integrates == Integrates.INDEPENDENT
                       else 'all but `exponential...`')
    settings = ', '.join(f'`{one.name}`' for one in fields(cast(Any, kind.Settings)))
    return (f'| `{kind.name}`: {kind.description} | {kind.integrates.words} | {integrators} | '
            f'{settings} |')
