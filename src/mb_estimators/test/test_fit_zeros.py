"""Zeros of encoders that differ from bag to bag, against bags of known machines."""

import numpy as np
import pytest

from mb_estimators import (
    DynamicsSamples,
    EncoderReadings,
    FitError,
    FitRecording,
    FitSettings,
    fit,
)
from mb_model import Mechanism, Regressor
from mb_sensors import EncoderMotion, sensors_of

STEP, SIGMA, TORQUE, KNOT = 8e-3, 2e-4, 0.03, 0.08      # s, rad, N m, s
SETTINGS = FitSettings(held_out=0.0, averaging_time=0.04, torque_deviation=TORQUE)
PLANAR = {
    'name': 'planar', 'gravity': [0.0, -9.81],
    'points': {'A': {'fixed': [0, 0]}, 'B': {'start': [0.4, 0.0]}, 'C': {'start': [0.7, 0.0]}},
    'bodies': {
        'upper': {'points': {'A': [0, 0], 'B': [0.4, 0]}, 'mass': 2.0,
                  'centre_of_gravity': [0.2, 0.0], 'inertia': 0.04},
        'lower': {'points': {'B': [0, 0], 'C': [0.3, 0]}, 'mass': 1.0,
                  'centre_of_gravity': [0.15, 0.0], 'inertia': 0.01}},
    'coordinates': {'a': {'kind': 'angle', 'body': 'upper'},
                    'b': {'kind': 'relative_angle', 'bodies': ['upper', 'lower']}},
    'independent': ['a', 'b'], 'drives': ['a', 'b'], 'start': {'a': -0.8, 'b': 0.5},
    'forces': {'rub': {'kind': 'friction', 'coordinate': 'a', 'coulomb': 0.2, 'viscous': 0.1,
                       'transition_velocity': 0.1}},
    'sensors': {'first': {'kind': 'angle_encoder', 'body': 'upper', 'sigma': SIGMA, 'rate': 125.0},
                'second': {'kind': 'relative_angle_encoder', 'bodies': ['upper', 'lower'],
                           'sigma': SIGMA, 'rate': 125.0}}}
SPATIAL = {
    'name': 'spatial', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81], 'ground': {'A': [0, 0, 0]},
    'bodies': {
        'upper': {'points': {'A': [0, 0, 0], 'B': [0.4, 0, 0]}, 'mass': 2.0,
                  'centre_of_gravity': [0.2, 0.0, 0.0], 'inertia': [0.01, 0.04, 0.04]},
        'lower': {'points': {'B': [0, 0, 0], 'C': [0.3, 0, 0]}, 'mass': 1.0,
                  'centre_of_gravity': [0.15, 0.0, 0.02], 'inertia': [0.004, 0.01, 0.01]}},
    'joints': {
        'shoulder': {'kind': 'revolute', 'bodies': ['ground', 'upper'], 'at': 'A',
                     'axes': [[0, 1, 0], [0, 1, 0]]},
        'elbow': {'kind': 'revolute', 'bodies': ['upper', 'lower'], 'at': 'B',
                  'axes': [[0, 0, 1], [0, 0, 1]]}},
    'coordinates': {'a': {'kind': 'angle', 'joint': 'shoulder'},
                    'b': {'kind': 'angle', 'joint': 'elbow'}},
    'independent': ['a', 'b'], 'drives': ['a', 'b'], 'start': {'a': 0.4, 'b': 0.3},
    'sensors': {name: {'kind': 'angle_encoder', 'coordinate': angle, 'sigma': SIGMA, 'rate': 125.0}
                for name, angle in (('first', 'a'), ('second', 'b'))}}
NAMES = 'first', 'second'
FREE = ['bodies.upper.mass', 'bodies.lower.mass', 'zeros']
MASSES, LENGTH, CENTRES, INERTIAS = (2.0, 1.0), 0.4, (0.2, 0.15), (0.04, 0.01)      # of PLANAR


def needed(mechanism, z, zd, zdd):
    """Return what drives need (k, 2): of PLANAR by Lagrange's equations, written out."""
    if mechanism.dimension == 3:
        return Regressor(mechanism, ()).along(z, zd, zdd).force
    (a, b), (v, w) = z.T, zd.T
    (m, n), (c, d) = MASSES, CENTRES
    turn = INERTIAS[1] + n * d ** 2
    both, cross = turn + n * LENGTH * d * np.cos(b), n * LENGTH * d * np.sin(b)
    first = INERTIAS[0] + m * c ** 2 + n * LENGTH ** 2 + 2.0 * both - turn
    hanging = 9.81 * n * d * np.cos(a + b)
    rub = 0.2 * np.tanh(4.0 * v / 0.1) + 0.1 * v
    return np.column_stack([
        first * zdd[:, 0] + both * zdd[:, 1] - cross * w * (2.0 * v + w) + hanging
        + 9.81 * (m * c + n * LENGTH) * np.cos(a) + rub,
        both * zdd[:, 0] + turn * zdd[:, 1] + cross * v ** 2 + hanging])


def bag(mechanism, zeros, seed, duration=10.0, names=NAMES, lash=0.0, torques_of=None):
    """Return DynamicsSamples of waves in all angles that are read with zeros [rad] and noise."""
    random = np.random.default_rng(seed)
    t, g = np.arange(0.0, duration, STEP), mechanism.g
    rates = random.uniform(1.0, 4.0, (2, g))
    phases = random.uniform(0.0, 6.0, (2, g))
    wave = rates * t[:, np.newaxis, np.newaxis] + phases
    states = (mechanism.z0 + 0.4 * np.sin(wave).sum(axis=1),
              0.4 * (rates * np.cos(wave)).sum(axis=1),
              -0.4 * (rates ** 2 * np.sin(wave)).sum(axis=1))
    sensors = sensors_of(mechanism, names)
    u = needed(mechanism, *states)
    angles = states[0]
    angles = angles + zeros + lash * np.tanh(u / SETTINGS.lash_force)
    angles += SIGMA * random.standard_normal(angles.shape)
    if torques_of is not None:
        u = torques_of(u, states[1])
    u = u + TORQUE * random.standard_normal(u.shape)
    stamps = np.round(1e9 * t).astype(np.int64)
    source = EncoderMotion(mechanism, sensors, stamps, angles, KNOT)
    chosen = np.flatnonzero(np.isin(stamps, source.motion.stamps))
    return DynamicsSamples(source.motion, u[chosen], encoders=EncoderReadings(
        source, tuple(names), u, np.arange(len(chosen))))


@pytest.mark.parametrize('layout', [PLANAR, SPATIAL], ids=['planar', 'spatial'])
def test_zeros_of_each_bag_are_found_within_their_intervals(layout):
    """Beside masses that are wrong in the file: 4 zeros and 2 masses of 6 seeds."""
    truth = Mechanism(layout, 'arm.yaml')
    file = truth.replace(bodies={'upper': {'mass': 3.0}, 'lower': {'mass': 0.7}})
    held, away = [], []
    for seed in range(6):
        random = np.random.default_rng(seed)
        zeros = 0.05 * random.standard_normal((2, 2))
        found = fit(file, FREE, [FitRecording(bag(truth, one, 10 * seed + k))
                                 for k, one in enumerate(zeros)], settings=SETTINGS)
        exact = {f'zeros.{name}.{k + 1}': zeros[k, j] for k in range(2)
                 for j, name in enumerate(NAMES)} | {'bodies.upper.mass': 2.0,
                                                     'bodies.lower.mass': 1.0}
        assert set(found.values) == set(exact)
        for number in found.numbers:
            assert number.is_known
            error = number.value - exact[number.path]
            held.append(abs(error) < 1.96 * number.deviation)
            away.append(abs(error) if 'zeros' in number.path else 0.0)
    assert np.mean(held) >= 0.88            # of 36, 95 % less two deviations
    assert max(away) < 0.004


def test_without_zeros_masses_are_wrong():
    """What the zeros are for: a twentieth of a radian is a percent of a mass."""
    truth, zeros = Mechanism(PLANAR, 'arm.yaml'), ([0.08, -0.06], [-0.05, 0.1])
    bags = [FitRecording(bag(truth, one, k)) for k, one in enumerate(zeros)]
    without, beside = (fit(truth, free, bags, settings=SETTINGS) for free in (FREE[:2], FREE))
    assert beside.quality.residual.max() < 0.2 * without.quality.residual.max()


def test_a_zero_about_the_vertical_is_left_to_the_file():
    layout = {**SPATIAL, 'gravity': [0.0, -9.81, 0.0]}
    truth = Mechanism(layout, 'arm.yaml')
    found = fit(truth, ['zeros'], [FitRecording(bag(truth, [0.03, 0.04], 3))], settings=SETTINGS)
    known = {number.path: number for number in found.numbers}
    assert not known['zeros.first.1'].is_known
    assert abs(known['zeros.first.1'].value) < 1e-6
    assert known['zeros.second.1'].value == pytest.approx(0.04, abs=2e-3)


def test_zeros_without_encoders_are_reported():
    truth = Mechanism(PLANAR, 'arm.yaml')
    samples = bag(truth, [0.0, 0.0], 0)
    states = DynamicsSamples(samples.motion, samples.torques)
    with pytest.raises(FitError, match='zeros'):
        fit(truth, ['zeros'], [FitRecording(states)])
