"""Equations that correct all coordinates and velocities: readings and constraints."""

from math import exp, isnan, sqrt

from mb_estimators.kernels.biases import add_biases, observe_bias
from mb_estimators.kernels.reading_noise import write_variances
from mb_estimators.kernels.triangular import lower_triangularise
from mb_model.jit import kernel
from mb_model.kernel_api import (
    acceleration_derivatives,
    evaluate_constraints as evaluate,
    linearise,
    second_derivatives as second,
    times_factor,
)
from mb_sensors.kernel_api import (
    difference,
    measure,
    measurement_jacobian,
    reads_accelerations,
    what_is_read,
)


@kernel
def observe_dependent(model, work, channels, f, readings):
    """Compare readings, NaN where there is none, with the model at work.q, qd, qdd and biases.

    Writes f.count, and rows of f.present, residual, misfit, H = [h_q, h_qd, h_bias] and noise.
    """
    prepare_derivatives(model, work, channels, readings)
    write_variances(model, work, channels, f)
    measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
    add_biases(channels, f)
    row = 0
    for channel in range(channels.size):
        if isnan(readings[channel]):
            continue
        differentiate(model, work, channels, channel, f, row)
        residual = difference(channels[channel], readings[channel], f.h[channel])
        f.present[row], f.residual[row], f.misfit[row] = channel, residual, residual
        for b in range(row):
            f.noise[row, b] = 0.0
        f.noise[row, row] = sqrt(f.variance[channel])
        row += 1
    f.count = row


@kernel
def prepare_derivatives(model, work, channels, readings):
    """After accelerate: linearise the dynamics, if there are readings of accelerations."""
    _, accelerations = what_is_read(channels, readings)
    if accelerations:
        linearise(model, work)
        acceleration_derivatives(model, work)


@kernel
def differentiate(model, work, channels, channel, f, row):
    """Write a row of f.H: the derivative of what a channel reads by q, qd and biases.

    Accelerations change with z and zd, which the other coordinates follow.
    """
    n = model.n
    measurement_jacobian(channels[channel], work.q, work.qd, work.qdd, f.h_q, f.h_qd, f.h_qdd)
    for i in range(n):
        f.H[row, i], f.H[row, n + i] = f.h_q[i], f.h_qd[i]
    observe_bias(f, row, channel)
    if not reads_accelerations(channels[channel]):
        return
    for k in range(model.g):
        z = model.independent[k]
        for i in range(n):
            f.H[row, z] += f.h_qdd[i] * work.qdd_z[i, k]
            f.H[row, n + z] += f.h_qdd[i] * work.qdd_zd[i, k]


@kernel
def constrain(model, work, f, first):
    """Write phi = 0 and its rate as equations from row `first` on; return their norm.

    f.H = [phi_q, 0; (phi_q qd)_q, phi_q], 0 for biases, and f.misfit: Rodriguez et al. 2023,
    Eqs. (62), (67).  The norm is of phi and its rate, as they are or relative to the size of
    the mechanism, whichever is larger.
    """
    n, m = model.n, model.m
    evaluate(model, work.q, work.phi, work.phi_q)
    second(model, work.q, work.qd, work.phi_q_dot)
    square = 0.0
    for k in range(m):
        rate, slope = 0.0, 0.0
        for i in range(n, model.n_total):
            rate += work.phi_q[k, i] * work.qd[i]           # of prescribed coordinates
        for i in range(n):
            rate += work.phi_q[k, i] * work.qd[i]
            slope += (work.phi_q[k, i] * model.scale[i]) ** 2
            f.H[first + k, i], f.H[first + k, n + i] = work.phi_q[k, i], 0.0
            f.H[first + m + k, i] = work.phi_q_dot[k, i]
            f.H[first + m + k, n + i] = work.phi_q[k, i]
        for b in range(f.biases):
            f.H[first + k, f.motion + b], f.H[first + m + k, f.motion + b] = 0.0, 0.0
        f.misfit[first + k], f.misfit[first + m + k] = -work.phi[k], -rate
        square += (work.phi[k] ** 2 + rate * rate) / min(1.0, slope)
    return sqrt(square)


@kernel
def weaken(f, rows):
    """Write the noise of `rows` constraints: xi_0 = alpha H P H^T.

    Source: Rodriguez et al. 2023, Eq. (62).
    """
    times_factor(f.H, f.factor, rows, f.states, f.array)
    lower_triangularise(f.array[:], rows, f.states)
    for a in range(rows):
        for b in range(a + 1):
            f.noise[a, b] = sqrt(f.weakening) * f.array[a, b]


@kernel
def strengthen(f, first, end):
    """Let the covariance of the noise of rows `first` to `end` decay by e^-decay: Eq. (66)."""
    for a in range(first, end):
        for b in range(first, a + 1):
            f.noise[a, b] *= exp(-0.5 * f.decay)
