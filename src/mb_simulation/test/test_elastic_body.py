"""Bodies that bend in the prototype alone: the closed form of a beam, and what stays as it was."""

import numpy as np
import pytest
from scipy.optimize import brentq

from mb_model import MechanismError, load_mechanism
from mb_model.mechanism import Mechanism
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.unmodelled import UnmodelledSettings, real_machine

LENGTH, PROP, MASS, STIFFNESS, TIP = 2.0, 0.5, 40.0, 1.35e6, 50.0
ARM = UnmodelledSettings(elastic_body='arm', bending_stiffness=STIFFNESS)
# A beam on a pin and a prop, with a load at its end.
OVERHANG = {
    'name': 'overhang', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'C': {'fixed': [PROP, -1.0]},
               'D': {'start': [PROP, 0.0]}, 'T': {'start': [LENGTH, 0.0]},
               'L': {'start': [LENGTH + 0.1, 0.0]}},
    'bodies': {'arm': {'points': {'A': [0.0, 0.0], 'T': [LENGTH, 0.0], 'D': [PROP, 0.0]},
                       'mass': MASS, 'centre_of_gravity': [LENGTH / 2.0, 0.0],
                       'inertia': MASS * LENGTH ** 2 / 12.0},
               'load': {'points': ['T', 'L'], 'length': 0.1, 'mass': TIP,
                        'centre_of_gravity': [0.0, 0.0], 'inertia': 1e-6}},
    'coordinates': {'s': {'kind': 'distance', 'points': ['C', 'D']},
                    'lift': {'kind': 'angle', 'body': 'arm'}},
    'constraints': {'hook': {'kind': 'welded_angle', 'bodies': ['arm', 'load'], 'angle': 0.0}},
    'forces': {'prop': {'kind': 'spring_damper', 'coordinate': 's', 'stiffness': 1e11,
                        'rest': 1.0}},
    'independent': ['s'],
}


def overhang(**changes):
    return Mechanism(OVERHANG, 'overhang.yaml').replace(**changes)


def lowest_frequency(mechanism):
    A, _ = mechanism.linearise(mechanism.z0, mechanism.zd0)
    return np.sqrt(np.sort(-np.linalg.eigvals(A).real)[0])


def closed_form(bending_stiffness, tip):
    """Return the lowest frequency [rad/s] of Euler and Bernoulli's beam on a pin and a prop.

    Span 1: w = a sin bx + c sinh bx; span 2, from the prop on: d sin + e sinh + f cos + g cosh.
    """
    rest, line = LENGTH - PROP, MASS / LENGTH

    def determinant(b):
        s, c, sh, ch = np.sin(b * PROP), np.cos(b * PROP), np.sinh(b * PROP), np.cosh(b * PROP)
        S, C, Sh, Ch = np.sin(b * rest), np.cos(b * rest), np.sinh(b * rest), np.cosh(b * rest)
        push = tip * b / line           # M w^2 / (E I b^3), of w^2 = E I b^4 / m'
        return np.linalg.det([
            [s, sh, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1], [c, ch, -1, -1, 0, 0], [-s, sh, 0, 0, 1, -1],
            [0, 0, -S, Sh, -C, Ch],
            [0, 0, -C + push * S, Ch + push * Sh, S + push * C, Sh + push * Ch]])

    trial = np.linspace(0.1, 3.0, 300)
    values = [determinant(b) for b in trial]
    k = np.flatnonzero(np.diff(np.sign(values)))[0]
    b = brentq(determinant, trial[k], trial[k + 1])
    return b ** 2 * np.sqrt(bending_stiffness / line)


@pytest.mark.parametrize('tip', [1.0, 50.0, 200.0])
def test_a_loaded_arm_bends_first_as_a_beam_on_a_pin_and_a_prop(tip):
    chain = real_machine(overhang(bodies={'load': {'mass': tip}}), ARM)
    assert lowest_frequency(chain) == pytest.approx(closed_form(STIFFNESS, tip), rel=0.015)


def test_it_swings_so_in_mujoco():
    """It hangs under a push, and swings when that ends."""
    machine, dt = overhang(parameters={'push': 20.0}, forces={'push': {
        'kind': 'load', 'body': 'load', 'at': 'T', 'force': [0.0, '-push']}}), 1e-3
    stiff = UnmodelledSettings(elastic_body='arm', bending_stiffness=1e4, damping_time=0.0)
    machine = machine.replace(forces={'prop': {'stiffness': 1e8}})
    prototype, force = make_prototype('mujoco', machine, dt, dt, unmodelled=stiff), []
    prototype.set_parameters({'push': 0.0})
    for _ in range(1500):
        prototype.advance()
        force.append(1.0 - prototype.state.z[0])
    force = np.array(force) - np.mean(force)
    slow = np.convolve(force, np.ones(50) / 50.0, 'valid')
    ups = np.flatnonzero((slow[:-1] < 0.0) & (slow[1:] >= 0.0))
    period = dt * np.diff(ups).mean()
    assert 2.0 * np.pi / period == pytest.approx(closed_form(1e4, TIP), rel=0.03)


def test_mass_centre_and_inertia_are_those_of_the_rigid_arm():
    crane = load_mechanism('crane')
    chain, arm = real_machine(crane, ARM), crane.bodies['arm']
    segments = [body for name, body in chain.bodies.items() if name.startswith('arm_segment')]
    mass = np.array([body.mass for body in segments])
    begin = np.r_[0.0, np.cumsum([body.length for body in segments])[:-1]]
    x = begin + [body.centre_of_gravity[0] for body in segments]
    own = np.array([body.inertia for body in segments])
    assert mass.sum() == pytest.approx(arm.mass)
    assert mass @ x == pytest.approx(arm.mass * arm.centre_of_gravity[0])
    assert own.sum() + mass @ (x - arm.centre_of_gravity[0]) ** 2 == pytest.approx(arm.inertia)
    assert own.min() > 0.0


def test_a_very_stiff_arm_moves_as_the_rigid_one():
    crane = load_mechanism('crane')
    runs = []
    for settings in (None, UnmodelledSettings(elastic_body='arm', bending_stiffness=1e9)):
        prototype = make_prototype('mujoco', crane, 2e-3, 1e-3, unmodelled=settings)
        prototype.set_valves([0.5])
        for _ in range(100):
            prototype.advance()
        state = prototype.state
        runs.append(np.r_[state.z, state.zd, 1e-6 * prototype.oil.p, state.q])
        assert len(state.z) == 1
    np.testing.assert_allclose(runs[1], runs[0], atol=2e-3)


def test_loads_change_while_it_runs():
    prototype = make_prototype('mujoco', load_mechanism('crane'), 1e-3, 1e-3, unmodelled=ARM)
    prototype.advance()
    before = prototype.state
    prototype.set_parameters({'load': 120.0})
    np.testing.assert_allclose(prototype.state.z, before.z, atol=1e-12)
    assert prototype.parameters['load'] == 120.0


@pytest.mark.parametrize(('changes', 'settings', 'words'), [
    ({}, {'elastic_body': 'jib'}, 'unmodelled.elastic_body: jib: must be a body'),
    ({'bodies': {'arm': {'centre_of_gravity': [0.3, 0.0]}}}, {}, 'in the middle third'),
    ({'bodies': {'arm': {'inertia': 5.0}}}, {}, 'its inertia at least 12.9'),
    ({'forces': {'wind': {'kind': 'load', 'body': 'arm', 'at': 'T', 'force': [1.0, 0.0]}}}, {},
     'forces.wind: acts on arm')])
def test_bodies_that_are_no_beams_are_refused(changes, settings, words):
    machine = load_mechanism('crane').replace(**changes)
    with pytest.raises(MechanismError, match=words):
        real_machine(machine, UnmodelledSettings(**{'elastic_body': 'arm'} | settings))


def test_a_rigid_body_in_space_does_not_bend():
    with pytest.raises(MechanismError, match=r'unmodelled\.elastic_body: platform: only in the '
                                             r'plane: .*`flexible`'):
        real_machine(load_mechanism('stewart'), UnmodelledSettings(elastic_body='platform'))


def test_other_engines_refuse_what_no_model_knows():
    with pytest.raises(ValueError, match='unmodelled: the engine multibody has'):
        make_prototype('multibody', load_mechanism('crane'), 1e-3, 1e-3, unmodelled=ARM)


@pytest.mark.parametrize(('settings', 'words'), [
    ({'elastic_body': '/'}, 'unmodelled.elastic_body: /: must be a body'),
    ({'ripple_amplitude': 1e5}, 'unmodelled.ripple_amplitude: there is no oil')])
def test_machines_without_oil_refuse_what_they_cannot_have(settings, words):
    with pytest.raises(MechanismError, match=words):
        make_prototype('mujoco', load_mechanism('four_bar'), 1e-3, 1e-3,
                       unmodelled=UnmodelledSettings(**settings))
