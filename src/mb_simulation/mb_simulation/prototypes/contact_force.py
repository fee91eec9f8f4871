"""True forces of contacts on the degrees of freedom of a machine."""

import numpy as np


def force_on_z(mechanism, q, contacts):
    """Return the force of Contacts on the degrees of freedom (g) [N or N m] at a position q (n).

    (J R)^T [force, moment] of each, at a moving point of its body, with the moment about it.
    """
    total = np.zeros(mechanism.g)
    for contact in contacts:
        name = next(name for name in mechanism.bodies[contact.body].points
                    if not mechanism.points[name].fixed)
        place = mechanism.point_index(name)
        x, y = contact.point - q[place:place + 2]
        moment = x * contact.force[1] - y * contact.force[0]
        jacobian = mechanism.contact_jacobian(q, contact.body, name, reduced=True)
        total += jacobian.T @ np.array([*contact.force, moment])
    return total
