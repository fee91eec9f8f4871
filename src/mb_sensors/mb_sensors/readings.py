"""Readings of ideal sensors in given states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_sensors.measurement import measure

if TYPE_CHECKING:
    from array import array

    from mb_model import Mechanism
    from mb_sensors.sensor import Sensor


@entry
def _measure_all(channels, n, whole, q, qd, qdd, h):
    """Write h (k, channels) for states (k, n); whole (3, n_total) has the fixed points in place."""
    for k in range(h.shape[0]):
        for i in range(n):
            whole[0, i], whole[1, i], whole[2, i] = q[k, i], qd[k, i], qdd[k, i]
        measure(channels, whole[0], whole[1], whole[2], h[k])


def true_values(mechanism: Mechanism, sensor: Sensor, q: FloatArray, qd: FloatArray,
                qdd: FloatArray) -> FloatArray:
    """Return the readings without noise (k, channels) in states q, qd, qdd (k, n)."""
    return measured(mechanism, sensor.actual, q, qd, qdd)


def measured(mechanism: Mechanism, records: RecordArray, q: FloatArray, qd: FloatArray,
             qdd: FloatArray) -> FloatArray:
    """Return the quantities of CHANNEL records (c), (k, c), in states q, qd, qdd (k, n).

    Raises ValueError for states of another size.
    """
    states = [np.ascontiguousarray(x, dtype=np.float64) for x in (q, qd, qdd)]
    n = mechanism.n
    for name, state in zip(('q', 'qd', 'qdd'), states, strict=True):
        if state.shape != (len(states[0]), n):      # kernels would read what lies beyond
            raise ValueError(f'{name}: shape {state.shape} must be ({len(states[0])}, {n})')
    h = np.empty((len(states[0]), len(records)))
    _measure_all(records, n, _whole(mechanism), *states, h)
    return h


def _whole(mechanism):
    """Return room for q, qd and qdd (3, n_total) with the fixed points in place."""
    n, n_total = mechanism.n, int(mechanism.model['n_total'][0])
    whole = np.zeros((3, n_total))
    whole[0, n:] = mechanism.model['fixed'][0, n:n_total]
    return whole


@entry
def _measure_state(channels, n, whole, h):
    """Write h (channels) for the state in whole (3, n_total); return whether it is finite."""
    for i in range(n):
        for row in range(3):
            if not math.isfinite(whole[row, i]):
                return False
    measure(channels, whole[0], whole[1], whole[2], h)
    return True


class StateReader:
    """Readings of ideal sensors in one state after the other, without allocation.

    values: the true ones (channels) in the last state, always the same array.
    """

    def __init__(self, mechanism: Mechanism, records: RecordArray) -> None:
        """Set up for the CHANNEL records (channels) of sensors with points on a mechanism."""
        self._n = mechanism.n
        whole = _whole(mechanism)
        # Written faster than arrays, from the sequences of messages.
        self._states: list[Any] = [memoryview(row[:mechanism.n]) for row in whole]
        self.values = np.empty(len(records))
        self._measure = bound(_measure_state, (records, mechanism.n, whole, self.values))

    def read(self, q: FloatArray | array[float], qd: FloatArray | array[float],
             qdd: FloatArray | array[float]) -> None:
        """Set `values` to the true ones in a state.

        q, qd, qdd: arrays of doubles, of numpy or array.array.  Raises ValueError unless they are n
        finite numbers each.
        """
        for state, given in zip(self._states, (q, qd, qdd), strict=True):
            if len(given) != self._n:
                raise ValueError(f'a state of {len(given)} numbers, expected {self._n}')
            state[:] = given
        if not self._measure():
            raise ValueError('a state that is not finite')
