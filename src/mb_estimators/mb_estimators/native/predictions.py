"""Predictions of filters in C."""

from collections.abc import Callable
from typing import Any

from mb_estimators.filters.augmented_ekf import Augmented, AugmentedEkf
from mb_estimators.filters.coloured_noise import ColouredNoise
from mb_estimators.filters.dekf_exponential import ExponentialSteps
from mb_estimators.filters.error_ekf_ej import HInfinity
from mb_estimators.filters.estimated_force import ForceFilter
from mb_estimators.filters.hydraulic_ekf import HydraulicEkf
from mb_estimators.filters.hydraulic_filter import HydraulicFilter
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.noise_adaptation import NoiseAdaptation
from mb_estimators.filters.parts import FollowsRolling
from mb_estimators.filters.unscented import UnscentedFilter
from mb_estimators.kernels.adaptation import drift
from mb_estimators.kernels.augmented_steps import predict_augmented
from mb_estimators.kernels.coupled_steps import predict_coupled
from mb_estimators.kernels.covariance import guard
from mb_estimators.kernels.exponential_prediction import predict_exponential
from mb_estimators.kernels.orientations import (
    follow_bodies,
    follow_with_points,
    follow_with_states,
)
from mb_estimators.kernels.rolling import hold_bodies
from mb_estimators.kernels.sensor_states import walk_biases
from mb_estimators.kernels.shaping import colour
from mb_estimators.kernels.start import accelerate
from mb_estimators.kernels.unscented_prediction import predict_unscented, walk_factor
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.methods import (
    Own,
    oil_of,
    or_no_step,
    parameters_of,
    records,
    statements,
    written,
)
from mb_estimators.native.program import DT, Program


def _added(program: Program, own: Own, text: str) -> str:
    """Return a loop over degrees of freedom k, in which forces on them change by a text."""
    return (f'for (int k = 0; k < {own.g}; k++) '
            f'{program.number(own.works, "forces")}[k] {text};')


def _definition(own: Own, name: str) -> Any:
    """Return what defines an attribute of a filter's class."""
    return next(vars(one)[name] for one in type(own.filter).__mro__ if name in vars(one))


def _force(own: Own, program: Program) -> str:
    """Return the statement that lets the estimated force act, too; '' without one."""
    if not isinstance(own.filter, ForceFilter):
        return ''
    return _added(program, own, f'+= {program.number(own.filters, "force")}[k]')


@written(ModelFilter.predict)
def _predict(own: Own, program: Program, _: Any) -> str:
    """Known forces begin to act; a step; biases walk; references follow."""
    lines = [statements(own, program, '_hold')]
    if own.begins_accelerated:
        lines = [f'int anew = 0;\nfor (int k = 0; k < {own.g}; k++)\n  anew |= '
                 f'{program.number(own.works, "forces")}[k] != (inputs ? inputs[k] : 0.0);',
                 f'if (anew) {{\n{statements(own, program, "act")}\n}} else {{', *lines, '}']
    if own.turns and own.follows_late:
        raise NotInCError(f'{type(own.filter).__name__}: orientations as degrees of freedom are '
                          'not there in C')
    lines += [statements(own, program, '_step'),
              statements(own, program, '_walk_biases') if own.biases else '',
              statements(own, program, '_follow') if own.turns else '']
    return '\n'.join(filter(None, lines))


@written(ModelFilter._hold)
def _hold(own: Own, program: Program, _: Any) -> str:
    return (f'for (int k = 0; k < {own.g}; k++)\n'
            f'  {program.number(own.works, "forces")}[k] = inputs ? inputs[k] : 0.0;')


@written(Augmented._hold)
def _hold_augmented(own: Own, program: Program, _: Any) -> str:
    if (own.parameters.estimated['force_of'][0, :len(own.parameters.names)] >= 0).any():
        raise NotInCError('known_forces among the parameters: not there in C')
    return _hold(own, program, _)


@written(HydraulicFilter._hold)
def _hold_valves(own: Own, program: Program, _: Any) -> str:
    commands = program.number(own.fluids, 'U_in')
    return (f'for (int k = 0; k < {len(own.circuit.valves)}; k++)\n'
            f'  {commands}[k] = inputs ? inputs[k] : 0.0;')


@written(ModelFilter.act)
def _act(own: Own, program: Program, _: Any) -> str:
    return (f'{statements(own, program, "_hold")}\n{_force(own, program)}\n'
            f'if (!{program.call(accelerate, *records(own)[:2])}) '
            f'return ended(e, {program.constant}_SINGULAR);')


@written(ModelFilter._step)
def _step(own: Own, program: Program, _: Any) -> str:
    called = program.call(own.predict_kernel, *records(own), DT)
    return or_no_step(program, called)


@written(ForceFilter._step)
def _step_with_force(own: Own, program: Program, rest: Callable[[], str]) -> str:
    return f'{_force(own, program)}\n{rest()}'


@written(FollowsRolling._step)
def _step_rolling(own: Own, program: Program, rest: Callable[[], str]) -> str:
    if not own.mechanism.rolling:
        return rest()
    return f'{rest()}\n' + or_no_step(program, program.call(hold_bodies, *records(own)))


@written(UnscentedFilter._step)
def _step_by_points(own: Own, program: Program, _: Any) -> str:
    called = program.call(predict_unscented, *records(own), own.sigmas,
                          own.tableau, DT)
    return or_no_step(program, called)


@written(ExponentialSteps._step)
def _step_by_exponential(own: Own, program: Program, _: Any) -> str:
    parameters, exponential = own.parameters, own.settings.exponential
    if exponential != 'exact':
        raise NotInCError(f'exponential: {exponential}: expected exact')
    called = program.call(predict_exponential, *records(own), own.exponentials,
                          parameters.records, parameters.estimated, DT)
    return or_no_step(program, called)


@written(AugmentedEkf._step)
def _step_augmented(own: Own, program: Program, _: Any) -> str:
    return or_no_step(program, program.call(predict_augmented, *records(own),
                                        *parameters_of(own), DT))


@written(ColouredNoise._step)
def _step_coloured(own: Own, program: Program, rest: Callable[[], str]) -> str:
    return f'{rest()}\n' + or_no_step(program, program.call(
        colour, *records(own), own.shapings, DT))


@written(NoiseAdaptation._step)
def _step_adapting(own: Own, program: Program, rest: Callable[[], str]) -> str:
    drifts = (f'{program.call(drift, own.works, own.filters, own.adaptives, DT)};\n'
              if own.settings.method == 'sage_husa' else '')
    return f'*{program.number(own.adaptives, "elapsed")} += dt;\n{drifts}{rest()}'


@written(HydraulicEkf._step)
def _step_oil(own: Own, program: Program, _: Any) -> str:
    return or_no_step(program, program.call(
        predict_coupled, *oil_of(own), *parameters_of(own), DT))


@written(HInfinity._step)
def _step_guarded(own: Own, program: Program, rest: Callable[[], str]) -> str:
    settings, guards = own.settings, program.number(own.guards)
    called = program.call(guard, own.filters, own.weights, settings.gamma ** -2,
                          settings.margin)
    return (f'if ({guards}[0] == 1.0) {{\n  {guards}[1] = fmax({guards}[1], pow({called}, -0.5));\n'
            f'  {guards}[0] = 0.0;\n}}\n{rest()}')


@written(ModelFilter._walk_biases)
def _walk_biases(own: Own, program: Program, _: Any) -> str:
    return f'{program.call(walk_biases, own.filters, DT)};'


@written(UnscentedFilter._walk_biases)
def _walk_points(own: Own, program: Program, rest: Callable[[], str]) -> str:
    if not own.square_root:
        return rest()
    return f'{program.call(walk_factor, own.filters, own.sigmas, DT)};'


@written(ModelFilter._follow)
def _follow(own: Own, program: Program, _: Any) -> str:
    orientations = own.orientations
    if vars(ModelFilter)['_follows'] is not _definition(own, '_follows'):
        raise NotInCError(f'{type(own.filter).__name__}: orientations as degrees of freedom are '
                          'not there in C')
    called = program.call(follow_bodies, *records(own), orientations.indices,
                          orientations.changes)
    return f'e->moved = {called};'


@written(HydraulicEkf._follow)
def _follow_with_oil(own: Own, program: Program, _: Any) -> str:
    orientations = own.orientations
    called = program.call(follow_with_states, *records(own), orientations.indices,
                          orientations.changes)
    return (f'e->moved = {called};\nif (e->moved)\n  '
            f'*{program.number(own.hydraulics, "solved", "int64_t")} = 0;')


@written(UnscentedFilter._follow)
def _follow_with_points(own: Own, program: Program, rest: Callable[[], str]) -> str:
    orientations = own.orientations
    called = program.call(follow_with_points, *records(own), own.sigmas,
                          orientations.indices, orientations.changes)
    return f'{rest()}\nif (e->moved) {called};'
