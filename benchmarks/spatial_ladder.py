"""Time of a step of a ladder in space, from 60 to 600 bodies, a closed loop for each three of them.

Four-bar linkages hang on each other: a leg and a rung on hinges, and a rod on two balls beside.
Hinges are about one axis, or about two in turn.  Measured as spatial_chain does.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.spatial_chain import EXPONENT, of_steps, shortest
from mb_model import Mechanism

CELLS = (20, 60, 200)


def measure():
    """Return the time of a step by the number of bodies, and the exponent, for axes of two kinds.
    """
    figures = []
    for in_turn in (False, True):
        axes = 'axes in turn' if in_turn else 'one axis'
        times = shortest({cells: of_steps(Mechanism(ladder(cells, in_turn), 'ladder.yaml'),
                                          'semi_recursive', 'rk4') for cells in CELLS})
        exponent = np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0]
        figures.append(Figure(f'{axes}: exponent', exponent, '', EXPONENT))
        figures += [Figure(f'{axes}: step of {3 * cells} bodies', 1e6 * time, 'us')
                    for cells, time in times.items()]
    return figures


def ladder(cells, in_turn, floats=False):
    """Return the mapping of a ladder of so many loops; floats: its uppermost rung is free."""
    even, odd = ('(1 + (-1) ** i) / 2', '(1 - (-1) ** i) / 2') if in_turn else ('1', '0')
    across, along = [odd, even, 0], [f'0.2 * {even}', f'0.2 * {odd}', 0]      # of the hinges
    beside = [f'0.2 * {odd}', f'0.2 * {even}', 0] if in_turn else along       # of the next loop
    rung = {'mass': 0.4, 'centre_of_gravity': [0.07, 0.03, -0.02],
            'inertia': [4e-3, 5e-3, 6e-3, 1e-4, 2e-4, -1e-4]}
    rod = {'kind': 'cylinder', 'from': 'A', 'to': 'B', 'radius': 0.02}
    leg = {'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]}, 'shapes': [rod]}
    free = {'at': {'kind': 'position', 'body': 'rung0'},
            'turn': {'kind': 'orientation', 'body': 'rung0'}} if floats else {}
    pose = {'pose': {'at': [0.3, -0.2, 0.5], 'turn': [0.2, -0.1, 0.3]}} if floats else {}
    independent = [f'{name}.{axis}' for name in free for axis in 'xyz']
    independent += [f'angle{k + 1}' for k in range(cells)]
    return {
        'name': 'ladder', 'dimension': 3, 'parameters': {'cells': cells},
        'bodies': {'rung0': {**rung, **pose, 'points': {'A': [0, 0, 0], 'C': [0.2, 0, 0]}}},
        'repeat': {'cells': {
            'count': 'cells',
            'bodies': {
                'leg<i+1>': leg,
                'rod<i+1>': {**leg, 'slender': True, 'shapes': [{**rod, 'kind': 'rod'}]},
                'rung<i+1>': {**rung, 'points': {'A': [0, 0, 0], 'B': along, 'C': beside}}},
            'joints': {
                'a<i+1>': {'kind': 'revolute', 'bodies': ['rung<i>', 'leg<i+1>'], 'at': 'A',
                           'axis': across},
                'b<i+1>': {'kind': 'spherical', 'bodies': ['rung<i>', 'rod<i+1>'],
                           'at': ['C', 'A']},
                'c<i+1>': {'kind': 'revolute', 'bodies': ['leg<i+1>', 'rung<i+1>'],
                           'at': ['B', 'A'], 'axis': across},
                'd<i+1>': {'kind': 'spherical', 'bodies': ['rod<i+1>', 'rung<i+1>'], 'at': 'B'}},
            'coordinates': {'angle<i+1>': {'kind': 'angle', 'joint': 'a<i+1>'}}}},
        'joints': {} if floats else {'wall': {'kind': 'weld', 'bodies': ['ground', 'rung0'],
                                              'at': [[0, 0, 0], 'A']}},
        'coordinates': free, 'independent': independent,
        'start_velocity': {f'angle{k + 1}': 0.3 * (-1) ** (k // 2) for k in range(cells)}}
