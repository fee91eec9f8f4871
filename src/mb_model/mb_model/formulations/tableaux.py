"""Explicit integrators as data: the tableaux that kernels.explicit.step takes.

A row is c_i, then a'_i1 ... a'_is for the positions, then a_i1 ... a_is for the velocities.  A
Runge-Kutta method with the matrix a, applied to positions and velocities together, has a' = a a.
"""

import numpy as np


def _runge_kutta(a, b):
    """Return the tableau of a Runge-Kutta method: a (s, s) and weights b (s)."""
    rows = np.vstack([a, b]).astype(float)
    return np.hstack([rows.sum(axis=1, keepdims=True), rows @ np.asarray(a, dtype=float), rows])


FORWARD_EULER = _runge_kutta([[0.0]], [1.0])

# Velocities by forward Euler, positions from the mean of the old and the new velocity.
# Source: Pyrhonen et al. 2023a, Eqs. (41) and (43).
AUGMENTED_EULER = np.array([[0.0, 0.0, 0.0], [1.0, 0.5, 1.0]])

# The midpoint rule.
RK2 = _runge_kutta([[0.0, 0.0], [0.5, 0.0]], [0.0, 1.0])

RK4 = _runge_kutta([[0.0, 0.0, 0.0, 0.0],
                    [0.5, 0.0, 0.0, 0.0],
                    [0.0, 0.5, 0.0, 0.0],
                    [0.0, 0.0, 1.0, 0.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6])

# By which power of the step the error of a motion grows; of all others it is the second.
# (`exponential` reaches the fourth on smooth motions; the second errs on the safe side.)
ORDERS = {'rk4': 4, 'augmented_euler': 1, 'forward_euler': 1, 'exponential_0': 1}

TABLEAUX = {'rk4': RK4, 'rk2': RK2, 'augmented_euler': AUGMENTED_EULER,
            'forward_euler': FORWARD_EULER}
