"""How readings depend on the state at the start, by simulations that start elsewhere."""

import numpy as np

from mb_estimators.observability.parameters import STEP, moved, parameter_sizes
from mb_estimators.observability.readings import reading_difference, readings_along
from mb_model import simulate


def empirical_sensitivity(run, sensors, states, parameters=()):
    """Return derivatives of the readings by the start (k, channels, l + p), by differences.

    The l States are z, zd and, if there are more, constant forces on z; parameters: p names.
    """
    mechanism, g = run.mechanism, run.mechanism.g
    columns = []
    for i, size in enumerate(states.sizes):
        change = np.zeros(3 * g)
        change[i] = STEP * size
        columns.append(_slope(sensors, STEP * size, *(
            _simulate(run, mechanism, sign * change) for sign in (1.0, -1.0))))
    for name, size in zip(parameters, parameter_sizes(mechanism, parameters), strict=True):
        columns.append(_slope(sensors, STEP * size, *(
            _simulate(run, moved(mechanism, name, sign * STEP * size), np.zeros(3 * g))
            for sign in (1.0, -1.0))))
    return np.stack(columns, axis=2)


def _simulate(run, mechanism, change):
    """Return the Run of a mechanism whose start and forces (3g) are changed."""
    g = mechanism.g
    return simulate(mechanism, run.t[-1], run.dt, z0=run.z[0] + change[:g],
                    zd0=run.zd[0] + change[g:2 * g], inputs=change[2 * g:])


def _slope(sensors, step, one, other):
    """Return the derivative of the readings (k, channels) from Runs a step to both sides."""
    return reading_difference(sensors, readings_along(one, sensors),
                              readings_along(other, sensors)) / (2.0 * step)
