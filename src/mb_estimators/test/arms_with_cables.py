"""Arms of two joints in plane and space whose drives also work against cables and cogging."""

import numpy as np

from mb_estimators import DynamicsSamples, FitRecording
from mb_model import Mechanism
from mb_sensors import RecordedMotion

STEP = 5e-3             # [s]
NOISE = 0.02            # of the drives [N m]
_FRICTION = {'kind': 'friction', 'coulomb': 0.2, 'viscous': 0.1, 'transition_velocity': 0.05}


def _arm(dimension, **sections):
    return Mechanism({
        'name': 'arm', 'dimension': dimension, 'independent': ['q1', 'q2'], 'drives': ['q1', 'q2'],
        'start': {'q1': 0.3, 'q2': 0.3},
        'forces': {f'rub{k}': {'coordinate': f'q{k}'} | _FRICTION for k in (1, 2)}} | sections,
        'arm.yaml')


PLANE = _arm(
    2, points={'O': {'fixed': [0, 0]}, 'P': {'start': [0.4, 0.1]}, 'T': {'start': [0.6, 0.3]}},
    bodies={name: {'points': {start: [0, 0], end: [length, 0]}, 'mass': 1.0,
                   'centre_of_gravity': [0.5 * length, 0], 'inertia': 0.02}
            for name, start, end, length in (('one', 'O', 'P', 0.4), ('two', 'P', 'T', 0.3))},
    coordinates={'q1': {'kind': 'angle', 'body': 'one'},
                 'q2': {'kind': 'relative_angle', 'bodies': ['one', 'two']}})
SPACE = _arm(
    3, ground={'O': [0, 0, 0]},
    bodies={name: {'points': {start: [0, 0, 0], end: [0, 0.05, length]}, 'mass': 1.0,
                   'centre_of_gravity': [0, 0, 0.5 * length],
                   'inertia': [0.02, 0.02, 0.01, 0, 0, 0]}
            for name, start, end, length in (('one', 'O', 'P', 0.4), ('two', 'P', 'T', 0.3))},
    joints={f'joint{k}': {'kind': 'revolute', 'bodies': bodies, 'at': at, 'axes': [axis, axis]}
            for k, bodies, at, axis in ((1, ['ground', 'one'], 'O', [1, 0, 0]),
                                        (2, ['one', 'two'], 'P', [0, 1, 0]))},
    coordinates={f'q{k}': {'kind': 'angle', 'joint': f'joint{k}'} for k in (1, 2)})
ARMS = {'plane': PLANE, 'space': SPACE}


def true_arm(dimension):
    """Return an arm that is heavier than its file says, and rubs more."""
    return ARMS[dimension].replace(
        bodies={'one': {'mass': 1.4}, 'two': {'mass': 0.8}},
        forces={'rub1': {'coulomb': 0.3}, 'rub2': {'viscous': 0.15}})


def cables(z, zd):
    """Return the torque of the machine beside its model (k, 2): cogging, a cable, an oil seal."""
    return np.column_stack([0.25 * np.sin(9.0 * z[:, 0]),
                            -0.5 * z[:, 1] ** 3 - 0.1 * zd[:, 1] * np.exp(-zd[:, 1] ** 2)])


def waves(seed, duration=12.0, reach=0.5, middle=0.3):
    """Return stamps (k) [ns] and z, zd, zdd (k, 2) of three waves in each joint."""
    random, t = np.random.default_rng(seed), np.arange(0.0, duration, STEP)
    rates = random.uniform(0.8, 5.0, (3, 2))
    phase = rates * t[:, None, None] + random.uniform(0.0, 2.0 * np.pi, (3, 2))
    sizes = reach / 3.0 * random.uniform(0.7, 1.3, (3, 2))
    return np.round(1e9 * t).astype(int), *(part.sum(axis=1) + offset for part, offset in (
        (sizes * np.sin(phase), np.reshape(middle, (-1, 1))), (sizes * rates * np.cos(phase), 0.0),
        (-sizes * rates ** 2 * np.sin(phase), 0.0)))


def recording(arm, beside, seed, motion=None):
    """Return a FitRecording; beside(z, zd): torque that the drives work against as well."""
    stamps, *states = motion or waves(seed)
    needed = np.array([arm.inverse_dynamics(*at) for at in zip(*states, strict=True)])
    noise = NOISE * np.random.default_rng(seed + 100).standard_normal(needed.shape)
    return FitRecording(DynamicsSamples(RecordedMotion(stamps, *states),
                                        needed - beside(*states[:2]) + noise))


def nothing(z, zd):
    """Return no torque (k, 2)."""
    return np.zeros(z.shape)
