"""What readings say about z, zd, zdd as states of their own: residuals and exact derivatives."""

from math import isnan

from numba import float64

from mb_estimators.kernels.observation import observe_row, velocity_by_position
from mb_estimators.kernels.sensor_states import (
    add_biases,
    observe_bias,
    observe_mounting,
    reading_jacobian,
    turn_readings,
)
from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    SMALL,
    SOLVED,
    follow_position,
    kinematic_derivatives,
    solve_acceleration,
    solve_position,
    solve_velocity,
)
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import (
    CHANNELS,
    difference,
    measure,
    reads_accelerations,
    reads_velocities,
    what_is_read,
)


@kernel
def distance(model, work, f):
    """Return how far z of f.x is from the mechanism's: the largest, in radians or its sizes."""
    largest = 0.0
    for k in range(model.g):
        change = abs(f.x[k] - work.z[k]) / model.scale[model.independent[k]]
        largest = max(largest, change)
        if change != change:
            return change
    return largest


@separate(MODEL, WORK, FILTER)
def settle_position(model, work, f):
    """Write z, zd, zdd of f.x to work and solve the position problem there.

    Begins at work.q moved by R, which may belong to a position nearby.  Returns False, q and z as
    they were, if the mechanism has no such position.
    """
    g, move = model.g, distance(model, work, f)
    for i in range(model.n):
        f.q0[i] = work.q[i]
    for k in range(g):
        f.z0[k] = work.z[k]
        change = f.x[k] - work.z[k]
        work.z[k], work.zd[k], work.zdd[k] = f.x[k], f.x[g + k], f.x[2 * g + k]
        for i in range(model.n):
            work.q[i] += work.R[i, k] * change
    if move < SMALL and solve_position(model, work) == SOLVED:
        return True
    for i in range(model.n):
        work.q[i] = f.q0[i]
    if follow_position(model, work)[0] == SOLVED and move == move:
        return True
    for i in range(model.n):
        work.q[i] = f.q0[i]
    for k in range(g):
        work.z[k] = f.z0[k]
    return False


@entry
def report_motion(models, works, reported, filters):
    """Bring another workspace, `reported`, to the states, from the filter's, which stays.

    So what a filter is asked for in between has no part in what it goes on to.  Returns False if
    the mechanism has no such position or is singular there.
    """
    model, work, out, f = models[0], works[0], reported[0], filters[0]
    for i in range(model.n_total):          # references of orientations are behind q
        out.q[i] = work.q[i]
    for i in range(model.n):
        for k in range(model.g):
            out.R[i, k] = work.R[i, k]
    for k in range(model.g):
        out.z[k] = work.z[k]
    return settle_position(model, out, f) and solve_acceleration(model, out)


@kernel
def list_present(f, readings):
    """Write f.present, count: the channels that have a reading, not NaN."""
    f.count = 0
    for channel in range(readings.size):
        if not isnan(readings[channel]):
            f.present[f.count] = channel
            f.count += 1


@kernel
def _prepare(model, work, channels, readings):
    """Solve the velocity and acceleration problems, with derivatives, as far as they are read."""
    velocities, accelerations = what_is_read(channels, readings)
    if accelerations:
        if not solve_acceleration(model, work):
            return False
        kinematic_derivatives(model, work)
        return True
    if not solve_velocity(model, work):
        return False
    if velocities:
        velocity_by_position(model, work)
    return True


@separate(MODEL, WORK, CHANNELS, FILTER, float64[::1])
def observe_motion(model, work, channels, f, readings):
    """Compare readings of the channels f.present with the mechanism at work.q, zd, zdd.

    Writes f.variance, f.residual and f.H, the exact derivative of what the sensors read:

        H = [h_q R + h_qd qd_z + h_qdd qdd_z,  h_qd R + h_qdd qdd_zd,  h_qdd R]

    which for an accelerometer has all of its point's acceleration, angular and centripetal, and
    gravity in the turning frame.  Derivatives beyond zdd, where they are states, are not read.
    Returns False at a singular position.
    Source: Mohammad et al. 2025, Eqs. (7)-(9); by h_q, h_qd, h_qdd for any sensor.
    """
    if not _prepare(model, work, channels, readings):
        return False
    measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
    turn_readings(channels, f, f.bias[:])
    add_biases(channels, f)
    for row in range(f.count):
        channel = f.present[row]
        f.variance[channel] = f.sensor_variance[channel]
        f.residual[row] = difference(channels[channel], readings[channel], f.h[channel])
        reading_jacobian(model, work, channels, f, channel)
        observe_row(model, work, f, row, reads_velocities(channels[channel]),
                    reads_accelerations(channels[channel]))
        observe_bias(f, row, channel)
        observe_mounting(f, row, channel)
    return True
