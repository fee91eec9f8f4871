"""Machines with oil for tests, and linear algebra by scipy and by differences."""

import numpy as np
from scipy.linalg import expm

from mb_model import Mechanism, load_mechanism

CRANE = load_mechanism('crane')
SENSORS = ['cylinder_encoder', 'pressure1', 'pressure2']


def linear_step(A, rates, psd, h):
    """Return transition, increment and noise of x' = A x + rates + noise by scipy (Van Loan)."""
    n = len(A)
    with_rates, doubled = np.zeros((n + 1, n + 1)), np.zeros((2 * n, 2 * n))
    with_rates[:n, :n], with_rates[:n, n] = A, rates
    doubled[:n, :n], doubled[:n, n:], doubled[n:, n:] = -A, np.diag(psd), A.T
    both = expm(doubled * h)
    F = expm(A * h)
    return F, expm(with_rates * h)[:n, n], F @ both[:n, n:]


def jacobian(function, x):
    """Return the central differences of a function."""
    steps = 1e-6 * np.maximum(1.0, np.abs(x))
    return np.stack([(function(x + step) - function(x - step)) / (2.0 * step.sum())
                     for step in np.diag(steps)], axis=1)


def two_cylinders():
    """Two blocks on slideways, pushed by cylinders whose order differs from the coordinates'."""
    cylinder = CRANE.raw['hydraulics']['cylinders']['lift']
    valve = CRANE.raw['hydraulics']['valves']['directional']
    volume = {'volume': 0.3e-3, 'bulk_modulus': 1.2e9, 'start': 2.0e6}
    raw = {'name': 'blocks', 'gravity': [0.0, 0.0], 'points': {}, 'bodies': {}, 'coordinates': {},
           'constraints': {}, 'independent': ['s2', 's1'], 'start': {'s1': 0.8, 's2': 0.95},
           'sensors': {}, 'hydraulics': {
               'oil': CRANE.raw['hydraulics']['oil'], 'volumes': {}, 'cylinders': {}, 'valves': {},
               'supplies': CRANE.raw['hydraulics']['supplies']}}
    for k, y in ((1, 0.0), (2, 1.0)):
        raw['points'] |= {f'A{k}': {'fixed': [0.0, y]}, f'E{k}': {'fixed': [2.0, y]},
                          f'B{k}': {'start': [0.8, y]}, f'F{k}': {'start': [1.0, y]}}
        raw['bodies'][f'block{k}'] = {'points': [f'B{k}', f'F{k}'], 'length': 0.2, 'mass': 300.0}
        raw['coordinates'][f's{k}'] = {'kind': 'distance', 'points': [f'A{k}', f'B{k}']}
        raw['constraints'] |= {
            f'{end}{k}': {'kind': 'slider', 'point': f'{end}{k}', 'along': [f'A{k}', f'E{k}']}
            for end in 'BF'}
        raw['sensors'] |= {
            f'encoder{k}': {'kind': 'linear_encoder', 'coordinate': f's{k}', 'sigma': 1e-3 * k},
            f'piston{k}': {'kind': 'pressure', 'volume': f'piston{k}', 'sigma': 1e4 * k}}
        raw['hydraulics']['volumes'] |= {f'piston{k}': volume,
                                         f'rod{k}': volume | {'start': 1.6e6}}
        raw['hydraulics']['cylinders'][f'c{k}'] = cylinder | {
            'coordinate': f's{k}', 'piston_side': f'piston{k}', 'rod_side': f'rod{k}'}
        raw['hydraulics']['valves'][f'valve{k}'] = valve | {
            'A': f'piston{k}', 'B': f'rod{k}', 'start': 0.1}
    mechanism = Mechanism(raw, 'blocks.yaml')
    return mechanism, list(mechanism.sensors), np.array([0.7, 0.4])


def crane_with_an_accelerometer():
    """With an encoder of the arm and an accelerometer on it beside cylinder and pressures."""
    mechanism = CRANE.replace(sensors={'tip': {
        'kind': 'accelerometer', 'body': 'arm', 'at': 'T', 'sigma': 0.05}},
        hydraulics={'valves': {'directional': {'start': 0.1}}})
    return mechanism, [*SENSORS, 'lift_encoder', 'tip'], np.array([0.7])


def crane_with_a_sensor_at_the_pump():
    """With a pressure sensor at its supply beside both in the volumes."""
    mechanism = CRANE.replace(sensors={'pump_pressure': {
        'kind': 'pressure', 'volume': 'pump', 'sigma': 5e4}},
        hydraulics={'valves': {'directional': {'start': 0.1}}})
    return mechanism, [*SENSORS, 'pump_pressure'], np.array([0.7])
