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
from mb_estimators.native.methods import oil_of, parameters_of, statements, written
from mb_estimators.native.program import Program, numbers_at, readings
from mb_sensors.kernel_api import refer_to


@written(ModelFilter.correct)
def _correct(filter_: Any, program: Program, _: Any) -> str:
    read = readings(len(filter_._channels))
    q = numbers_at(program.number(filter_._works, 'q'), *filter_._work['q'].shape)
    refer = (f'{program.call(refer_to, filter_._channels, q, read)};'
             if filter_._reads_rotations else '')
    follow = (statements(filter_, program, '_follow')
              if filter_._turns and not filter_._follows_late else '')
    lines = (refer, statements(filter_, program, '_correct'),
             'if (status)\n  return refused(e, status);', follow)
    return '\n'.join(filter(None, lines))


@written(ModelFilter._correct)
def _correct_model(filter_: Any, program: Program, _: Any) -> str:
    return _status(program.call(filter_._correct_kernel, *_read(filter_)))


@written(UnscentedFilter._correct)
def _correct_by_points(filter_: Any, program: Program, _: Any) -> str:
    *records, read = _read(filter_)
    return _status(program.call(correct_unscented, *records, filter_._sigmas, read))


@written(IteratedEkf._correct)
def _correct_iterated(filter_: Any, program: Program, _: Any) -> str:
    *records, read = _read(filter_)
    return _status(program.call(correct_iterated, *records, filter_._iterated, read))


@written(Augmented._correct)
def _correct_augmented(filter_: Any, program: Program, _: Any) -> str:
    *records, read = _read(filter_)
    return _status(program.call(correct_augmented, *records, *parameters_of(filter_), read))


@written(ColouredNoise._correct)
def _correct_coloured(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    if not filter_.settings.window > 0:
        return rest()
    learn = program.call(learn_weights, filter_._filters, filter_._shapings)
    return (f'{rest()}\nif (!status && *{program.number(filter_._filters, "count", "int64_t")} > 0)'
            f'\n  {learn};')


@written(HInfinity._correct)
def _correct_guarded(filter_: Any, program: Program, rest: Callable[[], str]) -> str:
    return (f'{rest()}\nif (*{program.number(filter_._filters, "count", "int64_t")} > 0)\n'
            f'  {program.number(filter_._guards)}[0] = 1.0;')


@written(HydraulicEkf._correct)
def _correct_oil(filter_: Any, program: Program, _: Any) -> str:
    models, works, channels, filters, read = _read(filter_)
    return _status(program.call(
        correct_coupled, models, works, filter_._circuits, filter_._nominals, filter_._fluids,
        channels, filters, filter_._hydraulics, filter_._coupleds, *parameters_of(filter_), read))


def report(filter_: Any, program: Program) -> str:
    """Return the statements that bring what is reported to where the states are, '' for none."""
    if not isinstance(filter_, HydraulicEkf):
        return ''
    called = program.call(report_coupled, *oil_of(filter_), *parameters_of(filter_))
    return (f'if (!*{program.number(filter_._hydraulics, "solved", "int64_t")} && !{called})\n'
            f'  return ended(e, {program.constant}_NO_STEP);')


def _status(call: str) -> str:
    return f'status = {call};'


def _read(filter_: Any) -> tuple[Any, ...]:
    """Return the arguments of a kernel that corrects."""
    return (filter_._models, filter_._works, filter_._channels, filter_._filters,
            readings(len(filter_._channels)))
