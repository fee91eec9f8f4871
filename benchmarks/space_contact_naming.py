"""Figures on which body was named in the benchmark of contacts in space, and how surely."""

from itertools import pairwise
import re

import numpy as np

from benchmarks.figures import Figure
from benchmarks.space_collisions import FRICTION, REACH, STICKS, leg_of, place_motion
from benchmarks.space_contact_cases import APPROACH, CASES, DT, OBSTACLE, machine

DIRECT = 'direct'                       # a method of the detector
WAIT = 0.02                             # after the detection [s]
TOGETHER = 0.85                         # probability of all that it may be
BINS = 0.0, 0.4, 0.6, 0.8, 0.95, 1.0    # of probabilities
SAMPLES = 10_000                        # of each body, or pair
KNOWN = {'at one instant': (0.02,), 'at three instants': (0.004, 0.01, 0.02)}   # since it [s]
NEAR, LIKE = 1.5e-3, 0.02               # of instants [s]; deviation of forces, as a share


def naming_figures(name, rows):
    """Return figures on which body was named."""
    figures = [Figure(f'{name}: named rightly {1e3 * WAIT:g} ms after the detection',
                      np.mean([row['named'] == row['true'] for row in rows]), '', 0.85,
                      at_least=True, peer='mean probability',
                      peer_value=np.mean([row['claimed'] for row in rows])),
               Figure(f'{name}: among the fewest that have {TOGETHER:g} together',
                      np.mean([row['true'] in row['possible'] for row in rows]), '',
                      peer='how many these are, mean',
                      peer_value=np.mean([len(row['possible']) for row in rows]))]
    figures += [Figure(f'{name}: named rightly by true forces and motion, {instants}',
                       np.mean([row['best'][instants] == row['true'] for row in rows]), '')
                for instants in rows[0]['best']]
    for kind in CASES[name].kinds:
        own = [row for row in rows if row['kind'] == kind]
        figures.append(Figure(f'{name}: {kind}: named rightly',
                              np.mean([row['named'] == row['true'] for row in own]), '',
                              peer='detected', peer_value=np.mean(
                                  [row['delays'][DIRECT] is not None for row in own])))
    figures += reliability_figures(name, rows)
    places = [row['place'] for row in rows if row['place'] is not None]
    return [*figures, Figure(f'{name}: error of the place on bodies named rightly, median',
                             1e3 * float(np.median(places)), 'mm')]


def reliability_figures(name, rows):
    """Return how often what was named with about a probability was right."""
    claimed = np.array([row['claimed'] for row in rows])
    right = np.array([row['named'] == row['true'] for row in rows])
    number, figures = np.digitize(claimed, BINS[1:-1]), []
    for k, (low, high) in enumerate(pairwise(BINS)):
        own = (number == k) & (claimed > 0.0)
        if own.any():
            figures.append(Figure(
                f'{name}: named with a probability from {low:g} to {high:g}, {own.sum()}: right',
                right[own].mean(), '', peer='mean probability', peer_value=claimed[own].mean()))
    return figures


def best_groups(name, collision):
    """Return {instants: group} of the best classifier; none beyond three degrees of freedom."""
    if machine(name).g > 3:
        return {}
    found = {}
    for label, instants in KNOWN.items():
        shares = grouped(best_names(machine(name), name, collision, instants).items())
        found[label] = shares[0][0] if shares else None
    return found


def grouped(probabilities):
    """Return (group, probability) of (bodies, probability), the likeliest first."""
    shares = {}
    for bodies, probability in probabilities:
        shares[group(bodies)] = shares.get(group(bodies), 0.0) + probability
    return sorted(shares.items(), key=lambda share: -share[1])


def group(bodies):
    """Return bodies, by one name what forces do not tell apart."""
    return tuple(re.sub('left|right|barrel', 'rod', body) for body in bodies)


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
    (origin, still), *ends = (place_motion(mechanism, mechanism.point_terms(body, place), q, R)
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
            for body, place in zip(pair, joint.offsets, strict=True)]
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
