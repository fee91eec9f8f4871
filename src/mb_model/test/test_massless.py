"""Bodies that move without any mass: no forces decide their motion, and the messages say so."""

import pytest

from mb_model import MechanismError, load_mechanism, simulate
from mb_model.commands.mechanism_report import report
from mb_model.mechanism import Mechanism

# A pendulum with a rod at its end that weighs nothing.
WEIGHTLESS = {
    'name': 'weightless',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [1.0, 0.0]}, 'C': {'start': [2.0, 0.0]}},
    'bodies': {
        'arm': {'points': ['A', 'B'], 'length': 1.0, 'mass': 1.0},
        'tip': {'points': ['B', 'C'], 'length': 1.0, 'mass': 0.0,
                'centre_of_gravity': [0.5, 0.0], 'inertia': 0.0}},
    'coordinates': {'alpha': {'kind': 'angle', 'body': 'arm'},
                    'beta': {'kind': 'angle', 'body': 'tip'}},
    'independent': ['alpha', 'beta']}
SAID = 'tip can move without moving any mass: give it a mass or an inertia'


@pytest.mark.parametrize('ask', [
    lambda mechanism: mechanism.forward_dynamics(mechanism.z0, mechanism.zd0),
    lambda mechanism: mechanism.inverse_dynamics(mechanism.z0, mechanism.zd0, [0.0, 0.0]),
    lambda mechanism: simulate(mechanism, 0.1, 1e-3)])
def test_a_body_that_lacks_mass_is_named(ask):
    mechanism = Mechanism(WEIGHTLESS, 'weightless.yaml')
    with pytest.raises(MechanismError) as caught:
        ask(mechanism)
    assert str(caught.value).startswith('weightless.yaml: singular at ')
    assert str(caught.value).endswith(f': {SAID}')


def test_the_command_warns_of_it():
    assert f'warning              singular: {SAID}' in report(
        Mechanism(WEIGHTLESS, 'weightless.yaml'))


def test_the_inertia_of_a_body_or_the_mass_of_what_it_moves_will_do():
    heavy = Mechanism(WEIGHTLESS, 'weightless.yaml').replace(bodies={'tip': {'inertia': 0.1}})
    heavy.forward_dynamics(heavy.z0, heavy.zd0)
    moving = load_mechanism('four_bar').replace(bodies={'coupler': {
        'mass': 0.0, 'inertia': 0.0, 'centre_of_gravity': [4.0, 0.0]}})
    for mechanism in (heavy, moving):
        assert not any('warning' in line for line in report(mechanism))
