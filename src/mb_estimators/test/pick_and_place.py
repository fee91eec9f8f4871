"""A planar pick-and-place robot: two motors, and parallelograms that keep its platform level.

Two closed loops on each side, one through both, and a constraint too many: the parallelograms of
one side alone would keep the platform level.  Built once as a mechanism file, once on the geometry
of its loops.
"""

import numpy as np
from truth import Linkage, circle_intersection

BASE, UPPER, LOWER, SIDE, WIDTH = 0.2, 0.35, 0.8, 0.1, 0.16             # m
MASSES = {'upper': 3.0, 'upper_rod': 0.6, 'elbow': 0.8, 'lower': 1.2, 'lower_rod': 0.8,
          'platform': 5.0}                                              # kg
START = np.array([np.pi + 0.35, -0.35])                                 # rad

PICK_AND_PLACE = f"""
name: pick_and_place
points:
  A1: {{fixed: [{-BASE}, 0.0]}}
  C1: {{fixed: [{-BASE}, {SIDE}]}}
  A2: {{fixed: [{BASE}, 0.0]}}
  C2: {{fixed: [{BASE}, {SIDE}]}}
  P1: {{start: [-0.53, -0.12]}}
  Q1: {{start: [-0.53, -0.02]}}
  R1: {{start: [-0.63, -0.12]}}
  B1: {{start: [-0.08, -0.77]}}
  S1: {{start: [-0.18, -0.77]}}
  P2: {{start: [0.53, -0.12]}}
  Q2: {{start: [0.53, -0.02]}}
  R2: {{start: [0.63, -0.12]}}
  B2: {{start: [0.08, -0.77]}}
  S2: {{start: [0.18, -0.77]}}
bodies:
  upper1: {{points: [A1, P1], length: {UPPER}, mass: {MASSES['upper']}}}
  upper_rod1: {{points: [C1, Q1], length: {UPPER}, mass: {MASSES['upper_rod']}}}
  elbow1: {{points: {{P1: [0.0, 0.0], Q1: [{SIDE}, 0.0], R1: [0.0, {SIDE}]}},
           mass: {MASSES['elbow']}, centre_of_gravity: [0.03, 0.03], inertia: 0.002}}
  lower1: {{points: [P1, B1], length: {LOWER}, mass: {MASSES['lower']}}}
  lower_rod1: {{points: [R1, S1], length: {LOWER}, mass: {MASSES['lower_rod']}}}
  upper2: {{points: [A2, P2], length: {UPPER}, mass: {MASSES['upper']}}}
  upper_rod2: {{points: [C2, Q2], length: {UPPER}, mass: {MASSES['upper_rod']}}}
  elbow2: {{points: {{P2: [0.0, 0.0], Q2: [{SIDE}, 0.0], R2: [0.0, {-SIDE}]}},
           mass: {MASSES['elbow']}, centre_of_gravity: [0.03, -0.03], inertia: 0.002}}
  lower2: {{points: [P2, B2], length: {LOWER}, mass: {MASSES['lower']}}}
  lower_rod2: {{points: [R2, S2], length: {LOWER}, mass: {MASSES['lower_rod']}}}
  platform: {{points: {{B1: [0.0, 0.0], B2: [{WIDTH}, 0.0], S1: [{-SIDE}, 0.0],
                      S2: [{WIDTH + SIDE}, 0.0]}},
             mass: {MASSES['platform']}, centre_of_gravity: [{WIDTH / 2}, 0.0], inertia: 0.03}}
coordinates:
  motor1: {{kind: angle, body: upper1}}
  motor2: {{kind: angle, body: upper2}}
independent: [motor1, motor2]
start: {{motor1: {START[0]}, motor2: {START[1]}}}
"""


def pick_and_place():
    """Return the same robot as independent truth."""
    sides = (-1.0, 1.0)
    base = [np.array([side * BASE, 0.0]) for side in sides]
    up, across, width = np.array([0.0, SIDE]), np.array([SIDE, 0.0]), np.array([WIDTH, 0.0])

    def points(z):
        p1, p2 = (a + UPPER * np.array([np.cos(angle), np.sin(angle)])
                  for a, angle in zip(base, z, strict=True))
        b1 = circle_intersection(p1, LOWER, p2 - width, LOWER, -1)
        b2 = b1 + width
        return np.array([p1, p1 + up, p1 - across, b1, b1 - across,
                         p2, p2 + up, p2 + across, b2, b2 + across,
                         base[0], base[0] + up, base[1], base[1] + up])

    bodies = []
    for first, a, side in ((0, 10, 1.0), (5, 12, -1.0)):
        p, q, r, b, s = range(first, first + 5)
        bodies += [_rod(a, p, UPPER, MASSES['upper']),
                   _rod(a + 1, q, UPPER, MASSES['upper_rod']),
                   (p, q, MASSES['elbow'], (0.03, side * 0.03), 0.002),
                   _rod(p, b, LOWER, MASSES['lower']), _rod(r, s, LOWER, MASSES['lower_rod'])]
    bodies.append((3, 8, MASSES['platform'], (WIDTH / 2, 0.0), 0.03))
    return Linkage(points, bodies, 9.81)


def _rod(first, second, length, mass):
    return first, second, mass, (0.5 * length, 0.0), mass * length ** 2 / 12


def _swing(t, size, rate):
    """Largest accelerations at the ends."""
    phase = np.outer(t, rate)
    return (START + size * (1.0 - np.cos(phase)), size * rate * np.sin(phase),
            size * rate ** 2 * np.cos(phase))


def _transfer(t, way, time):
    """From rest to rest, by the usual polynomial of fifth order."""
    x = np.minimum(t / time, 1.0)[:, np.newaxis]
    still = x == 1.0
    return (START + way * x ** 3 * (10.0 - 15.0 * x + 6.0 * x ** 2),
            np.where(still, 0.0, way * 30.0 * x ** 2 * (1.0 - x) ** 2 / time),
            np.where(still, 0.0, way * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / time ** 2))


def _started(t, size, rate):
    """On its way from the first instant on."""
    phase = np.outer(t, rate)
    return (START + size * np.sin(phase), size * rate * np.cos(phase),
            -size * rate ** 2 * np.sin(phase))


MOTIONS = {             # times -> z, zd, zdd (k, 2)
    'swing': lambda t: _swing(t, np.array([0.5, 0.3]), np.array([12.6, 12.6])),
    'other swing': lambda t: _swing(t, np.array([-0.4, 0.5]), np.array([12.6, 16.4])),
    'fast': lambda t: _swing(t, np.array([0.4, 0.2]), np.array([25.0, 19.0])),
    'transfer': lambda t: _transfer(t, np.array([0.5, 0.4]), 0.15),
    'started': lambda t: _started(t, np.array([0.3, 0.3]), np.array([12.6, 12.6])),
    'nearly stretched': lambda t: _swing(t, np.array([0.34, -0.34]), np.array([8.0, 8.0])),
    'at rest': lambda t: _swing(t, np.zeros(2), np.ones(2)),
}
