"""Mechanisms in space for tests: every kind of joint, free bodies, forces of every kind."""

import copy

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model import Mechanism, load_mechanism
from mb_model.space_api import body_poses

BOX = {'mass': 2.0, 'centre_of_gravity': [0.1, -0.05, 0.2], 'inertia': [0.3, 0.4, 0.45, 0.02, -0.03,
                                                                       0.04]}
TORQUE_FREE = {
    'name': 'torque_free', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0],
    'bodies': {'box': {'mass': 2.0, 'centre_of_gravity': [0.1, 0.0, 0.0],
                       'inertia': [0.1, 0.25, 0.3],
                       'pose': {'at': [1.0, 2.0, 3.0], 'turn': [0.3, -0.4, 0.5]}}},
    'coordinates': {'at': {'kind': 'position', 'body': 'box', 'at': [0.1, 0.0, 0.0]},
                    'turn': {'kind': 'orientation', 'body': 'box'}},
    'independent': ['at.x', 'at.y', 'at.z', 'turn.x', 'turn.y', 'turn.z'],
    'start_velocity': {'at.x': 0.3, 'turn.x': 0.2, 'turn.y': 5.0, 'turn.z': 0.1}}

# What each kind of joint needs, and coordinates that decide the motion of the body on it.
JOINTS = {
    'revolute': ({'axis': [0.3, 1.0, -0.2]}, {'a': 'angle'}),
    'prismatic': ({'axis': [1.0, 0.3, 0.2]}, {'s': 'slider'}),
    'cylindrical': ({'axes': [[0.2, 0.1, 1.0], [1.0, 0.0, 0.3]]}, {'a': 'angle', 's': 'slider'}),
    'screw': ({'axis': [0.0, 0.4, 1.0], 'pitch': 0.3}, {'a': 'angle'}),
    'universal': ({'axes': [[1.0, 0.2, 0.0], [0.0, 1.0, 0.4]]}, {'a': 'angle', 'b': 'angle'}),
    'planar': ({'axis': [0.1, 0.2, 1.0]}, {'a': 'angle', 'at': 'position'}),
    'in_line': ({'axis': [0.3, 0.2, 1.0]}, {'turn': 'orientation', 's': 'slider'}),
    'spherical': ({}, {'turn': 'orientation'}),
    'weld': ({'turn': [0.3, 0.2, -0.4]}, {}),
    'distance': ({'length': 0.5}, {'turn': 'orientation', 'at': 'position'}),
    'revolute_spherical': ({'axis': [0.0, 0.3, 1.0], 'length': 0.5},
                           {'turn': 'orientation', 'at': 'position'}),
}
OPEN = 'in_line', 'distance', 'revolute_spherical'      # their bodies need a pose


def on_joint(kind, first='base', more=None):
    """Return the mapping of a body on a joint of a kind, carried by a turning base."""
    needs, coordinates = JOINTS[kind]
    body = dict(BOX, points={'here': [0.1, 0.2, -0.1]})
    if kind in OPEN:
        body['pose'] = {'at': [0.45, 0.1, 0.35], 'turn': [0.2, 0.1, -0.3]}
    named = {}
    for name, of in coordinates.items():
        if of in ('angle', 'slider'):
            named[name] = {'kind': of, 'joint': 'tested'} | (
                {'of': 'second'} if (kind, name) == ('universal', 'b') else {})
        else:
            named[name] = {'kind': of, 'body': 'body'} | (
                {'at': 'here'} if of == 'position' else {})
    raw = {
        'name': f'on_{kind}', 'dimension': 3, 'gravity': [0.5, -1.0, -9.0],
        'bodies': {'base': {'mass': 1.5, 'centre_of_gravity': [0.1, 0.1, 0.0],
                            'inertia': [0.2, 0.15, 0.3],
                            'points': {'there': [0.3, 0.1, 0.2]}}, 'body': body},
        'joints': {'stand': {'kind': 'revolute', 'bodies': ['ground', 'base'],
                             'at': [[0.0, 0.0, 0.1], [0.0, 0.0, 0.0]], 'axis': [0.2, 0.1, 1.0]},
                   'tested': {'kind': kind, 'bodies': [first, 'body'],
                              'at': ['there', 'here'] if first == 'base' else [
                                  [0.3, 0.1, 0.3], 'here']} | needs},
        'coordinates': {'theta': {'kind': 'angle', 'joint': 'stand'}} | named}
    return raw | (more or {})


def rolling(kind, axis, inertia):
    """Return the mapping of a body that rolls on a plane that leans, with a pendulum at its hub."""
    return {
        'name': kind, 'dimension': 3, 'gravity': [0.4, -1.0, -9.0],
        'bodies': {'wheel': {'mass': 2.0, 'centre_of_gravity': [0.0, 0.02, 0.01],
                             'inertia': inertia, 'points': {'hub': [0.0, 0.0, 0.0]},
                             'pose': {'at': [0.3, -0.2, 0.35], 'turn': [0.25, 0.1, 0.0]}},
                   'bob': {'mass': 0.6, 'centre_of_gravity': [0.0, 0.03, -0.1],
                           'inertia': [4e-3, 5e-3, 2e-3], 'points': {'hub': [0.0, 0.0, 0.0]}}},
        'joints': {'contact': {'kind': kind, 'bodies': ['ground', 'wheel'], 'radius': 0.3,
                               'at': [[0.1, 0.2, 0.05], 'hub'], 'slip_decay': 7.0} | axis,
                   'hub': {'kind': 'revolute', 'bodies': ['wheel', 'bob'], 'at': 'hub',
                           'axis': [0.1, 1.0, 0.0]}},
        'coordinates': {'at': {'kind': 'position', 'body': 'wheel'},
                        'turn': {'kind': 'orientation', 'body': 'wheel'},
                        'swing': {'kind': 'angle', 'joint': 'hub'}},
        'independent': ['at.x', 'at.y', 'turn.x', 'turn.y', 'turn.z', 'swing'],
        'start_velocity': {'turn.x': 0.3, 'turn.y': 4.0, 'turn.z': 0.7, 'swing': 1.5},
        'forces': {'rub': {'kind': 'friction', 'coordinate': 'swing', 'viscous': 0.02}}}


ROLLING = {
    'rolling_disc': rolling('rolling_disc', {'axes': [[0.1, 0.05, 1.0], [0.0, 1.0, 0.1]]},
                            [0.04, 0.08, 0.045, 1e-3, 0.0, -2e-3]),
    'rolling_ball': rolling('rolling_ball', {'axis': [0.1, 0.05, 1.0]},
                            [0.05, 0.08, 0.06, 1e-3, 0.0, -2e-3])}

FORCES = {
    'push': {'kind': 'wrench', 'body': 'body', 'at': 'here', 'force': [3.0, -4.0, 2.0],
             'moment': [0.3, 0.5, -0.7]},
    'jet': {'kind': 'wrench', 'body': 'body', 'at': [0.2, 0.1, 0.0], 'force': [1.0, 2.0, 3.0],
            'moment': [0.2, -0.4, 0.1], 'axes': 'body'},
    'strut': {'kind': 'spring_damper', 'bodies': ['ground', 'body'], 'at': [[1.0, 1.0, 2.0],
                                                                         [0.3, 0.0, 0.1]],
              'stiffness': 30.0, 'rest': 0.4, 'damping': 2.0},
    'coil': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 4.0, 'rest': 0.2,
             'damping': 0.5},
    'rubber': {'kind': 'bushing', 'bodies': ['base', 'body'], 'at': [[0.3, 0.1, 0.25],
                                                                     [0.1, 0.2, 0.0]],
               'turns': [[0.1, 0.2, -0.1], [0.0, 0.3, 0.1]],
               'stiffness': [9.0, 5.0, 7.0, 0.9, 0.5, 0.7],
               'damping': [0.9, 0.5, 0.7, 0.3, 0.2, 0.4]},
    'rub': {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 0.4, 'transition_velocity': 0.3},
}

# A strut of two slender bodies between the ground and a link: every kind of equations.
STRUT = {
    'name': 'strut', 'dimension': 3,
    'bodies': {
        'link': {'mass': 2.0, 'shapes': [{'kind': 'box', 'size': [1.0, 0.1, 0.05],
                                          'at': [0.5, 0.0, 0.0]}],
                 'points': {'A': [0.0, 0.0, 0.0], 'D': [0.7, 0.02, 0.0]},
                 'pose': {'turn': [0.0, -0.4, 0.0]}},
        'barrel': {'mass': 1.0, 'slender': True, 'points': {'C': [0.0, 0.0, 0.0],
                                                            'end': [0.4, 0.0, 0.0]},
                   'centre_of_gravity': [0.2, 0.0, 0.0], 'inertia': [0.0, 0.02, 0.02],
                   'pose': {'at': [0.5, 0.0, -0.5], 'turn': [0.0, -1.4, 0.0]}},
        'rod': {'mass': 0.5, 'slender': True, 'points': {'D': [0.0, 0.0, 0.0],
                                                         'end': [-0.5, 0.0, 0.0]},
                'centre_of_gravity': [-0.25, 0.0, 0.0], 'inertia': [0.0, 0.01, 0.01],
                'pose': {'at': [0.65, 0.02, 0.27], 'turn': [0.0, -1.4, 0.0]}}},
    'joints': {
        'hinge': {'kind': 'revolute', 'bodies': ['ground', 'link'],
                  'at': [[0.0, 0.0, 0.0], 'A'], 'axis': [0.0, -1.0, 0.0]},
        'foot': {'kind': 'spherical', 'bodies': ['ground', 'barrel'],
                 'at': [[0.5, 0.02, -0.5], 'C']},
        'sleeve': {'kind': 'cylindrical', 'bodies': ['barrel', 'rod'], 'at': ['C', 'D'],
                   'axis': [1.0, 0.0, 0.0]},
        'head': {'kind': 'spherical', 'bodies': ['link', 'rod'], 'at': ['D', 'D']}},
    'coordinates': {'lift': {'kind': 'angle', 'joint': 'hinge'},
                    'stroke': {'kind': 'slider', 'joint': 'sleeve'}},
    'independent': ['lift']}


def cross(vector):
    """Return the matrix of the cross product with a vector (3)."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def floating_linkage(turn=(0.0, 0.0, 0.0), near=None):
    """Return the Mechanism, turned with all of its world by a rotation vector; without gravity.

    near: Mechanism and position (n) on whose branch it starts.
    """
    raw = copy.deepcopy(load_mechanism('spatial_four_bar').raw)
    world = Rotation.from_rotvec(turn)
    raw['bodies'] = {'hull': {
        'points': {'A': [0.0, 0.0, 0.0], 'B': [10.0, 0.0, 0.0]}, 'mass': 30.0,
        'centre_of_gravity': [5.0, -1.0, 0.0], 'inertia': [150.0, 400.0, 350.0],
        'pose': {'at': [0.0, 0.0, 0.0], 'turn': [0.0, 0.0, 0.0]}}} | raw['bodies']
    if near is not None:
        for body, (at, axes) in body_poses(*near).items():
            if body in raw['bodies']:
                turned = Rotation.from_matrix(axes[0]).as_rotvec().tolist()
                raw['bodies'][body]['pose'] = {'at': at[0].tolist(), 'turn': turned}
    else:
        for body, angle in (('crank', np.pi / 3), ('coupler', np.arctan2(2.97, 7.4)),
                            ('rocker', np.arctan2(-4.7, 1.6))):
            raw['bodies'][body]['pose']['turn'] = [0.0, 0.0, float(angle)]
    for body in raw['bodies'].values():
        pose = body['pose']
        pose['at'] = world.apply(pose['at']).tolist()
        pose['turn'] = (world * Rotation.from_rotvec(pose['turn'])).as_rotvec().tolist()
    raw['joints']['hinge1']['bodies'] = ['hull', 'crank']
    raw['joints']['hinge4']['bodies'] = ['rocker', 'hull']
    raw['coordinates'] |= {'at': {'kind': 'position', 'body': 'hull', 'at': [0.0, 0.0, 0.0]},
                           'turn': {'kind': 'orientation', 'body': 'hull'}}
    velocity = world.apply([0.3, 0.0, 0.2])
    sensors = {'place': {'kind': 'position', 'point': {'body': 'hull', 'at': [0.0, 0.0, 0.0]},
                         'sigma': 0.01},
               'compass': {'kind': 'orientation', 'body': 'hull', 'sigma': 0.01}}
    return Mechanism({key: value for key, value in raw.items() if key != 'ground'} | {
        'name': 'floating_linkage', 'gravity': [0.0, 0.0, 0.0],
        'independent': [*(f'{name}.{axis}' for name in ('at', 'turn') for axis in 'xyz'), 'theta'],
        'start_velocity': {'turn.x': 0.4, 'turn.y': -0.6, 'turn.z': 0.3, 'theta': 2.0} | dict(
            zip(('at.x', 'at.y', 'at.z'), velocity.tolist(), strict=True)),
        'sensors': raw['sensors'] | sensors}, 'floating_linkage.yaml')


def by_drives(name, near=None):
    """Return a mechanism whose degrees of freedom are its drives, at the start of its file.

    near (n): position whose branch it is on, by default the file's; as it orders coordinates.
    """
    mechanism = load_mechanism(name)
    q = mechanism.q0 if near is None else near
    values = dict(zip(mechanism.coordinates, mechanism.q0.tolist(), strict=True))
    poses = {body: {'pose': {'at': at[0].tolist(), 'rpy': None,
                             'turn': Rotation.from_matrix(turn[0]).as_rotvec().tolist()}}
             for body, (at, turn) in body_poses(mechanism, q).items() if body != 'ground'}
    return mechanism.replace(
        independent=list(mechanism.drives), bodies=poses,
        start=dict.fromkeys(mechanism.independent) | {drive: values[drive]
                                                      for drive in mechanism.drives})
