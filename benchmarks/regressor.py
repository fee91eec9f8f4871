"""What a regressor costs: inverse dynamics of serial arms, by all masses, inertias and friction."""

from time import perf_counter

import numpy as np

from benchmarks.figures import Figure
from mb_model import Mechanism, Regressor

AXES = ([0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0])
RATE = 200.0                                # instants per second
# joints: (parameters, instants, seconds at most)
CASES = {6: (60, 2000, 1.5), 7: (84, 20000, 25.0)}


def measure():
    """Return the time of all rows of each case, and of one number at one instant.

    The arms are serial, on hinges about axes in turn; each link has ten numbers, and each joint
    friction, Coulomb and viscous.
    """
    figures = []
    for joints, (count, instants, target) in CASES.items():
        regressor = Regressor(arm(joints), numbers(joints)[:count])
        regressor.along(*motion(joints, 2))
        start = perf_counter()
        regressor.along(*motion(joints, instants))
        seconds = perf_counter() - start
        name = f'{joints} joints, {count} parameters, {instants} instants'
        figures += [Figure(name, seconds, 's', target),
                    Figure(f'{name}: each', 1e6 * seconds / instants / count, 'us')]
    return figures


def arm(joints):
    """Return the mechanism of a serial arm."""
    bodies, hinges, coordinates, friction = {}, {}, {}, {}
    for k in range(joints):
        bodies[f'link{k}'] = {
            'mass': 3.0 - 0.3 * k, 'centre_of_gravity': [0.02, 0.01, 0.12],
            'inertia': [0.03, 0.03, 0.01, 0.001, 0.002, 0.001],
            'points': {'base': [0, 0, 0], 'tip': [0, 0.03 * (k % 2), 0.25]}}
        before, at = (f'link{k - 1}', 'tip') if k else ('ground', 'O')
        hinges[f'hinge{k}'] = {'kind': 'revolute', 'bodies': [before, f'link{k}'],
                               'at': [at, 'base'], 'axis': AXES[k]}
        coordinates[f'q{k}'] = {'kind': 'angle', 'joint': f'hinge{k}'}
        friction[f'friction{k}'] = {'kind': 'friction', 'coordinate': f'q{k}', 'viscous': 0.4,
                                    'coulomb': 1.0, 'transition_velocity': 0.01}
    return Mechanism({'name': 'serial_arm', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81],
                      'ground': {'O': [0, 0, 0]}, 'bodies': bodies, 'joints': hinges,
                      'coordinates': coordinates, 'independent': list(coordinates),
                      'forces': friction,
                      'start': dict.fromkeys(coordinates, 0.2)}, 'serial_arm.yaml')


def numbers(joints):
    """Return the paths of the numbers of all links, then of the friction of all joints."""
    keys = ['mass', *(f'centre_of_gravity.{axis}' for axis in 'xyz'),
            *(f'inertia.{k}' for k in range(6))]
    return [*(f'bodies.link{k}.{key}' for k in range(joints) for key in keys),
            *(f'forces.friction{k}.{key}' for k in range(joints) for key in ('coulomb', 'viscous'))]


def motion(joints, instants):
    """Return angles, velocities and accelerations (instants, joints) of a sum of harmonics."""
    random, t = np.random.default_rng(1), np.arange(instants)[:, None] / RATE
    z, zd, zdd = (np.zeros((instants, joints)) for _ in range(3))
    z += 0.2
    for harmonic in range(1, 4):
        rate = 2.0 * np.pi * 0.1 * harmonic * (1.0 + 0.1 * np.arange(joints))
        size = random.uniform(-0.3, 0.3, joints)
        z += size * np.sin(rate * t)
        zd += size * rate * np.cos(rate * t)
        zdd -= size * rate * rate * np.sin(rate * t)
    return z, zd, zdd
