"""The excavator of the benchmarks on a base that tilts and sways: the true one, and its model.

The true machine floats: its undercarriage is free, held by springs and dampers as by water or soft
ground, with other masses and friction than the model's, a load that lies elsewhere in the bucket,
and stops of the bucket's cylinder elsewhere.  The model moves its base by three ways and two
angles, each a coordinate, so that filters without dynamics take it.
"""

import numpy as np

from mb_model import load_mechanism

UNDERCARRIAGE = {'points': {'middle': [0.0, 0.0, 0.0], 'ring': [0.0, 0.0, 1.0]}, 'mass': 9000.0,
                 'shapes': [{'kind': 'box', 'size': [4.4, 3.0, 0.9], 'at': [0.0, 0.0, 0.45]}],
                 'pose': {'at': [0.0, 0.0, 0.0]}}
UPRIGHT = {'pose': {'at': [0.0, 0.0, 0.0]}}
STAGE = {'points': {'O': [0.0, 0.0, 0.0]}, 'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
         'inertia': [1.0, 1.0, 1.0]}
GROUND = {'O': [0.0, 0.0, 0.0]}
LINKS = ('boom_angle', 'arm_angle', 'bucket_angle')
CYLINDERS = ('boom', 'arm', 'bucket')
IMUS = ('house', 'boom', 'arm', 'bucket')
WAYS = {'x': [1.0, 0.0, 0.0], 'y': [0.0, 1.0, 0.0], 'z': [0.0, 0.0, 1.0]}
MASS_ERROR = 0.04       # largest, of each body
LOAD_AT, LOAD_OFF = np.array([0.65, 0.0, 0.4]), 0.02        # m: in the bucket, deviation of truth
STOP_OFF = 5e-4         # m: deviation of the true places of the stops of the bucket's cylinder
HELD = {'stiffness': [6e5, 6e5, 3e6, 4e6, 4e6, 4e6], 'damping': [9e4, 9e4, 2e5, 4e5, 4e5, 4e5]}


def loaded(mechanism, at):
    """Return an excavator with a load, a parameter [kg], at a place in its bucket [m]."""
    return mechanism.replace(
        parameters={'load': 1.0},
        bodies={'load': {'points': {'G': [0.0, 0.0, 0.0]}, 'mass': 'load',
                         'shapes': [{'kind': 'sphere', 'radius': 0.4}]}},
        joints={'in_bucket': {'kind': 'weld', 'bodies': ['bucket', 'load'],
                              'at': [[float(x) for x in at], [0.0, 0.0, 0.0]]}})


def true_excavator(seed):
    """Return the floating excavator; a seed draws how far it is off; friction is more."""
    random, nominal = np.random.default_rng([seed, 23]), load_mechanism('excavator')
    stops = STOP_OFF * random.normal(size=2)
    bodies = {name: {'mass': body.mass * (1.0 + MASS_ERROR * random.uniform(-1.0, 1.0))}
              for name, body in nominal.bodies.items()}
    cylinders = {name: {'friction': {
        'coulomb': 1.3 * coulomb, 'static': 1.7 * coulomb, 'viscous': 2.6e4}}
        for name, coulomb in zip(CYLINDERS, (3000.0, 2500.0, 2000.0), strict=True)}
    cylinders['bucket'] |= {'retracted': float(1.65 + stops[0]),
                             'stroke': float(1.05 + stops[1] - stops[0])}
    return loaded(nominal, LOAD_AT + LOAD_OFF * random.normal(size=3)).replace(
        ground=GROUND, bodies=bodies | {'undercarriage': UNDERCARRIAGE},
        joints={'ring': {'bodies': ['undercarriage', 'house']}},
        coordinates={'base': {'kind': 'position', 'body': 'undercarriage'},
                     'edge': {'kind': 'position', 'body': 'bucket', 'at': 'tip'},
                     'turn': {'kind': 'orientation', 'body': 'undercarriage'}},
        forces={'afloat': {'kind': 'bushing', 'bodies': ['ground', 'undercarriage'],
                           'at': ['O', 'middle'], **HELD}},
        independent=['base.x', 'base.y', 'base.z', 'turn.x', 'turn.y', 'turn.z', 'slew',
                     'boom_length', 'arm_length', 'bucket_length'],
        hydraulics={'cylinders': cylinders}, start_velocity={'slew': 0.0})


def model_excavator():
    """Return what the estimator takes the machine to be; its encoders are not used."""
    stages = {f'stage_{way}': STAGE for way in WAYS}
    below = ['ground', *stages]
    slides = {f'slide_{way}': {'kind': 'prismatic', 'bodies': [below[k], below[k + 1]], 'at': 'O',
                               'axis': axis} for k, (way, axis) in enumerate(WAYS.items())}
    return loaded(load_mechanism('excavator'), LOAD_AT).replace(
        ground=GROUND, bodies=stages | {'undercarriage': UNDERCARRIAGE, 'house': UPRIGHT},
        joints={'ring': {'bodies': ['undercarriage', 'house']}, **slides, 'tilt': {
            'kind': 'universal', 'bodies': ['stage_z', 'undercarriage'], 'at': ['O', 'middle'],
            'axes': [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]}},
        coordinates={**{way: {'kind': 'slider', 'joint': f'slide_{way}'} for way in WAYS},
                     'roll': {'kind': 'angle', 'joint': 'tilt', 'of': 'first'},
                     'pitch': {'kind': 'angle', 'joint': 'tilt', 'of': 'second'}},
        independent=[*WAYS, 'roll', 'pitch', 'slew', *LINKS],
        sensors={'place': {'kind': 'position', 'point': {'body': 'undercarriage', 'at': 'middle'},
                           'sigma': 0.1, 'rate': 10.0}},
        start={'boom_length': None, 'arm_length': None, 'bucket_length': None,
               'boom_angle': 0.52, 'arm_angle': -1.90, 'bucket_angle': -0.70},
        start_velocity={'slew': 0.0})

