"""Random machines in space with loops: a closed position that is known, drawn open on purpose."""

from dataclasses import dataclass
from math import pi

import numpy as np
from scipy.spatial.transform import Rotation

TURNS = {'revolute': 1, 'prismatic': 1, 'cylindrical': 2, 'universal': 2, 'spherical': 3}


@dataclass
class Chain:
    """raw: the mapping of a file; closed: body -> (at, turn) where all joints meet."""

    raw: dict
    closed: dict


def turn_of(random, most=pi):
    """Return a random rotation matrix by at most an angle."""
    axis = random.normal(size=3)
    return Rotation.from_rotvec(
        most * random.uniform(0.0, 1.0) * axis / np.linalg.norm(axis)).as_matrix()


def motion(random, kind):
    """Return (at, turn) of a second joint frame in the first one."""
    about_z = Rotation.from_euler('z', random.uniform(-1.5, 1.5)).as_matrix()
    along = np.array([0.0, 0.0, random.uniform(-0.2, 0.2)])
    still = np.zeros(3)
    return {'revolute': (still, about_z), 'prismatic': (along, np.eye(3)),
            'cylindrical': (along, about_z), 'spherical': (still, turn_of(random)),
            'universal': (still, about_z @ Rotation.from_euler(
                'x', random.uniform(-1.0, 1.0)).as_matrix())}[kind]


def then(first, second):
    """Return the pose of `second`, which is in `first`."""
    return first[0] + first[1] @ second[0], first[1] @ second[1]


def inverse(pose):
    """Return the inverse of a pose."""
    return -pose[1].T @ pose[0], pose[1].T


def entry(kind, bodies, frames):
    """Return the mapping of a joint by the frames (at, turn) on both bodies."""
    one = {'kind': kind, 'bodies': bodies, 'at': [frame[0].tolist() for frame in frames]}
    if kind == 'universal':
        one['axes'] = [frames[0][1][:, 2].tolist(), frames[1][1][:, 0].tolist()]
    elif kind != 'spherical':
        one['axes'] = [frame[1][:, 2].tolist() for frame in frames]
        one['references'] = [frame[1][:, 0].tolist() for frame in frames]
    return one


def chain(seed, kinds, closures, apart, turned):
    """Return a Chain of joints of kinds from the ground, its last bodies tied to the ground.

    closures: kinds of joints to the ground, of the last body, the one before, and so on; apart [m]
    and turned [rad]: by how much, at most, each body is drawn off the closed position.
    """
    random = np.random.default_rng(seed)

    def place(far):
        return random.uniform(-far, far, 3), turn_of(random)

    closed, before = {'ground': (np.zeros(3), np.eye(3))}, 'ground'
    joints, bodies = {}, {}
    for k, kind in enumerate(kinds):
        frames = place(0.3), place(0.3)
        name = f'b{k}'
        closed[name] = then(then(then(closed[before], frames[0]), motion(random, kind)),
                            inverse(frames[1]))
        joints[f'j{k}'] = entry(kind, [before, name], frames)
        before = name
    for k, kind in enumerate(closures):
        name, frame = f'b{len(kinds) - 1 - k}', place(0.3)
        on_ground = then(then(closed[name], frame), inverse(motion(random, kind)))
        joints[f'loop{k}'] = entry(kind, ['ground', name], (on_ground, frame))
    for name, (at, turn) in closed.items():
        if name != 'ground':
            way = random.normal(size=3)
            drawn = at + apart * random.uniform() * way / np.linalg.norm(way)
            turned_by = turn @ turn_of(random, turned)
            bodies[name] = {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, 0.1],
                            'inertia': [0.1, 0.1, 0.1], 'pose': {
                                'at': drawn.tolist(),
                                'turn': Rotation.from_matrix(turned_by).as_rotvec().tolist()}}
    return Chain({'name': 'chain', 'dimension': 3, 'bodies': bodies, 'joints': joints}, closed)


def open_by(raw, poses):
    """Return joint -> how far it is open [m, or sine of an angle] at poses by body (at, turn)."""
    return {name: _open_by(one, [poses[body] for body in one['bodies']])
            for name, one in raw['joints'].items()}


def _open_by(one, poses):
    first, second = (pose[0] + pose[1] @ np.array(at) for pose, at in zip(
        poses, one['at'], strict=True))
    axes = [pose[1] @ np.array(axis) for pose, axis in zip(poses, one.get('axes', []), strict=bool(
        one.get('axes')))]
    kind, between = one['kind'], second - first
    if kind == 'spherical':
        return float(np.linalg.norm(between))
    if kind == 'universal':
        return float(max(np.linalg.norm(between), abs(axes[0] @ axes[1])))
    if kind in ('prismatic', 'cylindrical'):
        between = np.cross(axes[0], between)
    found = max(np.linalg.norm(between), np.linalg.norm(axes[0] - axes[1]))
    if kind == 'prismatic':
        sides = [pose[1] @ np.array(side) for pose, side in zip(poses, one['references'],
                                                                strict=True)]
        found = max(found, np.linalg.norm(sides[0] - sides[1]))
    return float(found)
