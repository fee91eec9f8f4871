"""A four-bar linkage in space whose ground is a hull that floats freely."""

import copy

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model import Mechanism, load_mechanism
from mb_model.space_api import body_poses


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
