"""What an equation in the plane does to bodies: forces at points, for given multipliers."""

import numpy as np

from mb_model.kernels.constraints import evaluate_one
from mb_model.record import INDEX_SLOTS, VALUE_SLOTS
from mb_model.registry.constraints import number_of


def pushes_of(equation, q, lam):
    """Return (place (2), force (2)) for each point that an equation addresses, force on it.

    Slots that address the same point are told apart by giving each one coordinates of its own.
    """
    slots = len(equation.bodies)
    if slots == 0:
        return []
    index = np.full(INDEX_SLOTS, 2 * slots)
    index[:slots] = 2 * np.arange(slots)
    places = np.array([q[k:k + 2] for k in equation.index[:slots]])
    others = q[list(equation.index[slots:slots + 1])]
    local = np.concatenate([places.ravel(), others, np.zeros(1)])
    value = np.zeros(VALUE_SLOTS)
    value[:len(equation.value)] = equation.value
    phi, phi_q = np.zeros(equation.rows), np.zeros((equation.rows, len(local)))
    evaluate_one(int(number_of(equation.kind)), index, value, local, phi, phi_q, 0)
    return list(zip(places, -(lam @ phi_q[:, :2 * slots]).reshape(slots, 2), strict=True))


def pin_at(mechanism, body, index):
    """Return the name of the point of a body whose x is at index."""
    return next(point for point in mechanism.bodies[body].points
                if mechanism.point_index(point) == index)
