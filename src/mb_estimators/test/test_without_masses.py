"""Mechanisms whose file says no masses: motion is estimated as with masses."""

import copy

import numpy as np
import pytest

from mb_estimators import FilterError, available_filters, make_filter
from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.checking import findings
from mb_model.mechanism import Mechanism
from mb_sensors import sensors_of

PLANE, SPACE = ('four_bar', ['crank_encoder', 'coupler_gyro']), ('six_axis_arm', None)


def without_masses(name, only=()):
    """Return a shipped machine without the masses of bodies, of all or of some."""
    raw = copy.deepcopy(dict(load_mechanism(name).raw))
    for body, entry in raw['bodies'].items():
        if not only or body in only:
            for key in ('mass', 'inertia', 'centre_of_gravity'):
                entry.pop(key, None)
    return Mechanism(raw, name)


@pytest.mark.parametrize(('name', 'sensors'), [PLANE, SPACE])
def test_kinematic_kf_moves_as_with_masses(name, sensors):
    heavy, light = load_mechanism(name), without_masses(name)
    sensors = sensors or [one for one in heavy.sensors if 'encoder' in one]
    settings = {key: getattr(make_filter('kinematic_kf', light, sensors, 0.005).settings, key)
                for key in ('acceleration_variance', 'initial_acceleration_variance')}
    both = [make_filter('kinematic_kf', one, sensors, 0.005, **settings) for one in (heavy, light)]
    noise = np.random.default_rng(4).normal(0.0, 0.01, (20, len(sensors_of(heavy, sensors))))
    for step in range(20):
        for one in both:
            one.predict(0.005)
            one.correct(noise[step] if name == 'four_bar' else heavy.z0 + noise[step])
    known, other = (one.estimate for one in both)
    for field in ('z', 'zd', 'zdd', 'q', 'covariance'):
        np.testing.assert_array_equal(getattr(other, field), getattr(known, field))
    assert other.forces is None
    assert np.isfinite(known.forces).all()


def test_filters_with_masses_refuse_it_by_the_names_of_bodies():
    light = without_masses('four_bar', ['crank', 'rocker'])
    with pytest.raises(FilterError, match=r'none of bodies.crank, bodies.rocker.*kinematic_kf'):
        make_filter('error_ekf', light, ['crank_encoder'], 0.005)
    assert available_filters(light) == ['kinematic_kf']


@pytest.mark.parametrize('name', ['four_bar', 'six_axis_arm'])
def test_kinematics_are_those_with_masses_and_dynamics_are_refused(name):
    heavy, light = load_mechanism(name), without_masses(name)
    z = heavy.z0 + 0.1
    q = heavy.assemble(z)
    np.testing.assert_allclose(light.assemble(z), q, atol=1e-12)
    np.testing.assert_allclose(light.R(q), heavy.R(q), atol=1e-12)
    still, first = np.zeros(heavy.g), next(iter(light.bodies))
    words = rf'no mass of bodies\.{first}.*kinematics alone'
    for query in (lambda: light.forward_dynamics(z, still),
                  lambda: light.inverse_dynamics(z, still, still),
                  lambda: light.energy(z, still), lambda: light.linearise(z, still),
                  lambda: light.reactions(z, still), lambda: light.operational_space(z, still),
                  lambda: make_stepper(light), lambda: simulate(light, 0.1, 0.01)):
        with pytest.raises(MechanismError, match=words):
            query()


def test_check_says_so_and_has_no_numbers_of_it():
    from mb_model.commands.mechanism_report import report
    light = without_masses('four_bar')
    lines = report(light)
    assert 'mass                 not known of crank, coupler, rocker: kinematics alone' in lines
    assert not [line for line in lines if 'nan' in line or ' 0 kg' in line]
    doubtful = findings(light.raw, 'four_bar').doubts
    assert doubtful[0].startswith('bodies.crank, bodies.coupler, bodies.rocker: no mass')


@pytest.mark.parametrize(('name', 'entry', 'key'), [
    ('four_bar', {'inertia': 1.0, 'centre_of_gravity': [1.0, 0.0]}, 'inertia'),
    ('delta', {'centre_of_gravity': [0.0, 0.0, 0.0]}, 'centre_of_gravity')])
def test_inertia_without_a_mass_is_a_mistake(name, entry, key):
    raw = copy.deepcopy(dict(load_mechanism(name).raw))
    body, given = next(iter(raw['bodies'].items()))
    raw['bodies'][body] = {one: value for one, value in given.items() if one != 'mass'} | entry
    with pytest.raises(MechanismError, match=rf'bodies.{body}.mass: missing, it goes with {key}'):
        Mechanism(raw, name)


def test_oil_without_a_mass_is_a_mistake():
    with pytest.raises(MechanismError, match=r'bodies\.\w+\.mass: missing, it goes with hydraul'):
        without_masses('crane')
