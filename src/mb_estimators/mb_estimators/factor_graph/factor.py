"""Compiled errors of nodes as factors of GTSAM."""

import gtsam
import numpy as np

NO_SOLUTION = 1e6      # error, in standard deviations, where the mechanism has none: turn back


def factor(noise, keys, error, sizes):
    """Return a CustomFactor of compiled rows.

    noise: model of the rows, which knows how many; keys: of its nodes, sizes: of their vectors;
    error(*vectors, e, *jacobians) writes all rows and returns False where the mechanism has no
    solution.  Error and Jacobians are copied by GTSAM, so one room serves all calls; and it asks
    often for the same nodes again, for which they are still there.
    """
    count = noise.dim()
    e = np.zeros(count)
    jacobians = tuple(np.zeros((count, size)) for size in sizes)

    last = None

    def evaluate(_, values, wanted):
        nonlocal last
        vectors = [values.atVector(key) for key in keys]
        present = [vector.tobytes() for vector in vectors]
        if present != last:
            last = present
            if not error(*vectors, e, *jacobians):
                e.fill(NO_SOLUTION)
        if wanted is not None:
            for k, jacobian in enumerate(jacobians):
                wanted[k] = jacobian
        return e

    return gtsam.CustomFactor(noise, list(keys), evaluate)
