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
from mb_estimators.filters.parts import FollowsRolling
from mb_estimators.filters.unscented import UnscentedFilter
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
from mb_estimators.native.methods import (
    NotInCError,
    oil_of,
    or_no_step,
    parameters_of,
    records,
    statements,
    written,
)
from mb_estimators.native.program import DT, Program


def _added(program: Program, filter_: Any, text: str) -> str:
    """Return a loop over degrees of freedom k, in which forces on them change by a text."""
    return (f'for (int k = 0; k < {filter_._g}; k++) '
            f'{program.number(filter_._works, "forces")}[k] {text};')


def _force(filter_: Any, program: Program) -> str:
    """Return the statement that adds the estimated force to those that act; '' without one."""
    if not isinstance(filter_, ForceFilter):
        return ''
    return _added(program, filter_, f'+= {program.number(filter_._filters, "force")}[k]')


@written(ModelFilter.predict)
def _predict(filter_: Any, program: Program, _: Any) -> str:
    """Known forces begin to act; a step; biases walk; references follow."""
    lines = [statements(filter_, program, '_hold')]
    if filter_._begins_accelerated:
        lines.append(f'if (anew) {{\n{statements(filter_, program, "act")}\n}}')
    follow = statements(filter_, program, '_follow') if filter_._turns else ''
    lines += [follow if filter_._follows_late else '', statements(filter_, program, '_step'),
              statements(filter_, program, '_walk_biases') if filter_._biases else '',
              '' if filter_._follows_late else follow]
    return '\n'.join(filter(None, lines))


@written(ModelFilter._hold)
def _hold(filter_: Any, program: Program, _: Any) -> str:
    acting = program.number(filter_._works, 'forces')
    if not filter_._begins_accelerated:
        return (f'for (int k = 0; k < {filter_._g}; k++)\n'
                f'  {acting}[k] = inputs ? inputs[k] : 0.0;')
    return (f'int anew = 0;\nfor (int k = 0; k < {filter_._g}; k++) {{\n'
            '  const double force = inputs ? inputs[k] : 0.0;\n'
            f'  anew |= {acting}[k] != force;\n  {acting}[k] = force;\n}}')


@written(Augmented._hold)
def _hold_augmented(filter_: Any, program: Program, _: Any) -> str:
    if (filter_._parameters.estimated['force_of'][0, :len(filter_._parameters.names)] >= 0).any():
        raise NotInCError('known_forces among the parameters: not there in C')
    return _hold(filter_, program, _)


@written(HydraulicFilter._hold)
def _hold_valves(filter_: Any, program: Program, _: Any) -> str:
    commands = program.number(filter_._fluids, 'U_in')
    return (f'for (int k = 0; k < {len(filter_._circuit.valves)}; k++)\n'
            f'  {commands}[k] = inputs ? inputs[k] : 0.0;')


@written(ModelFilter.act)
def _act(filter_: Any, program: Program, _: Any) -> str:
    return (f'{_force(filter_, program)}\nif (!{program.call(accelerate, *records(filter_)[:2])}) '
            f'return ended(e, {program.constant}_SINGULAR);')


@written(ModelFilter._step)
def _step(filter_: Any, program: Program, _: Any) -> str:
    called = program.call(filter_._predict_kernel, *records(filter_), DT)
    return or_no_step(program, called)


@written(ForceFilter._step)
def _step_with_force(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    return f'{_force(filter_, program)}\n{rest()}'


@written(FollowsRolling._step)
def _step_rolling(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    if not filter_.mechanism.rolling:
        return rest()
    return f'{rest()}\n' + or_no_step(program, program.call(hold_bodies, *records(filter_)))


@written(UnscentedFilter._step)
def _step_by_points(filter_: Any, program: Program, _: Any) -> str:
    called = program.call(predict_unscented, *records(filter_), filter_._sigmas,
                          filter_._tableau, DT)
    return or_no_step(program, called)


@written(ExponentialSteps._step)
def _step_by_exponential(filter_: Any, program: Program, _: Any) -> str:
    parameters, exponential = filter_._parameters, filter_.settings.exponential
    if exponential != 'exact':
        raise NotInCError(f'exponential: {exponential}: expected exact')
    called = program.call(predict_exponential, *records(filter_), filter_._exponentials,
                          parameters.records, parameters.estimated, DT)
    return or_no_step(program, called)


@written(AugmentedEkf._step)
def _step_augmented(filter_: Any, program: Program, _: Any) -> str:
    return or_no_step(program, program.call(predict_augmented, *records(filter_),
                                        *parameters_of(filter_), DT))


@written(ColouredNoise._step)
def _step_coloured(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    return f'{rest()}\n' + or_no_step(program, program.call(
        colour, *records(filter_), filter_._shapings, DT))


@written(HydraulicEkf._step)
def _step_oil(filter_: Any, program: Program, _: Any) -> str:
    return or_no_step(program, program.call(
        predict_coupled, *oil_of(filter_), *parameters_of(filter_), DT))


@written(HInfinity._step)
def _step_guarded(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    settings, guards = filter_.settings, program.number(filter_._guards)
    called = program.call(guard, filter_._filters, filter_._weights, settings.gamma ** -2,
                          settings.margin)
    return (f'if ({guards}[0] == 1.0) {{\n  {guards}[1] = fmax({guards}[1], pow({called}, -0.5));\n'
            f'  {guards}[0] = 0.0;\n}}\n{rest()}')


@written(ModelFilter._walk_biases)
def _walk(filter_: Any, program: Program, _: Any) -> str:
    return f'{program.call(walk_biases, filter_._filters, DT)};'


@written(UnscentedFilter._walk_biases)
def _walk_points(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    if not filter_._square_root:
        return rest()
    return f'{program.call(walk_factor, filter_._filters, filter_._sigmas, DT)};'


@written(ModelFilter._follow)
def _follow(filter_: Any, program: Program, _: Any) -> str:
    orientations = filter_._orientations
    called = program.call(follow_bodies, *records(filter_), orientations.indices,
                          orientations.changes)
    return f'e->moved = {called};'


@written(HydraulicEkf._follow)
def _follow_with_oil(filter_: Any, program: Program, _: Any) -> str:
    orientations = filter_._orientations
    called = program.call(follow_with_states, *records(filter_), orientations.indices,
                          orientations.changes)
    return (f'e->moved = {called};\nif (e->moved)\n  '
            f'*{program.number(filter_._hydraulics, "solved", "int64_t")} = 0;')


@written(UnscentedFilter._follow)
def _follow_with_points(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    orientations = filter_._orientations
    called = program.call(follow_with_points, *records(filter_), filter_._sigmas,
                          orientations.indices, orientations.changes)
    return f'{rest()}\nif (e->moved) {called};'
