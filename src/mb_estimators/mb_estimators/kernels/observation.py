"""What the readings say about z, zd and zdd: innovation and measurement Jacobian."""

from math import isnan

from numba import float64

from mb_estimators.kernels.sensor_states import (
    add_biases,
    observe_bias,
    observe_mounting,
    reading_jacobian,
    turn_readings,
)
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import (
    acceleration_derivatives,
    apply_s,
    bilinear,
    forward_dynamics,
    linearise,
    solve_multipliers,
)
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import (
    CHANNELS,
    difference,
    measure,
    measurement_jacobian,
    reads_accelerations,
    reads_velocities,
    what_is_read,
)


@kernel
def write_variances(model, work, channels, f):
    """Write f.variance of all channels at work.q, R.

    A filter that takes the accelerations for disturbed by white noise of the density q_c expects an
    accelerometer to feel that noise too: over a step h it has the variance q_c / h, which
    h_qdd R passes on.  What is left out: that it is the same noise in several channels, and in the
    step before.  Filters with acceleration errors as states have q_c = 0.
    """
    for channel in range(channels.size):
        f.variance[channel] = f.sensor_variance[channel]
        if not reads_accelerations(channels[channel]):
            continue
        measurement_jacobian(
            channels[channel], work.q, work.qd, work.qdd, f.h_q, f.h_qd, f.h_qdd)
        for k in range(model.g):
            by_zdd = 0.0
            for i in range(model.n):
                by_zdd += f.h_qdd[i] * work.R[i, k]
            f.variance[channel] += by_zdd * by_zdd * f.acceleration_psd[k] / f.dt


@kernel
def velocity_by_position(model, work):
    """Write work.qd_z = -S phi_q_dot R (n, g): how qd changes with z while zd stays.

    Needs what solve_velocity leaves at work.q.
    """
    b, along, sb = work.b, work.along, work.sb
    for k in range(model.g):
        for i in range(model.n_total):
            along[i] = work.R[i, k]
        bilinear(model, work.q, work.qd, along, b)
        apply_s(model, work, b, sb)
        for i in range(model.n):
            work.qd_z[i, k] = -sb[i]


@kernel
def prepare(model, work, channels, readings):
    """Write what H is made of at work.q, zd, as far as it is needed: work.qd_z, qdd_z, qdd_zd.

    With the latter, zdd and qdd become the dynamics', which a formulation steps to only
    approximately.
    Needs what solve_velocity leaves; returns False if the dynamics have no solution.
    """
    velocities, accelerations = what_is_read(channels, readings)
    if not accelerations:
        if velocities:
            velocity_by_position(model, work)
        return True
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    linearise(model, work)
    acceleration_derivatives(model, work)
    return True


@kernel
def observe_row(model, work, f, row, moving, dynamic):
    """Write f.H[row] by the states of motion from f.h_q, and work.qd_z, qdd_z, qdd_zd.

    moving: whether f.h_qd is not zero, dynamic: f.h_qdd.  A sensor sees few coordinates: the others
    are left out.
    """
    g, H = model.g, f.H
    accelerations = dynamic and f.motion >= 3 * g
    for i in range(f.motion):
        H[row, i] = 0.0
    for i in range(model.n):
        if f.h_q[i] != 0.0:
            for k in range(g):
                H[row, k] += f.h_q[i] * work.R[i, k]
        if moving and f.h_qd[i] != 0.0:
            for k in range(g):
                H[row, k] += f.h_qd[i] * work.qd_z[i, k]
                H[row, g + k] += f.h_qd[i] * work.R[i, k]
        if dynamic and f.h_qdd[i] != 0.0:
            for k in range(g):
                H[row, k] += f.h_qdd[i] * work.qdd_z[i, k]
                H[row, g + k] += f.h_qdd[i] * work.qdd_zd[i, k]
                if accelerations:
                    H[row, 2 * g + k] += f.h_qdd[i] * work.R[i, k]


@separate(MODEL, WORK, CHANNELS, FILTER, float64[::1])
def observe(model, work, channels, f, readings):
    """Compare readings, NaN where there is none, with the model at work.q, qd; see prepare.

    Writes f.variance, count, present, residual, and H, the exact derivative of what sensors read:

        H = [h_q R + h_qd qd_z + h_qdd qdd_z,  h_qd R + h_qdd qdd_zd]

    where qdd_z and qdd_zd contain the accelerations dzdd = A dz + B dzd that the model answers
    with.  Acceleration errors, where they are states, come on top of those, as in f_x: h_qdd R.
    Filters of the simple f_x ignore A and B in their prediction alone (Eq. 50): an accelerometer
    feels gravity through them, and without them filters lose track.
    Returns False if the dynamics have no solution.  Source: Rodriguez et al. 2023, Sec. 7.
    """
    if not prepare(model, work, channels, readings):
        return False
    write_variances(model, work, channels, f)
    measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
    turn_readings(channels, f, f.bias[:])
    add_biases(channels, f)
    row = 0
    for channel in range(channels.size):
        if isnan(readings[channel]):
            continue
        f.present[row] = channel
        f.residual[row] = difference(channels[channel], readings[channel], f.h[channel])
        reading_jacobian(model, work, channels, f, channel)
        observe_row(model, work, f, row, reads_velocities(channels[channel]),
                    reads_accelerations(channels[channel]))
        observe_bias(f, row, channel)
        observe_mounting(f, row, channel)
        row += 1
    f.count = row
    return True
