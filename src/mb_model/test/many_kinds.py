"""A mechanism with every kind of coordinate and constraint, and every kind of force."""

RAW = {
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

FORCES = {
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
