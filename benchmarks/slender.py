"""What peers, which have no slender bodies, make of them."""

import numpy as np


def line_of(body):
    """Return the direction of a slender body's line in its frame (3)."""
    return np.asarray(body.line, float)


def universal_joints(mechanism):
    """Return the names of the ball joints that keep lines from turning about themselves.

    For each slender body, or pair of them in a sleeve, the first of its ball joints.
    """
    bodies, chosen = mechanism.bodies, {}
    line = {name: name for name, body in bodies.items() if body.slender}
    for joint in mechanism.joints.values():
        if joint.kind == 'cylindrical' and all(name in line for name in joint.bodies):
            kept, other = (line[name] for name in joint.bodies)
            line = {name: kept if of == other else of for name, of in line.items()}
    for joint in mechanism.joints.values():
        for name in joint.bodies:
            if joint.kind == 'spherical' and name in line:
                chosen.setdefault(line[name], joint.name)
    return set(chosen.values())
