"""True forces of contacts on the degrees of freedom of a machine."""

import numpy as np


def force_on_z(mechanism, q, contacts):
    """Return the force of Contacts on the degrees of freedom (g) [N or N m] at a position q (n).

    (J R)^T [force, moment] of each, at a moving point of its body, with the moment about it.
    """
    force = _in_space if mechanism.dimension == 3 else _in_plane
    return sum((force(mechanism, q, contact) for contact in contacts), np.zeros(mechanism.g))


def _in_plane(mechanism, q, contact):
    name = next(name for name in mechanism.bodies[contact.body].points
                if not mechanism.points[name].fixed)
    place = mechanism.point_index(name)
    x, y = contact.point - q[place:place + 2]
    moment = x * contact.force[1] - y * contact.force[0]
    jacobian = mechanism.contact_jacobian(q, contact.body, name, reduced=True)
    return jacobian.T @ np.array([*contact.force, moment])


def _in_space(mechanism, q, contact):
    """Return the same by the velocities that rates of one give the point, of slender bodies too."""
    moves = [mechanism.body_motion(contact.body, q, qd) for qd in mechanism.R(q).T]
    arm = contact.point - moves[0].position
    return np.array([contact.force @ (move.velocity + np.cross(move.angular_velocity, arm))
                     for move in moves])
