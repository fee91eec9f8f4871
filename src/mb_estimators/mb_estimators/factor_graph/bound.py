"""Bound factor: variables that stay between two values."""

import gtsam
import numpy as np

from mb_estimators.factor_graph.factor import factor


def bound(key, size, places, least, largest, deviations):
    """Return the factor of variables, by their places in the vector (size) of a node.

    Its error is how far they are beyond `least` or `largest`, 0 between them.  With deviations far
    below the node's own, a quadratic program is solved; what is beyond a bound then is the
    deviation squared times the multiplier.
    """
    rows = np.arange(len(places))

    def error(x, e, J):
        values = x[places]
        e[:] = np.maximum(values - largest, 0.0) + np.minimum(values - least, 0.0)
        J[rows, places] = e != 0.0
        return True

    return factor(gtsam.noiseModel.Diagonal.Sigmas(deviations), [key], error, [size])
