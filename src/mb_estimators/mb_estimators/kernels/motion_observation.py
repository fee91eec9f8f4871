"""What readings say about z, zd, zdd as states of their own: residuals and exact derivatives."""

from math import isnan

from numba import float64

from mb_estimators.kernels.biases import add_biases, observe_bias
from mb_estimators.kernels.mountings import (
    observe_mounting,
    reading_jacobian,
    turn_readings,
)
from mb_estimators.kernels.observation import observe_row, velocity_by_position
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import kinematic_derivatives, solve_acceleration, solve_velocity
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

    which for an accelerometer has all of its place's acceleration, angular and centripetal, and
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
