"""Random contacts of machines in space, drawn without the kernels that are to find them."""

from drawn_contacts import LEAST_APPROACH, DrawnContact, touch
import numpy as np


def draw_touch(machine, rng, names, friction, spread, speed):
    """Return a DrawnContact of one of the bodies `names`, which runs into something that stands.

    spread, speed (g): of z about the start, and of zd.
    """
    while True:
        z = machine.z0 + spread * rng.uniform(-1.0, 1.0, machine.g)
        zd, q = speed * rng.normal(size=machine.g), machine.assemble(z)
        name = names[rng.integers(len(names))]
        at, outward = draw_offset(machine.bodies[name].shapes[0], rng)
        found = pushed(machine, q, zd, name, at, outward, friction)
        if found is not None:
            point, force = found
            size = rng.uniform(30.0, 150.0)
            return DrawnContact((name,), point, q, z, zd, size * force, size)


def pushed(machine, q, zd, name, at, outward, friction):
    """Return (point, force on z per N of normal force), None if nothing is run into."""
    point, force, approach = push(machine, q, zd, name, at, outward, friction)
    return None if approach < LEAST_APPROACH else (point, force)


def push(machine, q, zd, name, at, outward, friction):
    """Return point, force on z per N of normal force, and how fast the point approaches [m/s]."""
    motion = machine.body_motion(name, q)
    jacobian = machine.contact_jacobian(q, name, tuple(at), reduced=True)[:3]
    return motion.position_of(at), *touch(jacobian, zd, -motion.rotation @ outward, friction)


def draw_offset(solid, rng):
    """Return a point on the side of a cylinder or a box, its ends too if it is flat, and outwards.

    In the body's frame.
    """
    if solid.kind == 'box':
        size = np.array(solid.size)
        axis = rng.choice(3, p=(1.0 / size) / (1.0 / size).sum())
        side = rng.choice([-1.0, 1.0])
        at = size * rng.uniform(-0.45, 0.45, 3)
        at[axis] = 0.5 * side * size[axis]
        return solid.centre + solid.axes @ at, side * solid.axes[:, axis]
    radius, length = solid.size[:2]
    angle = rng.uniform(0.0, 2.0 * np.pi)
    around = np.array([np.cos(angle), np.sin(angle), 0.0])
    if length < radius and rng.uniform() < 0.7:
        side = rng.choice([-1.0, 1.0])
        at = radius * np.sqrt(rng.uniform()) * around + [0.0, 0.0, 0.5 * side * length]
        return solid.centre + solid.axes @ at, side * solid.axes[:, 2]
    at = radius * around + [0.0, 0.0, rng.uniform(-0.45, 0.45) * length]
    return solid.centre + solid.axes @ at, solid.axes @ around


def draw_clamping(machine, rng, pair, joint, spread, speed):
    """Return a DrawnContact of a ball that holds between two cylinders at their joint.

    pair: bodies; the ball touches both as far from the joint as the other.
    """
    while True:
        z = machine.z0 + spread * rng.uniform(-1.0, 1.0, machine.g)
        zd, q = speed * rng.normal(size=machine.g), machine.assemble(z)
        distance, found = rng.uniform(0.06, 0.18), []
        ends = [axis_from(machine, q, body, machine.joints[joint], k)
                for k, body in enumerate(pair)]
        about = np.cross(ends[0][1], ends[1][1])
        if np.linalg.norm(about) < 0.3:
            continue
        about /= np.linalg.norm(about)
        for k, (start, along, radius) in enumerate(ends):
            outward = np.cross(about, along) * (1.0, -1.0)[k]
            found.append(start + distance * along + radius * outward)
        apart = (found[0] - found[1]) / np.linalg.norm(found[0] - found[1])
        force = 0.0
        for body, point, push in zip(pair, found, (apart, -apart), strict=True):
            motion = machine.body_motion(body, q)
            at = motion.rotation.T @ (point - motion.position)
            force = force + machine.contact_jacobian(q, body, tuple(at),
                                                     reduced=True)[:3].T @ push
        outward = np.cross(about, ends[0][1])
        if -force @ zd < LEAST_APPROACH or outward @ (found[1] - found[0]) < 0.0:
            continue
        size = rng.uniform(30.0, 150.0)
        return DrawnContact(pair, found[0], q, z, zd, size * force, size)


def axis_from(machine, q, body, joint, which):
    """Return the end of a cylinder nearer to a joint, the direction to the other, its radius."""
    motion, solid = machine.body_motion(body, q), machine.bodies[body].shapes[0]
    local, radius, length = joint.offsets[which], *solid.size[:2]
    ends = [solid.centre + side * length * solid.axes[:, 2] for side in (-0.5, 0.5)]
    ends.sort(key=lambda end: np.linalg.norm(end - local))
    start, end = (motion.position_of(end) for end in ends)
    return start, (end - start) / length, radius
