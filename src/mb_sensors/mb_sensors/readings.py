"""What ideal sensors read in given states."""

from numba import njit
import numpy as np

from mb_sensors.kernels.measurement import measure


@njit(cache=True)
def _measure_all(channels, n, whole, q, qd, qdd, h):
    """Write h (k, channels) for states (k, n); whole (3, n_total) has the fixed points in place."""
    for k in range(h.shape[0]):
        for i in range(n):
            whole[0, i], whole[1, i], whole[2, i] = q[k, i], qd[k, i], qdd[k, i]
        measure(channels, whole[0], whole[1], whole[2], h[k])


def true_values(mechanism, sensor, q, qd, qdd):
    """Return what the sensor would read without noise (k, channels) in states q, qd, qdd (k, n)."""
    return measured(mechanism, sensor.records, q, qd, qdd)


def measured(mechanism, records, q, qd, qdd):
    """Return the quantities of CHANNEL records (c), (k, c), in states q, qd, qdd (k, n).

    Raises ValueError for states of another size.
    """
    states = [np.ascontiguousarray(x, dtype=np.float64) for x in (q, qd, qdd)]
    n, n_total = mechanism.n, int(mechanism.model['n_total'][0])
    for name, state in zip(('q', 'qd', 'qdd'), states, strict=True):
        if state.shape != (len(states[0]), n):      # kernels would read what lies beyond
            raise ValueError(f'{name}: shape {state.shape} must be ({len(states[0])}, {n})')
    whole = np.zeros((3, n_total))
    whole[0, n:] = mechanism.model['fixed'][0, n:n_total]
    h = np.empty((len(states[0]), len(records)))
    _measure_all(records, n, whole, *states, h)
    return h


class StateReader:
    """What ideal sensors read in one state after the other, with hardly anything made anew."""

    def __init__(self, mechanism, sensors):
        """Set up for Sensors with places on a mechanism."""
        records = np.concatenate([sensor.records for sensor in sensors])
        n, n_total = mechanism.n, int(mechanism.model['n_total'][0])
        whole = np.zeros((3, n_total))
        whole[0, n:] = mechanism.model['fixed'][0, n:n_total]
        self._n, self._states, self._h = n, np.empty((3, 1, n)), np.empty((1, len(records)))
        self._arguments = records, n, whole, *self._states, self._h
        ends = np.cumsum([len(sensor.records) for sensor in sensors]).tolist()
        self._values = [self._h[0, begin:end] for begin, end in zip([0, *ends], ends, strict=False)]

    def read(self, q, qd, qdd):
        """Return the true values (channels) of each sensor, valid until the next call.

        Raises ValueError unless q, qd and qdd are n finite numbers each.
        """
        for state, given in zip(self._states, (q, qd, qdd), strict=True):
            if len(given) != self._n:
                raise ValueError(f'a state of {len(given)} numbers, expected {self._n}')
            state[0] = given
        if not np.isfinite(self._states).all():
            raise ValueError('a state that is not finite')
        _measure_all(*self._arguments)
        return self._values
