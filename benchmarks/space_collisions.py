"""Random collisions of the machines of the benchmark of contacts in space.

A body is drawn, a place on its surface and an instant; if the place moves ahead fast enough then,
something stands there, else all is drawn anew.  Things that are clamped likewise: between places of
two links as far from their joint, which come nearer.  Of the kind `obstacle`, MuJoCo is the truth:
a ball, a cylinder or a box is where a body moves to.
"""

from dataclasses import fields as fields_of
from typing import NamedTuple

import numpy as np

from benchmarks.space_contact_cases import (
    APPROACH,
    CASES,
    KP,
    OBSTACLE,
    Sines,
    SpaceRun,
    machine,
    simulate,
)
from mb_simulation.collisions import Collision as Scripted, CollisionScript
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import ControlSettings

TIMES, AFTER = (0.3, 0.6), 0.06         # of the first touch [s]; of the run beyond it [s]
BEFORE = 0.005                          # what stands there appears so long before [s]
REACH = (0.15, 0.5)                     # of the shorter link from the joint, of what is clamped
SHAPES = ('sphere', 'cylinder', 'box')
_SEED_OF_MOTION = 100_000
STIFFNESS, DAMPING = (1e4, 5e4), 50.0   # [N/m], [N s/m]
FRICTION, STICKS = 0.4, 0.05            # largest coefficient; sliding with less of it below [m/s]


class Collision(NamedTuple):
    """The true bodies, the SpaceRun, when the bodies met [s], and where (3) [m]."""

    bodies: tuple[str, ...]
    run: object
    time: float
    point: np.ndarray


def collide(name, kind, seed):
    """Return a random Collision of a machine, of a kind of its Case."""
    random, mechanism = np.random.default_rng((seed, *kind.encode())), machine(name)
    while True:
        motion = Sines(name, _SEED_OF_MOTION + int(random.integers(10 ** 6)))
        time, bodies = random.uniform(*TIMES), CASES[name].kinds[kind]
        chosen = bodies[random.integers(len(bodies))]
        z, zd, _ = motion.at(time)
        q = mechanism.assemble(z)
        if kind == OBSTACLE:
            collision = struck(name, motion, time, chosen, random)
            if collision:
                return collision
            continue
        meet = touching if isinstance(chosen, str) else clamping
        met = meet(mechanism, chosen, q, mechanism.R(q), zd, random)
        if met is not None:
            obstacle, point = met
            return Collision(obstacle.bodies, simulate(
                name, motion, time + AFTER, obstacle, time - BEFORE), time, point)


def struck(name, motion, time, body, random):
    """Return the Collision of a body with an obstacle in MuJoCo, None where it meets none."""
    case, start = CASES[name], motion.at(0.0)
    independent = machine(name).independent
    mechanism = machine(name).replace(
        start=dict(zip(independent, start.z.tolist(), strict=True)),
        start_velocity=dict(zip(independent, start.zd.tolist(), strict=True)))
    scripted = Scripted(
        (body,), time, along=random.uniform(0.15, 0.9), direction=random.uniform(-0.8, 0.8),
        shape=random.choice(SHAPES), radius=random.uniform(0.025, 0.05),
        size=tuple(random.uniform(0.05, 0.1, 3).tolist()), damping=DAMPING,
        stiffness=np.exp(random.uniform(*np.log(STIFFNESS))),
        friction=random.uniform(0.0, FRICTION))
    try:
        script = CollisionScript(mechanism, motion, [scripted])
    except ValueError:
        return None
    one = script.appearances[0]
    if one.approach < APPROACH:
        return None
    run = simulate_robot(mechanism, motion, time + AFTER, script.obstacles, script.act,
                         ControlSettings(reaction='none', bandwidth=np.sqrt(KP),
                                         torque_limit=10.0 * max(case.rated)))
    if run.bodies[:1] != (body,):
        return None
    inside, normal = (0.5 * scripted.size[2], 2) if scripted.shape == 'box' else (
        scripted.radius, 1)
    fields = {field.name: getattr(run, field.name) for field in fields_of(SpaceRun)}
    return Collision((body,), SpaceRun(**fields), time, one.position - inside * one.axes[:, normal])


def touching(mechanism, body, q, R, zd, random):
    """Return (Obstacle, point) that a body runs into now, None if the place drawn does not."""
    described, motion = mechanism.bodies[body], mechanism.body_motion(body, q)
    at, outward = drawn_place(described.shapes[0], random)
    outward = motion.rotation @ outward
    if described.slender:       # its place is on the line, the surface anywhere about it
        at = described.line * (described.line @ at)
    point, jacobian = place_motion(mechanism, mechanism.point_terms(body, at), q, R)
    if outward @ jacobian @ zd < APPROACH:
        return None
    return Obstacle(mechanism, body, at, point, -outward, random), point


def clamping(mechanism, pair, q, R, zd, random):
    """Return (Clamped, point of the first contact) between two bodies, None if they part."""
    joint, = (one for one in mechanism.joints.values() if one.bodies == pair)
    legs = [leg_of(mechanism, body, place, q)
            for body, place in zip(pair, joint.offsets, strict=True)]
    about = np.cross(legs[0][1], legs[1][1])
    about /= np.linalg.norm(about)
    distance = random.uniform(*REACH) * min(leg[2] for leg in legs)
    places, points, rates = [], [], []
    for body, (start, along, _, radius), side in zip(pair, legs, (1.0, -1.0), strict=True):
        motion, described = mechanism.body_motion(body, q), mechanism.bodies[body]
        at = motion.rotation.T @ (start + distance * along - motion.position)
        if described.slender:
            at = described.line * (described.line @ at)
        else:
            at = at + radius * motion.rotation.T @ (side * np.cross(about, along))
        point, jacobian = place_motion(mechanism, mechanism.point_terms(body, at), q, R)
        places.append(at)
        points.append(point)
        rates.append(jacobian @ zd)
    apart = points[1] - points[0]
    length = np.linalg.norm(apart)
    facing = apart @ np.cross(about, legs[0][1]) > 0.0
    if not facing or apart @ (rates[1] - rates[0]) / length > -APPROACH:
        return None
    return Clamped(mechanism, pair, places, length, random), points[0]


def leg_of(mechanism, body, joint, q):
    """Return the end of a body's shape at a joint, direction, length and radius of the shape."""
    solid, motion = mechanism.bodies[body].shapes[0], mechanism.body_motion(body, q)
    if solid.kind == 'box':
        axis = int(np.argmax(solid.size))
        length, radius = solid.size[axis], 0.25 * (sum(solid.size) - max(solid.size))
    else:
        axis, (radius, length) = 2, solid.size[:2]
    ends = [solid.centre + side * length * solid.axes[:, axis] for side in (-0.5, 0.5)]
    ends.sort(key=lambda end: np.linalg.norm(end - joint))
    start, end = (motion.position_of(end) for end in ends)
    return start, (end - start) / length, length, radius


def drawn_place(solid, random):
    """Return a random place (3) on a Solid and the direction outwards, in the body's frame."""
    if solid.kind == 'box':
        size = np.array(solid.size)
        areas = size.prod() / size
        axis, side = random.choice(3, p=areas / areas.sum()), random.choice((-1.0, 1.0))
        at = size * random.uniform(-0.5, 0.5, 3)
        at[axis] = 0.5 * side * size[axis]
        return solid.centre + solid.axes @ at, side * solid.axes[:, axis]
    radius, length = solid.size[:2]
    angle = random.uniform(0.0, 2.0 * np.pi)
    around = np.array([np.cos(angle), np.sin(angle), 0.0])
    if length < radius and random.uniform() * (length + radius) < radius:     # ends, by area
        side = random.choice((-1.0, 1.0))
        at = radius * np.sqrt(random.uniform()) * around + [0.0, 0.0, 0.5 * side * length]
        return solid.centre + solid.axes @ at, side * solid.axes[:, 2]
    at = radius * around + [0.0, 0.0, random.uniform(-0.5, 0.5) * length]
    return solid.centre + solid.axes @ at, solid.axes @ around


def place_motion(mechanism, terms, q, R):
    """Return where a place is (3) [m], and its Jacobian by z (3, g); terms: of point_terms."""
    nodes, weights = (np.array(part) for part in zip(*terms, strict=True))
    whole = np.concatenate([q, mechanism.model['fixed'][0, mechanism.n:]])
    rows = (nodes[:, None] + np.arange(3)).ravel()
    padded = np.vstack([R, np.zeros((len(whole) - len(q), R.shape[1]))])
    return (weights @ whole[rows].reshape(-1, 3),
            np.einsum('t,tcg->cg', weights, padded[rows].reshape(len(nodes), 3, -1)))


class Obstacle:
    """Something that stands at a place that a body comes to, with a plane surface."""

    def __init__(self, mechanism, body, at, begin, normal, random):
        """Set up; begin: where the place of the body is when they meet; normal: away from it."""
        self.bodies, self._mechanism = (body,), mechanism
        self._terms, self._begin, self._normal = mechanism.point_terms(body, at), begin, normal
        self._stiffness, self._friction = np.exp(random.uniform(*np.log(STIFFNESS))), (
            random.uniform(0.0, FRICTION))

    def force(self, q, R, zd):
        """Return the force on z (g)."""
        point, jacobian = place_motion(self._mechanism, self._terms, q, R)
        depth, velocity = (self._begin - point) @ self._normal, jacobian @ zd
        push = self._stiffness * depth - DAMPING * velocity @ self._normal
        if depth <= 0.0 or push <= 0.0:
            return np.zeros(len(zd))
        sliding = velocity - (velocity @ self._normal) * self._normal
        rub = self._friction * sliding / max(np.linalg.norm(sliding), STICKS)
        return jacobian.T @ (push * (self._normal - rub))


class Clamped:
    """Something that holds between places of two bodies that come nearer."""

    def __init__(self, mechanism, bodies, places, length, random):
        """Set up; length: from place to place when both touch it [m]."""
        self.bodies, self._mechanism, self._length = bodies, mechanism, length
        self._terms = [mechanism.point_terms(body, at)
                       for body, at in zip(bodies, places, strict=True)]
        self._stiffness = np.exp(random.uniform(*np.log(STIFFNESS)))

    def force(self, q, R, zd):
        """Return the force on z (g)."""
        (first, by_first), (second, by_second) = (
            place_motion(self._mechanism, terms, q, R) for terms in self._terms)
        along = (second - first) / np.linalg.norm(second - first)
        depth = self._length - np.linalg.norm(second - first)
        jacobian = along @ (by_second - by_first)
        push = self._stiffness * depth - DAMPING * jacobian @ zd
        return jacobian * push if depth > 0.0 and push > 0.0 else np.zeros(len(zd))
