"""Filters in C whose states are accelerations, or that move them: steps, corrections, forces."""

from collections.abc import Callable
from typing import Any

from mb_estimators.filters.acceleration_points import AccelerationPointFilter
from mb_estimators.filters.hydraulic_kinematic_ekf import HydraulicKinematicEkf
from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.kinematic_kf import KinematicKf
from mb_estimators.filters.platform_ekf import PlatformEkf
from mb_estimators.filters.whole_accelerations import WholeAccelerations
from mb_estimators.kernels.acceleration_points import correct_accelerations, predict_accelerations
from mb_estimators.kernels.hydraulic_kinematics import correct_hydraulic, predict_hydraulic
from mb_estimators.kernels.kinematic_correction import correct_kinematic
from mb_estimators.kernels.kinematic_prediction import predict_kinematic
from mb_estimators.kernels.motion_correction import correct_motion
from mb_estimators.kernels.motion_points import correct_motion_by_points
from mb_estimators.kernels.motion_prediction import predict_motion
from mb_estimators.kernels.start import accelerate, accelerate_by_mean
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.methods import (
    Own,
    corrected,
    or_no_step,
    records,
    statements,
    status_of,
    written,
)
from mb_estimators.native.program import DT, Program, numbers_at


@written(AccelerationPointFilter._step)
def _step_points(own: Own, program: Program, _: Any) -> str:
    return or_no_step(program, program.call(
        predict_accelerations, *records(own), own.sigmas,
        own.settings.integrator == 'rk2', DT))


@written(AccelerationPointFilter._correct)
def _correct_points(own: Own, program: Program, _: Any) -> str:
    *with_records, read = corrected(own)
    return status_of(program.call(correct_accelerations, *with_records, own.sigmas, read))


@written(AccelerationPointFilter.act)
def _act_on_points(own: Own, program: Program, rest: Callable[[], str]) -> str:
    """Accelerations change by what the model's do: of its begin the step keeps the mean."""
    g, now = own.g, program.number(own.works, 'zdd')
    states, begin = (program.number(own.sigmas, field) for field in ('zdd', 'begin_zdd'))
    mean = program.call(accelerate_by_mean, own.models, own.works, numbers_at('states', g))
    return f"""double states[{g}], before[{g}];
memcpy(states, {states}, sizeof states);
{program.call(accelerate, own.models, own.works)};
memcpy(before, {now}, sizeof before);
{rest()}
for (int k = 0; k < {g}; k++) {{
  const double change = {now}[k] - before[k];
  {states}[k] += change;
  {begin}[k] -= change;
  states[k] += change;
}}
{mean};"""


@written(KinematicFilter.act)
def _act_on_motion(own: Own, program: Program, _: Any) -> str:
    return ''


@written(WholeAccelerations._step)
def _step_whole(own: Own, program: Program, _: Any) -> str:
    return or_no_step(program, statements(own, program, '_move'))


@written(WholeAccelerations._correct)
def _correct_whole(own: Own, program: Program, _: Any) -> str:
    return status_of(statements(own, program, '_take_in'))


@written(HydraulicKinematicEkf._move)
def _move_with_oil(own: Own, program: Program, _: Any) -> str:
    return program.call(predict_hydraulic, own.models, own.works, own.circuits, own.fluids,
                        own.filters, own.hydraulics, DT)


@written(HydraulicKinematicEkf._take_in)
def _take_in_with_oil(own: Own, program: Program, _: Any) -> str:
    models, works, channels, filters, read = corrected(own)
    return program.call(correct_hydraulic, models, works, own.circuits, own.fluids, channels,
                        filters, own.hydraulics, read)


@written(KinematicFilter._move)
def _move(own: Own, program: Program, _: Any) -> str:
    if isinstance(own.filter, PlatformEkf):
        return program.call(predict_motion, own.filters, own.g, DT)
    if isinstance(own.filter, KinematicKf):
        return program.call(
            predict_kinematic, own.models, own.works, own.channels, own.filters,
            own.disturbances, own.stages, own.inputs_below, DT)
    raise NotInCError(f'{type(own.filter).__name__}: its steps are not there in C')


@written(KinematicFilter._take_in)
def _take_in(own: Own, program: Program, _: Any) -> str:
    *with_records, read = corrected(own)
    if isinstance(own.filter, KinematicKf):
        models, works, channels, filters = with_records
        return program.call(correct_kinematic, models, works, own.reported, channels, filters,
                            own.kinematics, own.disturbances, read)
    if own.settings.correction == 'sigma_points':
        return program.call(correct_motion_by_points, *with_records, own.sigmas, read)
    return program.call(correct_motion, *with_records, own.kinematics, read)
