"""Corrections of filters in C."""

from collections.abc import Callable
from typing import Any

from mb_estimators.filters.augmented_ekf import Augmented
from mb_estimators.filters.coloured_noise import ColouredNoise
from mb_estimators.filters.error_ekf_ej import HInfinity
from mb_estimators.filters.error_ekf_fe import IteratedEkf
from mb_estimators.filters.hydraulic_ekf import HydraulicEkf
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.unscented import UnscentedFilter
from mb_estimators.kernels.augmented_steps import correct_augmented
from mb_estimators.kernels.coupled_equations import report_coupled
from mb_estimators.kernels.coupled_steps import correct_coupled
from mb_estimators.kernels.iterated_correction import correct_iterated
from mb_estimators.kernels.shaping import learn_weights
from mb_estimators.kernels.unscented_correction import correct_unscented
from mb_estimators.native.methods import Own, oil_of, parameters_of, statements, written
from mb_estimators.native.program import Program, numbers_at, readings
from mb_sensors.kernel_api import refer_to


@written(ModelFilter.correct)
def _correct(own: Own, program: Program, _: Any) -> str:
    read = readings(len(own.channels))
    q = numbers_at(program.number(own.works, 'q'), *own.work['q'].shape)
    refer = (f'{program.call(refer_to, own.channels, q, read)};'
             if own.reads_rotations else '')
    follow = (statements(own, program, '_follow')
              if own.turns and not own.follows_late else '')
    lines = (refer, statements(own, program, '_correct'),
             'if (status)\n  return refused(e, status);', follow)
    return '\n'.join(filter(None, lines))


@written(ModelFilter._correct)
def _correct_model(own: Own, program: Program, _: Any) -> str:
    return _status(program.call(own.correct_kernel, *_read(own)))


@written(UnscentedFilter._correct)
def _correct_by_points(own: Own, program: Program, _: Any) -> str:
    *records, read = _read(own)
    return _status(program.call(correct_unscented, *records, own.sigmas, read))


@written(IteratedEkf._correct)
def _correct_iterated(own: Own, program: Program, _: Any) -> str:
    *records, read = _read(own)
    return _status(program.call(correct_iterated, *records, own.iterated, read))


@written(Augmented._correct)
def _correct_augmented(own: Own, program: Program, _: Any) -> str:
    *records, read = _read(own)
    return _status(program.call(correct_augmented, *records, *parameters_of(own), read))


@written(ColouredNoise._correct)
def _correct_coloured(own: Own, program: Program, rest: Callable[[], str]) -> str:
    if not own.settings.window > 0:
        return rest()
    learn = program.call(learn_weights, own.filters, own.shapings)
    return (f'{rest()}\nif (!status && *{program.number(own.filters, "count", "int64_t")} > 0)'
            f'\n  {learn};')


@written(HInfinity._correct)
def _correct_guarded(own: Own, program: Program, rest: Callable[[], str]) -> str:
    return (f'{rest()}\nif (*{program.number(own.filters, "count", "int64_t")} > 0)\n'
            f'  {program.number(own.guards)}[0] = 1.0;')


@written(HydraulicEkf._correct)
def _correct_oil(own: Own, program: Program, _: Any) -> str:
    models, works, channels, filters, read = _read(own)
    return _status(program.call(
        correct_coupled, models, works, own.circuits, own.nominals, own.fluids,
        channels, filters, own.hydraulics, own.coupleds, *parameters_of(own), read))


def report(own: Own, program: Program) -> str:
    """Return the statements that bring what is reported to where the states are, '' for none."""
    if not isinstance(own.filter, HydraulicEkf):
        return ''
    called = program.call(report_coupled, *oil_of(own), *parameters_of(own))
    return (f'if (!*{program.number(own.hydraulics, "solved", "int64_t")} && !{called})\n'
            f'  return ended(e, {program.constant}_NO_STEP);')


def _status(call: str) -> str:
    return f'status = {call};'


def _read(own: Own) -> tuple[Any, ...]:
    """Return the arguments of a kernel that corrects."""
    return (own.models, own.works, own.channels, own.filters,
            readings(len(own.channels)))
