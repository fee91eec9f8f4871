"""Derivatives of channels against central differences."""

import numpy as np
import pytest

from mb_sensors.measurement import difference, measure, measurement_jacobian


def check_derivatives(records, state, tolerance=1e-6, step=1e-5):
    """Check all channels in a state q, qd, qdd (n_total each); return the largest derivative."""
    largest, (above, below) = 0.0, np.empty((2, len(records)))
    for k, record in enumerate(records):
        exact = [np.empty_like(x) for x in state]
        measurement_jacobian(record, *state, *exact)
        for vector, derivative in zip(state, exact, strict=True):
            for i in range(len(vector)):
                middle = vector[i]
                vector[i] = middle + step
                measure(records, *state, above)
                vector[i] = middle - step
                measure(records, *state, below)
                vector[i] = middle
                change = difference(record, above[k], below[k]) / (2.0 * step)
                assert derivative[i] == pytest.approx(change, rel=1e-6, abs=tolerance)
            largest = max(largest, np.abs(derivative).max())
    return largest
