"""Derivatives by central differences, for tests of exact ones, and states to take them at."""

from hypothesis import strategies as st
import numpy as np


def slope(function, h, order=4):
    """Return the derivative of function at 0 with steps of h, to the second or fourth order."""
    near = function(h) - function(-h)
    if order == 2:
        return near / (2.0 * h)
    return (8.0 * near - function(2.0 * h) + function(-2.0 * h)) / (12.0 * h)


def jacobian(function, size, h, order=2):
    """Return the derivatives of function of a change (size) at 0, by each of its entries."""
    return np.stack([slope(lambda step, unit=unit: function(step * unit), h, order)
                     for unit in np.eye(size)], axis=-1)


def by_state(mechanism, z, zd, h, *forces, order=2, **state):
    """Return dzdd/dz and dzdd/dzd (g, g) as Mechanism.linearise does; steps of h, one or two."""
    h_z, h_zd = np.broadcast_to(h, 2)
    return (jacobian(lambda d: mechanism.forward_dynamics(z + d, zd, *forces, **state),
                     mechanism.g, h_z, order),
            jacobian(lambda d: mechanism.forward_dynamics(z, zd + d, *forces, **state),
                     mechanism.g, h_zd, order))


def draw_state(data, mechanism):
    """Return z, zd and forces on the degrees of freedom (g each), drawn by hypothesis."""
    g = mechanism.g
    numbers = st.lists(st.floats(-1.0, 1.0), min_size=g, max_size=g).map(np.array)
    z = mechanism.z0 + 0.2 * data.draw(numbers)
    return z, 3.0 * data.draw(numbers), 20.0 * data.draw(numbers)
