"""Machines in the plane: the ones that come with mb_model, and small ones for tests.

THREE_RODS: a bar on three parallel rods, one more than it needs, so that one constraint is
redundant.  THREE_POINT: a four bar whose coupler carries a third point with a pendulum, all bodies
off-centre.  MANY_KINDS: every kind of coordinate and constraint; MANY_FORCES: every kind of force.
"""

from mb_model import load_mechanism, mechanism_names

THREE_RODS = {
    'name': 'three_rods',
    'points': {'A0': {'fixed': [0.0, 0.0]}, 'A1': {'fixed': [1.0, 0.0]},
               'A2': {'fixed': [2.0, 0.0]}, 'B0': {'start': [0.54, -0.84]},
               'B1': {'start': [1.54, -0.84]}, 'B2': {'start': [2.54, -0.84]}},
    'bodies': {**{f'rod{k}': {'points': [f'A{k}', f'B{k}'], 'length': 1.0, 'mass': 1.0}
                  for k in range(3)},
               'bar': {'points': {'B0': [0.0, 0.0], 'B1': [1.0, 0.0], 'B2': [2.0, 0.0]},
                       'mass': 2.0, 'centre_of_gravity': [0.8, 0.3], 'inertia': 0.5}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'rod0'}},
    'independent': ['theta'], 'start': {'theta': -1.0},
}

THREE_POINT = {
    'name': 'three_point', 'gravity': [1.5, -9.0],
    'parameters': {'h': 0.7},
    'points': {'A': {'fixed': [0.0, 0.0]}, 'P1': {'start': [1.0, 0.5]}, 'P2': {'start': [3.2, 2.2]},
               'B': {'fixed': [4.0, -0.2]}, 'C': {'start': [1.5, 2.0]}, 'D': {'start': [1.6, 1.0]}},
    'bodies': {
        'crank': {'points': ['A', 'P1'], 'length': 1.1, 'mass': 1.5,
                  'centre_of_gravity': [0.3, 0.1], 'inertia': 0.2},
        'coupler': {'points': {'P1': [0, 0], 'P2': [2.8, 0], 'C': [1.2, 'h']}, 'mass': 2.5,
                    'centre_of_gravity': [1.1, 'h / 2'], 'inertia': 1.7},
        'rocker': {'points': ['B', 'P2'], 'length': 2.5, 'mass': 1.8,
                   'centre_of_gravity': [1.4, -0.2], 'inertia': 0.9},
        'pendulum': {'points': ['C', 'D'], 'length': 0.9, 'mass': 0.6,
                     'centre_of_gravity': [0.5, 0.05], 'inertia': 0.04}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'crank'},
                    'psi': {'kind': 'angle', 'body': 'pendulum'},
                    'chi': {'kind': 'angle', 'body': 'coupler'}},
    'independent': ['psi', 'theta'],
}

MANY_KINDS = {
    'name': 'many_kinds', 'gravity': [1.0, -9.0],
    'points': {'O': {'fixed': [0.0, 0.0]}, 'E': {'fixed': [2.0, 1.0]}, 'A': {'start': [0.3, 0.9]},
               'P': {'start': [2.0, 1.0]}, 'C': {'start': [1.4, 1.9]}, 'D': {'start': [1.1, 0.9]},
               'F': {'start': [0.9, 1.8]}},
    'bodies': {
        'crank': {'points': ['O', 'A'], 'length': 1.0, 'mass': 1.2},
        'rod': {'points': {'A': [0, 0], 'P': [1.9, 0], 'D': [0.8, -0.2]}, 'mass': 0.8,
                'centre_of_gravity': [0.7, 0.1], 'inertia': 0.3},
        'arm': {'points': ['P', 'C'], 'length': 1.1, 'mass': 0.5},
        'bar': {'points': ['C', 'F'], 'length': 0.6, 'mass': 0.4}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'crank'},
                    'beta': {'kind': 'relative_angle', 'bodies': ['crank', 'rod']},
                    'reach': {'kind': 'distance', 'points': ['O', 'C']},
                    'place': {'kind': 'slider', 'point': 'P', 'along': ['O', 'E']},
                    'onward': {'kind': 'slider', 'point': 'F', 'along': ['P', 'C']},
                    'turn': {'kind': 'relative_angle', 'bodies': ['rod', 'arm']}},
    'constraints': {'guide': {'kind': 'slider', 'point': 'P', 'along': ['O', 'E']},
                    'weld': {'kind': 'welded_angle', 'bodies': ['arm', 'bar'], 'angle': 2.0}},
    'independent': ['theta', 'turn'],
}

MANY_FORCES = {
    'spring': {'kind': 'spring_damper', 'coordinate': 'reach', 'stiffness': 200.0, 'rest': 2.0,
               'damping': 3.0},
    'hinge': {'kind': 'friction', 'coordinate': 'beta', 'viscous': 0.4, 'coulomb': 2.0,
              'static': 3.0, 'transition_velocity': 3.0},
    'guide': {'kind': 'friction', 'coordinate': 'place', 'viscous': 2.0},
    'motor': {'kind': 'constant', 'coordinate': 'theta', 'force': 4.0},
    'strut': {'kind': 'spring_damper', 'points': ['E', 'C'], 'stiffness': 50.0, 'rest': 0.5,
              'damping': 2.0},
    'coil': {'kind': 'spring_damper', 'bodies': ['crank', 'arm'], 'stiffness': 20.0, 'rest': 0.3,
             'damping': 1.0},
    'rub': {'kind': 'friction', 'bodies': ['crank', 'bar'], 'coulomb': 2.0,
            'transition_velocity': 2.0},
    'push': {'kind': 'load', 'body': 'rod', 'at': [0.3, 0.2], 'force': [3.0, -4.0], 'moment': 2.0},
    'jet': {'kind': 'load', 'body': 'rod', 'at': 'D', 'force': [5.0, 1.0], 'moment': -1.0,
            'axes': 'body'},
    'wheel': {'kind': 'tyre', 'body': 'arm', 'at': 'C', 'cornering_stiffness': 2.0,
              'standstill_speed': 2.0},
}


def planar_names():
    """Return the names of those in the plane."""
    return [name for name in mechanism_names() if load_mechanism(name).dimension == 2]


GEAR = 25
HOIST = {
    'name': 'hoist', 'gravity': [0, 0],
    'points': {'A': {'fixed': [0, 0]}, 'P': {'start': [1, 0]}, 'R': {'start': [0.1, 0]}},
    'bodies': {
        'arm': {'points': {'A': [0, 0], 'P': [1, 0]}, 'mass': 2.0, 'inertia': 0.2,
                'centre_of_gravity': [0.5, 0]},
        'rotor': {'points': {'A': [0, 0], 'R': [0.1, 0]}, 'mass': 0.02, 'inertia': 1e-4,
                  'centre_of_gravity': [0, 0]}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'arm'},
                    'motor': {'kind': 'angle', 'body': 'rotor'},
                    'between': {'kind': 'relative_angle', 'bodies': ['arm', 'rotor']}},
    'constraints': {'gear': {'kind': 'linear', 'terms': {'motor': 1, 'q': -GEAR}}},
    'independent': ['q'], 'start': {'q': 0}}


def flap(sensors: str, mass: float = 2.0, inertia: float = 1.0, more: str = '') -> str:
    """Return the text of the file of a flap; sensors: lines of their section; more: lines."""
    return f"""
name: flap
dimension: 3
gravity: [0, 0, -9.81]
ground: {{O: [0, 0, 0]}}
bodies:
  flap: {{mass: {mass}, centre_of_gravity: [0, 0, 0], inertia: [{inertia}, {inertia}, {inertia}],
    points: {{O: [0, 0, 0]}}}}
joints: {{hinge: {{kind: revolute, bodies: [ground, flap], at: O, axis: [0, 1, 0]}}}}
coordinates: {{pitch: {{kind: angle, joint: hinge}}}}
independent: [pitch]
{more}
sensors:{sensors}"""
