"""Which body the best classifier names that knows more than any: true motion, forces and model.

For machines of three degrees of freedom.  By Bayes' rule over the collisions that the benchmark
draws: places all over the surfaces of bodies, or where links clamp something, that came nearer
fast enough, any coefficient of friction against the true sliding, any size of the force.  It knows
the true force on z at some instants but for a small share of it, by which collisions that are
drawn count as like this one; an `obstacle` is taken for what stands at a plane surface.
"""

import numpy as np

from benchmarks.space_collisions import REACH, leg_of
from benchmarks.space_contact_cases import APPROACH, CASES, DT, OBSTACLE
from benchmarks.space_contact_obstacles import FRICTION, STICKS, place_motion

SAMPLES = 10_000                        # of each body, or pair
KNOWN = {'at one instant': (0.02,), 'at three instants': (0.004, 0.01, 0.02)}   # since it [s]
NEAR, LIKE = 1.5e-3, 0.02               # of instants [s]; deviation of forces, as a share


def best_names(mechanism, name, collision, instants):
    """Return {bodies: probability} of a Collision.

    instants: at which the force is known, after the first touch [s].
    """
    run, case = collision.run, CASES[name]
    begin = run.first_touch()
    seen = []
    for after in instants:
        near = np.abs(run.touches - begin - after) < NEAR
        if near.any():
            seen.append((round((begin + after) / DT), run.touch_forces[near].mean(axis=0)))
    drawn = [kind for kind in case.kinds if kind != OBSTACLE]
    found = {}
    for kind in drawn:
        for bodies in case.kinds[kind]:
            pair = (bodies,) if isinstance(bodies, str) else bodies
            prior = 1.0 / len(drawn) / len(case.kinds[kind])
            random = np.random.default_rng(0)
            places = surface(mechanism.bodies[pair[0]], random) if len(pair) == 1 else (
                clamped(mechanism, pair, run.q[round(begin / DT)], random))
            found[pair] = prior * like(mechanism, run, seen, pair, places, begin, random)
    total = sum(found.values())
    return {pair: share / total for pair, share in found.items()} if total > 0.0 else {}


def like(mechanism, run, seen, pair, places, begin, random):
    """Return the mean likelihood of the forces seen [(row, force)] for places of bodies."""
    first = round(begin / DT)
    friction = random.uniform(0.0, FRICTION, SAMPLES)
    start = [moving(mechanism, body, at, run, first) for body, (at, _) in zip(pair, places,
                                                                            strict=True)]
    if len(pair) == 1:
        normals = places[0][1] @ mechanism.body_motion(pair[0], run.q[first]).rotation.T
    else:
        normals = start[0][0] - start[1][0]
        normals /= np.linalg.norm(normals, axis=1)[:, None]
    zd = run.zd[first]
    closing = -np.einsum('sc,scg,g->s', normals, start[0][1], zd)
    if len(pair) > 1:
        closing += np.einsum('sc,scg,g->s', normals, start[1][1], zd)
    nearer = closing > APPROACH
    fits = np.where(nearer, 0.0, -np.inf)
    for row, force in seen:
        effects = sum(side * by_contact(mechanism, body, at, run, row, normals,
                                        friction if len(pair) == 1 else 0.0 * friction)
                      for side, body, (at, _) in zip((1.0, -1.0), pair, places, strict=False))
        length = np.linalg.norm(effects, axis=1)
        size = np.maximum(effects @ force / length ** 2, 0.0)
        off = force - size[:, None] * effects
        fits = fits - 0.5 * (off ** 2).sum(axis=1) / (LIKE ** 2 * (force @ force))
    return np.exp(fits).sum() / max(1, nearer.sum())


def by_contact(mechanism, body, at, run, row, normals, friction):
    """Return the forces on z (s, g) by unit forces along normals, and friction against sliding."""
    _, jacobian = moving(mechanism, body, at, run, row)
    velocity = jacobian @ run.zd[row]
    sliding = velocity - (velocity * normals).sum(axis=1)[:, None] * normals
    sliding /= np.maximum(np.linalg.norm(sliding, axis=1), STICKS)[:, None]
    return np.einsum('sc,scg->sg', normals - friction[:, None] * sliding, jacobian)


def moving(mechanism, body, at, run, row):
    """Return points (s, 3) and Jacobians by z (s, 3, g) of places (s, 3) of a body."""
    q = run.q[row]
    R = mechanism.R(q)
    described = mechanism.bodies[body]
    axes = [described.line] if described.slender else list(np.eye(3))
    (origin, still), *ends = (place_motion(mechanism, mechanism.place_terms(body, place), q, R)
                              for place in (np.zeros(3), *axes))
    shares = at @ np.array(axes).T
    return (origin + sum(shares[:, k, None] * (end - origin) for k, (end, _) in enumerate(ends)),
            still + sum(shares[:, k, None, None] * (by - still) for k, (_, by) in enumerate(ends)))


def surface(body, random):
    """Return [(places (s, 3), inward normals (s, 3))] on the first shape of a body."""
    solid = body.shapes[0]
    angle, side = random.uniform(0.0, 2.0 * np.pi, SAMPLES), random.choice((-1.0, 1.0), SAMPLES)
    if solid.kind == 'box':
        size = np.array(solid.size)
        areas = 1.0 / size
        chosen = np.eye(3)[random.choice(3, SAMPLES, p=areas / areas.sum())]
        outward = side[:, None] * chosen
        at = np.where(chosen > 0.0, 0.5 * outward, random.uniform(-0.5, 0.5, (SAMPLES, 3))) * size
    else:
        radius, length = solid.size[:2]
        ends = (length < radius) & (random.uniform(size=SAMPLES) * (length + radius) < radius)
        around = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
        away = radius * np.where(ends, np.sqrt(random.uniform(size=SAMPLES)), 1.0)
        height = length * np.where(ends, 0.5 * side, random.uniform(-0.5, 0.5, SAMPLES))
        at = away[:, None] * around + height[:, None] * np.eye(3)[2]
        outward = np.where(ends[:, None], side[:, None] * np.eye(3)[2], around)
    at = solid.centre + at @ solid.axes.T
    if body.slender:
        at = (at @ body.line)[:, None] * body.line
    return [(at, -outward @ solid.axes.T)]


def clamped(mechanism, pair, q, random):
    """Return [(places (s, 3), None)] of two links at which they clamp something."""
    joint, = (one for one in mechanism.joints.values() if one.bodies == pair)
    legs = [leg_of(mechanism, body, place, q)
            for body, place in zip(pair, joint.places, strict=True)]
    about = np.cross(legs[0][1], legs[1][1])
    about /= np.linalg.norm(about)
    distance = random.uniform(*REACH, SAMPLES) * min(leg[2] for leg in legs)
    found = []
    for body, (start, along, _, radius), side in zip(pair, legs, (1.0, -1.0), strict=True):
        motion, described = mechanism.body_motion(body, q), mechanism.bodies[body]
        at = (start - motion.position + distance[:, None] * along) @ motion.rotation
        at = (at @ described.line)[:, None] * described.line if described.slender else (
            at + radius * motion.rotation.T @ (side * np.cross(about, along)))
        found.append((at, None))
    return found
