"""Random contacts of planar robots, drawn without the kernels that are to find them.

And what is the same in space: a contact, and the force at a touch.
"""

from typing import NamedTuple

import numpy as np

LEAST_APPROACH = 0.1      # m/s
STICKS = 0.05             # below this speed of sliding friction is less than its largest [m/s]


class DrawnContact(NamedTuple):
    """What touches a machine, and what that does."""

    bodies: tuple
    point: np.ndarray      # of the first body
    q: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    force: np.ndarray      # on z
    size: float            # of its normal part [N]


def draw_contact(robot, rng, friction):
    """Return a DrawnContact of the 3-RRR robot.

    Something that stands still meets the platform, an inner or an outer link, or a closing elbow
    clamps it.
    """
    while True:
        z = robot.z0 + rng.uniform(-1.0, 1.0, 3) * [0.08, 0.08, 0.4]
        direction, speed = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.2, 0.8)
        zd = np.array([speed * np.cos(direction), speed * np.sin(direction), rng.uniform(-1, 1)])
        q = robot.assemble(z)
        kind, leg = rng.choice(['platform', 'inner', 'outer', 'clamped']), rng.integers(1, 4)
        draw = draw_clamping if kind == 'clamped' else draw_collision
        drawn = draw(robot, rng, q, zd, friction, kind if kind == 'platform' else f'{kind}{leg}')
        if drawn is not None:
            bodies, point, force = drawn
            size = rng.uniform(15.0, 100.0)
            return DrawnContact(bodies, point, q, z, zd, size * force, size)


def draw_collision(robot, rng, q, zd, friction, body):
    """Return (bodies, point, force on z per N of normal force), None if nothing is run into."""
    at, outward = draw_offset(robot.shapes[body], rng)
    turned = rotation(robot, q, body)
    jacobian = robot.contact_jacobian(q, body, tuple(at), reduced=True)[:2]
    force, approach = touch(jacobian, zd, -turned @ outward, friction)
    return None if approach < LEAST_APPROACH else ((body,), position_of(robot, q, body, at), force)


def touch(jacobian, zd, normal, friction):
    """Return the force on z per N along a normal (d), and how fast the point approaches [m/s].

    jacobian (d, g): of the point.
    """
    velocity = jacobian @ zd
    sliding = velocity - (velocity @ normal) * normal
    force = normal - friction * sliding / max(np.linalg.norm(sliding), STICKS)
    return jacobian.T @ force, -velocity @ normal


def draw_offset(shape, rng):
    """Return the offset of a point on a shape, and the direction outwards, in the body's frame."""
    start, end = np.array(shape.ends)
    if shape.is_disc:
        angle = rng.uniform(0.0, 2.0 * np.pi)
        outward = np.array([np.cos(angle), np.sin(angle)])
        return start + shape.radius * outward, outward
    along = (end - start) / np.hypot(*(end - start))
    outward = rng.choice([-1.0, 1.0]) * np.array([-along[1], along[0]])
    return start + rng.uniform(0.25, 0.9) * (end - start) + shape.radius * outward, outward


def draw_clamping(robot, rng, q, zd, friction, name):
    """Return the same of something that both links of a leg press upon, as far from the elbow."""
    leg, distance = name[-1], rng.uniform(0.05, 0.12)
    bodies, length = (f'inner{leg}', f'outer{leg}'), 0.3
    elbow = position_of(robot, q, bodies[1], (0.0, 0.0))
    along = [(position_of(robot, q, body, at) - elbow) / length
             for body, at in zip(bodies, [(0.0, 0.0), (length, 0.0)], strict=True)]
    opening = np.arccos(along[0] @ along[1])
    slip, force, point = min(np.arctan(friction), opening / 2), 0.0, None
    for k, body in enumerate(bodies):
        towards = along[1 - k] - (along[1 - k] @ along[k]) * along[k]
        towards /= np.hypot(*towards)
        middle, side = (length - distance, distance)[k], rotation(robot, q, body).T @ towards
        at = np.array([middle, 0.0]) + robot.shapes[body].radius * side
        push = -np.cos(slip) * towards + np.sin(slip) * along[k]
        force += robot.contact_jacobian(q, body, tuple(at), reduced=True)[:2].T @ push
        point = position_of(robot, q, body, at) if k == 0 else point
    return None if -force @ zd < LEAST_APPROACH else (bodies, point, force)


def rotation(robot, q, body):
    """Return the rotation matrix of a body."""
    along = position_of(robot, q, body, (1.0, 0.0)) - position_of(robot, q, body, (0.0, 0.0))
    return np.array([[along[0], -along[1]], [along[1], along[0]]])


def position_of(robot, q, body, at):
    """Return the position of a point of a body [m]; at: its offset."""
    def point(name):
        known = robot.points[name]
        if known.fixed:
            return np.array(known.position)
        k = robot.coordinates.index(f'{name}.x')
        return q[k:k + 2]

    (first, at_first), (second, at_second) = list(robot.bodies[body].points.items())[:2]
    local = complex(*np.subtract(at_second, at_first))
    turn = complex(*(point(second) - point(first))) / local
    moved = complex(*point(first)) + turn * complex(*np.subtract(at, at_first))
    return np.array([moved.real, moved.imag])
