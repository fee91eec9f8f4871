"""Continuous filters, and filters in dependent coordinates, in C."""

from typing import Any

from mb_estimators.filters.cekf import Cekf
from mb_estimators.filters.cekf_penalty import CekfPenalty
from mb_estimators.filters.dependent import DependentFilter
from mb_estimators.kernels.continuous import correct_continuous, predict_continuous
from mb_estimators.kernels.dependent_prediction import PREDICTED, predict_dependent
from mb_estimators.kernels.penalty_correction import correct_penalty
from mb_estimators.kernels.penalty_prediction import predict_penalty
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.methods import (
    Own,
    corrected,
    or_no_step,
    records,
    status_of,
    written,
)
from mb_estimators.native.program import DT, Program


def _require_own(own: Own) -> None:
    """Raise NotInCError for the filters of the paper, to the letter."""
    if own.settings.as_published:
        raise NotInCError(f'{type(own.filter).__name__}: as_published is not there in C')


@written(Cekf._step)
def _step_continuous(own: Own, program: Program, _: Any) -> str:
    _require_own(own)
    return or_no_step(program, program.call(
        predict_continuous, *records(own), own.settings.jacobian == 'approximate', DT))


@written(Cekf._walk_biases)
def _walk_continuous(own: Own, program: Program, rest: Any) -> str:
    return rest()


@written(Cekf._correct)
def _correct_continuous(own: Own, program: Program, _: Any) -> str:
    *with_records, read = corrected(own)
    return status_of(program.call(
        correct_continuous, *with_records, own.steps, own.plain, read))


@written(DependentFilter._step)
def _step_dependent(own: Own, program: Program, _: Any) -> str:
    called = program.call(predict_dependent, *records(own), DT)
    return or_no_step(program, f'({called} == {int(PREDICTED)})')


@written(DependentFilter._walk_biases)
def _walk_dependent(own: Own, program: Program, _: Any) -> str:
    return ''


@written(CekfPenalty._step)
def _step_penalty(own: Own, program: Program, _: Any) -> str:
    _require_own(own)
    return or_no_step(program, program.call(
        predict_penalty, *records(own), own.steps, own.settings.jacobian == 'approximate', DT))


@written(CekfPenalty._correct)
def _correct_penalty(own: Own, program: Program, _: Any) -> str:
    *with_records, read = corrected(own)
    return status_of(program.call(correct_penalty, *with_records, own.steps, read))
