"""The noise of readings, as a filter has to expect it."""


from mb_model.jit import kernel
from mb_sensors.kernel_api import measurement_jacobian, reads_accelerations


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
