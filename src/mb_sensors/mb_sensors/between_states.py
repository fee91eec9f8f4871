"""A motion between two states of it, for sensors that read at other instants."""

import numpy as np

# Coefficients (6, 6) of the polynomials in s = 0 ... 1 of q, qd h and qdd h^2 at both ends; their
# sum has these places, velocities and accelerations there.  Lowest power of s first.
_QUINTIC = np.array([[1.0, 0.0, 0.0, -10.0, 15.0, -6.0], [0.0, 1.0, 0.0, -6.0, 8.0, -3.0],
                     [0.0, 0.0, 0.5, -1.5, 1.5, -0.5], [0.0, 0.0, 0.0, 10.0, -15.0, 6.0],
                     [0.0, 0.0, 0.0, -4.0, 7.0, -3.0], [0.0, 0.0, 0.0, 0.5, -1.0, 0.5]])
_POWERS = np.arange(6)


def between(first, second, h, s):
    """Return q, qd, qdd (3, n) at a share s of the time h [s] from a state to another one.

    first, second: q, qd, qdd (3, n).  The error of q grows with the sixth power of h, that of qdd
    with the fourth, while the forces do not jump.
    """
    scale = np.array([1.0, h, h * h])[:, np.newaxis]
    ends = np.concatenate((first * scale, second * scale))
    powers = s ** _POWERS
    rates = np.concatenate(([0.0], _POWERS[1:] * powers[:-1]))
    bends = np.concatenate(([0.0, 0.0], (_POWERS * (_POWERS - 1.0))[2:] * powers[:-2]))
    return np.stack([(_QUINTIC @ one) @ ends for one in (powers, rates, bends)]) / scale
