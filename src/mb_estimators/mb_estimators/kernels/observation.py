"""What the readings say about z, zd and zdd: innovation and measurement Jacobian."""

from math import isnan

from numba import njit

from mb_model.kernels.constraints import second
from mb_model.kernels.velocity import apply_s
from mb_sensors.kernels.measurement import difference, measure, measurement_jacobian


@njit(cache=True)
def velocity_by_position(model, work, f):
    """Write f.qd_z = -S phi_q_dot R (n, g): how qd changes with z while zd stays.

    Needs phi_q_dot of work.qd, R and the factor at work.q.
    """
    b, column = work.vector1, work.vector2
    for k in range(model.g):
        for row in range(model.m):
            b[row] = 0.0
            for i in range(model.n):
                b[row] -= work.phi_q_dot[row, i] * work.R[i, k]
        apply_s(model, work, b, column)
        for i in range(model.n):
            f.qd_z[i, k] = column[i]


@njit(cache=True)
def observe(model, work, channels, f, readings):
    """Compare readings, NaN where there is none, with the model at work.q, qd, qdd.

    Writes f.count, present, residual and H = [h_q R + h_qd qd_z, h_qd R], the exact derivative of
    measurement functions of position and velocity by z and zd; needs what solve_velocity leaves.
    Of filters with acceleration errors as states, their columns h_qdd R too.
    """
    second(model, work.q, work.qd, work.phi_q_dot)
    velocity_by_position(model, work, f)
    measure(channels, work.q, work.qd, work.qdd, f.h)
    row = 0
    for channel in range(channels.size):
        if isnan(readings[channel]):
            continue
        f.present[row] = channel
        f.residual[row] = difference(channels[channel], readings[channel], f.h[channel])
        measurement_jacobian(
            channels[channel], work.q, work.qd, work.qdd, f.h_q, f.h_qd, f.h_qdd)
        for k in range(model.g):
            by_z, by_zd, by_zdd = 0.0, 0.0, 0.0
            for i in range(model.n):
                by_z += f.h_q[i] * work.R[i, k] + f.h_qd[i] * f.qd_z[i, k]
                by_zd += f.h_qd[i] * work.R[i, k]
                by_zdd += f.h_qdd[i] * work.R[i, k]
            f.H[row, k] = by_z
            f.H[row, model.g + k] = by_zd
            if f.states == 3 * model.g:
                f.H[row, 2 * model.g + k] = by_zdd
        row += 1
    f.count = row
