"""What drives and gears lose, lash and single large errors, against a planar arm written out."""

import numpy as np
import pytest
from test_fit_zeros import PLANAR, SETTINGS, bag

from mb_estimators import FitRecording, FitSettings, fit
from mb_estimators.fitting.outcome import transmission_settings
from mb_model import Mechanism

ARM = Mechanism({**PLANAR, 'start': {'a': -1.5, 'b': 0.0}}, 'arm.yaml')       # hanging
GAIN, ASYMMETRY, GROWTH, LOSS, LASH = 0.9, 0.06, 0.02, 0.05, 0.004


def reported(torque, v):
    """Return what a motor reports (k) where its joint gets a torque (k) at v (k): by bisection."""
    def given(u):
        return GAIN * (u * (1.0 + GROWTH * v ** 2) + ASYMMETRY * abs(u)) - LOSS * abs(
            u) * np.tanh(v / SETTINGS.loss_velocity)
    low, high = (np.full_like(torque, size) for size in (-100.0, 100.0))
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (np.where(given(middle) < torque, one, other) for one, other in (
            (middle, low), (high, middle)))
    return middle


@pytest.fixture(scope='module')
def recordings():
    """Two bags whose second motor loses torque in its gear, which has lash."""
    def torques_of(u, v):
        return np.column_stack([u[:, 0], reported(u[:, 1], v[:, 1])])
    return [bag(ARM, zeros, seed, 20.0, lash=np.array([0.0, LASH]), torques_of=torques_of)
            for seed, zeros in enumerate(([0.03, -0.04], [-0.02, 0.05]))]


def test_transmissions_are_found_within_their_intervals(recordings):
    names = 'gain', 'asymmetry', 'growth', 'loss', 'lash'
    found = fit(ARM, [*(f'known_forces.b.{name}' for name in names), 'zeros'],
                [FitRecording(one) for one in recordings], settings=SETTINGS)
    truth = dict(zip(names, (GAIN, ASYMMETRY, GROWTH, LOSS, LASH), strict=True))
    numbers = {one.path.rpartition('.')[2]: one for one in found.numbers if '.b.' in one.path}
    for name, value in truth.items():
        assert numbers[name].is_known, name
        assert abs(numbers[name].value - value) < 3.0 * numbers[name].deviation, name
        assert numbers[name].deviation < 0.35 * value, name
    given = transmission_settings(found, ['a', 'b'])
    assert given['force_losses'] == pytest.approx([0.0, numbers['loss'].value], rel=1e-4)
    assert given['force_gains'][0] == 1.0
    assert transmission_settings(found, ['b', 'a']) == {}


def test_single_large_errors_count_little():
    """As of a stop that is hit: a push of 20 N m that lasts a twentieth of the time."""
    def pushed(u, v):
        return u + np.where(np.arange(len(u)) % 400 < 20, 20.0, 0.0)[:, np.newaxis]
    hit = [FitRecording(bag(ARM, [0.0, 0.0], 0, torques_of=pushed))]
    file = ARM.replace(bodies={'upper': {'mass': 3.0}, 'lower': {'mass': 0.7}})
    alike, robust = (fit(file, ['bodies.upper.mass', 'bodies.lower.mass'], hit,
                         settings=FitSettings(**(vars(SETTINGS) | {'outliers': limit}))).values
                     for limit in (0.0, 2.4))
    for name, mass in (('upper', 2.0), ('lower', 1.0)):
        assert robust[f'bodies.{name}.mass'] == pytest.approx(mass, rel=0.02)
        assert abs(alike[f'bodies.{name}.mass'] - mass) > 5.0 * abs(
            robust[f'bodies.{name}.mass'] - mass)
