"""What ideal sensors read in given states."""

from numba import njit
import numpy as np

from mb_sensors.kernels.measurement import measure


@njit(cache=True)
def _measure_all(models, channels, q, qd, qdd, h):
    """Write h (k, channels) for states (k, n)."""
    n, fixed = models[0].n, models[0].fixed
    whole_q, whole_qd, whole_qdd = fixed.copy(), np.zeros_like(fixed), np.zeros_like(fixed)
    for i in range(h.shape[0]):
        whole_q[:n], whole_qd[:n], whole_qdd[:n] = q[i], qd[i], qdd[i]
        measure(channels, whole_q, whole_qd, whole_qdd, h[i])


def true_values(mechanism, sensor, q, qd, qdd):
    """Return what the sensor would read without noise (k, channels) in states q, qd, qdd (k, n)."""
    states = [np.ascontiguousarray(x, dtype=np.float64) for x in (q, qd, qdd)]
    h = np.empty((len(states[0]), len(sensor.records)))
    _measure_all(mechanism.model, sensor.records, *states, h)
    return h
