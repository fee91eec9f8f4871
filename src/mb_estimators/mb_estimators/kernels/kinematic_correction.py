"""Correction of a kinematic filter, and what it keeps of it: inputs of the next step, forces."""


from mb_estimators.kernels.correction import CORRECTED, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.disturbance import observe_disturbance
from mb_estimators.kernels.motion_correction import correct_motion
from mb_estimators.kernels.motion_state import report_motion
from mb_model.jit import entry, kernel
from mb_model.kernel_api import reduce_dynamics
from mb_sensors.kernel_api import reads_accelerations


@entry
def correct_kinematic(models, works, reported, channels, filters, kinematics, disturbances,
                      readings):
    """Correct z, zd, zdd (and the jerk) and f.P by readings (NaN where there is none).

    What accelerometers read is also kept as input of the next step, see predict_kinematic.  Then
    the second stage: forces from inverse dynamics, in the workspace `reported`.
    Source: Rodriguez et al. 2023, Sec. 8.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    f = filters[0]
    status = correct_motion(models, works, channels, filters, kinematics, readings)
    if status != CORRECTED:
        return status
    for a in range(f.count):
        channel = f.present[a]
        if reads_accelerations(channels[channel]):
            f.readings[channel] = readings[channel]
    if not report_motion(models, works, reported, filters) or not _find_forces(
            models[0], works[0], reported[0], f):
        return SINGULAR
    if not observe_disturbance(models[0], reported[0], f, disturbances[0]):
        return NOT_POSITIVE
    return CORRECTED


@kernel
def _find_forces(model, work, reported, f):
    """Write f.force, what the motion in `reported` needs beside the model's and work.forces."""
    for k in range(model.g):
        reported.forces[k] = work.forces[k]
    if not reduce_dynamics(model, reported):
        return False
    for k in range(model.g):
        f.force[k] = -reported.Q_bar[k]
        for j in range(model.g):
            f.force[k] += reported.M_bar[k, j] * reported.zdd[j]
    return True
