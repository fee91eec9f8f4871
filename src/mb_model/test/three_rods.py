"""A bar on three parallel rods: one more than it needs, so that one constraint is redundant."""

RAW = {
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
