"""How readings depend on the state at the start, by simulations that start elsewhere."""

import numpy as np

from mb_model import simulate
from mb_sensors.kernels.measurement import difference
from mb_sensors.readings import true_values

_STEP = 1e-5        # change of the start, of the size of a state


def empirical_sensitivity(run, sensors, states):
    """Return how the readings change with the start (k, channels, l), by central differences.

    The l States are z, zd and, if there are more, constant forces on z.
    """
    mechanism, g = run.mechanism, run.mechanism.g
    columns = []
    for i, size in enumerate(states.sizes):
        moved = []
        for sign in (1.0, -1.0):
            change = np.zeros(3 * g)
            change[i] = sign * _STEP * size
            moved.append(simulate(
                mechanism, run.t[-1], run.dt, z0=run.z[0] + change[:g],
                zd0=run.zd[0] + change[g:2 * g], inputs=change[2 * g:]))
        columns.append(_difference(*moved, sensors) / (2.0 * _STEP * size))
    return np.stack(columns, axis=2)


def _difference(one, other, sensors):
    """Return by how much the readings of a Run are larger than those of another (k, channels)."""
    columns = []
    for sensor in sensors:
        first, second = (true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
                         for run in (one, other))
        columns += [[difference(record, *pair) for pair in zip(*pairs, strict=True)]
                    for record, pairs in zip(sensor.records, zip(first.T, second.T, strict=True),
                                             strict=True)]
    return np.array(columns).T
