"""A coil spring between bodies, wound up by several turns: against an independent integration."""

from math import pi

from by_differences import by_state
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.simulation.simulate import simulate
from mb_model.stepping.formulation_stepper import make_stepper

REST, STIFFNESS = 0.5, 0.3
OFF, INERTIA = 0.02, 0.2      # of the lower body, nearly balanced about its hinge
RAW = {
    'name': 'coil', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'P1': {'start': [1.0, 0.0]},
               'P2': {'start': [2.0, 0.0]}},
    'bodies': {'upper': {'points': ['A', 'P1'], 'length': 1.0, 'mass': 1.0},
               'lower': {'points': ['P1', 'P2'], 'length': 1.0, 'mass': 1.0,
                         'centre_of_gravity': [OFF, 0.0], 'inertia': INERTIA}},
    'coordinates': {'upper_turn': {'kind': 'angle', 'body': 'upper'},
                    'lower_turn': {'kind': 'angle', 'body': 'lower'}},
    'independent': ['upper_turn', 'lower_turn'], 'start_velocity': {'lower_turn': 25.0},
    'forces': {'coil': {'kind': 'spring_damper', 'bodies': ['upper', 'lower'],
                        'stiffness': STIFFNESS, 'rest': REST, 'damping': 0.01}}}


def truth(z, zd, t, rest=REST):
    """Return z, zd at t of two hinged bodies with a coil spring between them, in their angles."""
    def rates(_, y):
        upper, lower, upper_rate, lower_rate = y
        c, s = OFF * np.cos(upper - lower), OFF * np.sin(upper - lower)
        moment = -STIFFNESS * (lower - upper - rest) - 0.01 * (lower_rate - upper_rate)
        return [upper_rate, lower_rate, *np.linalg.solve(
            [[4.0 / 3.0, c], [c, INERTIA + OFF ** 2]],
            [-moment - s * lower_rate ** 2, moment + s * upper_rate ** 2])]
    found = solve_ivp(rates, (0.0, t[-1]), [*z, *zd], 'DOP853', t, rtol=1e-10, atol=1e-10)
    return found.y[:2].T, found.y[2:].T


@pytest.mark.parametrize('formulation', FORMULATIONS)
@pytest.mark.parametrize('speed', [25.0, -25.0])
def test_it_is_wound_up_by_turns(formulation, speed):
    mechanism = Mechanism(RAW, 'coil.yaml').replace(start_velocity={'lower_turn': speed})
    run = simulate(mechanism, 1.5, 5e-4, formulation)
    z, _ = truth([0.0, 0.0], [0.0, speed], run.t)
    wound = z[:, 1] - z[:, 0]
    assert np.abs(wound).max() > 1.5 * 2.0 * pi
    np.testing.assert_allclose(run.z, z, atol=0.02)
    np.testing.assert_allclose(run.values('coil.angle'), run.z[:, 1] - run.z[:, 0], atol=1e-6)
    assert np.abs(run.energy().drift).max() < 1e-3 * run.energy().kinetic.max()


@pytest.mark.parametrize('turns', [3, -2])
def test_the_start_says_how_far_it_is_wound(turns):
    """The spring lets go: both turn by what their angles at the start differ."""
    mechanism = Mechanism(RAW, 'coil.yaml').replace(
        start={'upper_turn': 0.3, 'lower_turn': 0.3 + 2.0 * pi * turns}, start_velocity=None)
    run = simulate(mechanism, 0.8, 5e-4)
    z, _ = truth(mechanism.z0, [0.0, 0.0], run.t)
    np.testing.assert_allclose(run.z, z, atol=2e-3)
    assert mechanism.energy(mechanism.z0, [0.0, 0.0])[1] == pytest.approx(
        0.5 * STIFFNESS * (2.0 * pi * turns - REST) ** 2)


def test_a_state_says_how_far_it_is_wound():
    """Dynamics, energy and derivatives at z, without a motion that would lead there."""
    mechanism = Mechanism(RAW, 'coil.yaml')
    z, zd = np.array([0.4, 15.0]), np.array([1.0, -3.0])
    found = mechanism.forward_dynamics(z, zd)
    _, after = truth(z, zd, np.array([0.0, 1e-5]))
    np.testing.assert_allclose(found, (after[1] - zd) / 1e-5, rtol=1e-3)
    np.testing.assert_allclose(mechanism.linearise(z, zd)[0],
                               by_state(mechanism, z, zd, 1e-5)[0], rtol=1e-6)
    by_rest = mechanism.parameter_jacobian(z, zd, ['forces.coil.rest', 'forces.coil.stiffness'])
    unit = mechanism.parameter_jacobian(z, zd, ['forces.coil.rest'])[:, 0] / STIFFNESS
    np.testing.assert_allclose(by_rest[:, 1], -(z[1] - z[0] - REST) * unit, rtol=1e-9)


@pytest.mark.parametrize(('angles', 'start', 'rest', 'expected'), [
    # Nothing counts turns: within half a turn of the rest.
    ({}, {}, 7.0, 0.5 + 2.0 * pi), ({}, {}, -7.0, 0.5 - 2.0 * pi), ({}, {}, 0.1, 0.5),
    # Starts of angles do.
    ({'bend': {'kind': 'relative_angle', 'bodies': ['upper', 'lower']}},
     {'bend': 0.5 + 4.0 * pi}, 0.0, 0.5 + 4.0 * pi),
    ({'bend': {'kind': 'relative_angle', 'bodies': ['lower', 'upper']}},
     {'bend': -0.5 + 4.0 * pi}, 0.0, 0.5 - 4.0 * pi),
    ({'a': {'kind': 'angle', 'body': 'upper'}, 'b': {'kind': 'angle', 'body': 'lower'}},
     {'a': 2.0 * pi, 'b': 0.5}, 7.0, 0.5 - 2.0 * pi),
    ({}, {'coil.angle': 0.5 + 6.0 * pi}, 0.0, 0.5 + 6.0 * pi)])
def test_where_its_turns_are_counted_from(angles, start, rest, expected):
    raw = RAW | {'coordinates': angles, 'start_velocity': {}, 'start': start, 'points': RAW[
        'points'] | {'P2': {'start': [1.0 + np.cos(0.5), np.sin(0.5)]}}}
    raw = {key: value for key, value in raw.items() if key != 'independent'}
    mechanism = Mechanism(raw, 'coil.yaml').replace(forces={'coil': {'rest': rest}})
    place = mechanism.coordinates.index('coil.angle')
    assert mechanism.q0[place] == pytest.approx(expected, abs=1e-9)
    assert mechanism.independent if start else 'coil.angle' not in mechanism.independent


def test_the_moment_that_it_puts_on_bodies():
    """What it does is among the reactions; the upper rod's bearing carries none of it."""
    mechanism = Mechanism(RAW, 'coil.yaml')
    stepper = make_stepper(mechanism, 'matrix_r')
    stepper.reset([0.0, 14.0], [0.0, 0.0])
    couples = stepper.reactions().couplings['coordinates.coil.angle']
    moment = STIFFNESS * (14.0 - REST)
    assert couples['lower'][1] == pytest.approx(-moment)
    assert couples['upper'][1] == pytest.approx(moment)
