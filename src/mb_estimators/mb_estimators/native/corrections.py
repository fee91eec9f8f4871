"""Corrections of filters in C."""

from collections.abc import Callable
from typing import Any

from mb_estimators.filters.augmented_ekf import Augmented
from mb_estimators.filters.coloured_noise import ColouredNoise
from mb_estimators.filters.error_ekf_ej import HInfinity
from mb_estimators.filters.error_ekf_fe import IteratedEkf
from mb_estimators.filters.hydraulic_ekf import HydraulicEkf
from mb_estimators.filters.hydraulic_kinematic_ekf import HydraulicKinematicEkf
from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.noise_adaptation import NoiseAdaptation
from mb_estimators.filters.unscented import UnscentedFilter
from mb_estimators.kernels.adaptation import (
    adapt_maximum_likelihood,
    adapt_sage_husa,
    correct_variational_bayes,
)
from mb_estimators.kernels.augmented_steps import correct_augmented
from mb_estimators.kernels.coupled_equations import report_coupled
from mb_estimators.kernels.coupled_steps import correct_coupled
from mb_estimators.kernels.hydraulic_kinematics import settle_and_report
from mb_estimators.kernels.iterated_correction import correct_iterated
from mb_estimators.kernels.motion_observation import report_motion
from mb_estimators.kernels.shaping import learn_weights
from mb_estimators.kernels.unscented_correction import correct_unscented
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.methods import (
    Own,
    corrected,
    oil_of,
    or_no_step,
    parameters_of,
    statements,
    status_of,
    written,
)
from mb_estimators.native.program import Program, numbers_at, readings
from mb_sensors.kernel_api import refer_to


@written(ModelFilter.correct)
def _correct(own: Own, program: Program, _: Any) -> str:
    read = readings(len(own.channels))
    q = numbers_at(program.number(own.works, 'q'), *own.work['q'].shape)
    refer = (f'{program.call(refer_to, own.channels, q, read)};'
             if own.reads_rotations else '')
    follow = statements(own, program, '_follow') if own.turns else ''
    lines = (refer, statements(own, program, '_correct'),
             'if (status)\n  return refused(e, status);', follow)
    return '\n'.join(filter(None, lines))


@written(ModelFilter._correct)
def _correct_model(own: Own, program: Program, _: Any) -> str:
    return status_of(program.call(own.correct_kernel, *corrected(own)))


@written(UnscentedFilter._correct)
def _correct_by_points(own: Own, program: Program, _: Any) -> str:
    *records, read = corrected(own)
    return status_of(program.call(correct_unscented, *records, own.sigmas, read))


@written(IteratedEkf._correct)
def _correct_iterated(own: Own, program: Program, _: Any) -> str:
    *records, read = corrected(own)
    return status_of(program.call(correct_iterated, *records, own.iterated, read))


@written(Augmented._correct)
def _correct_augmented(own: Own, program: Program, _: Any) -> str:
    *records, read = corrected(own)
    return status_of(program.call(correct_augmented, *records, *parameters_of(own), read))


def _after_readings(own: Own, program: Program, call: str) -> str:
    """Return the statement of a call after a correction that has used readings."""
    return (f'if (!status && *{program.number(own.filters, "count", "int64_t")} > 0)\n'
            f'  {call};')


@written(ColouredNoise._correct)
def _correct_coloured(own: Own, program: Program, rest: Callable[[], str]) -> str:
    if not own.settings.window > 0:
        return rest()
    learn = program.call(learn_weights, own.filters, own.shapings)
    return f'{rest()}\n{_after_readings(own, program, learn)}'


@written(HInfinity._correct)
def _correct_guarded(own: Own, program: Program, rest: Callable[[], str]) -> str:
    return (f'{rest()}\nif (*{program.number(own.filters, "count", "int64_t")} > 0)\n'
            f'  {program.number(own.guards)}[0] = 1.0;')


@written(NoiseAdaptation._correct)
def _correct_adapting(own: Own, program: Program, rest: Callable[[], str]) -> str:
    method = own.settings.method
    *with_records, read = corrected(own)
    if method == 'variational_bayes':
        return status_of(program.call(correct_variational_bayes, *with_records, own.adaptives,
                                      read))
    if own.centred:
        raise NotInCError('centred_sensors: not there in C')
    adapt = (program.call(adapt_sage_husa, own.filters, own.adaptives) if method == 'sage_husa'
             else program.call(adapt_maximum_likelihood, own.filters, own.adaptives, own.plant,
                               own.readings, method == 'covariance_matching'))
    return f'{rest()}\n{_after_readings(own, program, adapt)}'


@written(HydraulicEkf._correct)
def _correct_oil(own: Own, program: Program, _: Any) -> str:
    models, works, channels, filters, read = corrected(own)
    return status_of(program.call(
        correct_coupled, models, works, own.circuits, own.nominals, own.fluids,
        channels, filters, own.hydraulics, own.coupleds, *parameters_of(own), read))


def report(own: Own, program: Program) -> str:
    """Return the statements that bring what is reported to where the states are, '' for none."""
    if isinstance(own.filter, KinematicFilter):
        return or_no_step(program, program.call(
            report_motion, own.models, own.works, own.reported, own.filters))
    if isinstance(own.filter, HydraulicKinematicEkf):
        called = program.call(settle_and_report, own.models, own.works, own.circuits, own.fluids,
                              own.filters, own.hydraulics)
    elif isinstance(own.filter, HydraulicEkf):
        called = program.call(report_coupled, *oil_of(own), *parameters_of(own))
    else:
        return ''
    return (f'if (!*{program.number(own.hydraulics, "solved", "int64_t")} && !{called})\n'
            f'  return ended(e, {program.constant}_NO_STEP);')
