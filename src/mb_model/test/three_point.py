"""A four bar whose coupler carries a third point with a pendulum, all bodies off-centre."""

RAW = {
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
