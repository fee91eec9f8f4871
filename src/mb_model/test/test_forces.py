"""Springs, dampers, friction, drives: against other derivations and published solutions."""

from math import pi, tanh

from by_differences import by_state
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from truth import TINY, Linkage, circle_intersection

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.forces.law import force, slopes
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism

# Andrews' squeezer at 0.03 s, Test Set for Initial Value Problem Solvers, in its own angles.
SQUEEZER = {'beta': 15.81077119629904, 'theta': -15.75637105984298, 'gamma': .04082224013073,
            'phi': -.53473011632269, 'delta': .52440996588053, 'omega': .53473011632269,
            'epsilon': 1.04808074104226}
SQUEEZER_START = {'beta': -.0617138900142765, 'theta': 0.0, 'gamma': .455279819163070,
                  'phi': .222668390165886, 'delta': .487364979543843,
                  'omega': -.222668390165886, 'epsilon': 1.23054744454982}


@pytest.mark.parametrize(('formulation', 'integrator', 'dt'), [
    ('index3_al', 'trapezoidal', 5e-6), ('matrix_r', 'rk4', 1e-5), ('matrix_r', 'rk2', 1e-5),
    ('matrix_r', 'trapezoidal', 5e-6), ('coordinate_partitioning', 'rk4', 1e-5),
    ('lagrange', 'rk4', 1e-5)])
def test_andrews_squeezer_ends_where_the_test_set_says(formulation, integrator, dt):
    mechanism = load_mechanism('andrews_squeezer')
    run = simulate(mechanism, 0.03, dt, formulation, integrator)
    for name, end in SQUEEZER.items():
        place = mechanism.coordinates.index(name)
        offset = run.q[0, place] - SQUEEZER_START[name]      # our angles count from other axes
        assert offset / (pi / 2) == pytest.approx(round(offset / (pi / 2)), abs=1e-9), name
        assert run.q[-1, place] - offset == pytest.approx(end, abs=1e-4), name


class Sprung(Linkage):
    """A linkage with a spring-damper between two of its points, from its length alone."""

    def length(self, z):
        points = self.points(z)
        way = points[1] - points[2]       # from A to P2
        return np.sqrt(way @ way)

    def acceleration(self, z, zd, forces=0.0):
        slope = np.array([self.length(np.asarray(z) + 1j * TINY * unit).imag / TINY
                          for unit in np.eye(len(z))])
        push = -25.0 * (self.length(z) - 8.0) - 5.0 * (slope @ zd)
        return super().acceleration(z, zd, forces + slope * push)


def test_a_spring_damper_across_the_four_bar():
    mechanism = load_mechanism('four_bar_spring_damper')
    truth = Sprung.four_bar(2.0, 8.0, 5.0, 10.0, masses=(2.0, 8.0, 5.0), branch=1, gravity=9.81)
    z, zd = truth.simulate(mechanism.z0, mechanism.zd0, np.array([0.0, 3.0]))
    for formulation in ('index3_al', 'matrix_r'):
        run = simulate(mechanism, 3.0, 5e-4, formulation)
        np.testing.assert_allclose([run.z[-1, 0], run.zd[-1, 0]], [z[-1, 0], zd[-1, 0]], atol=1e-4)
    # At rest the energy is in weight and spring.
    kinetic, potential = mechanism.energy(mechanism.z0, [0.0])
    length = truth.length(mechanism.z0)
    assert kinetic == 0.0
    assert potential == pytest.approx(truth.potential(mechanism.z0) + 12.5 * (length - 8.0) ** 2)


class Split(Linkage):
    """The four bar with its coupler bent in the middle; a stiff torsional spring holds it."""

    def __init__(self):
        def points(z):
            p1 = 2.0 * np.array([np.cos(z[0]), np.sin(z[0])])
            e = p1 + 4.0 * np.array([np.cos(z[1]), np.sin(z[1])])
            p2 = circle_intersection(e, 4.0, np.array([10.0, 0.0]), 5.0, 1)
            return np.array([p1, e, p2, [0.0, 0.0], [10.0, 0.0]])

        rods = ((3, 0, 2.0, 2.0), (0, 1, 4.0, 4.0), (1, 2, 4.0, 4.0), (2, 4, 5.0, 5.0))
        super().__init__(points, [(i, j, m, (0.5 * length, 0.0), m * length ** 2 / 12)
                                  for i, j, m, length in rods], 9.81)

    def acceleration(self, z, zd, forces=0.0):
        def bend(z):
            p1, e, p2, *_ = self.points(z)
            u, w = e - p1, p2 - e
            return np.arcsin((u[0] * w[1] - u[1] * w[0]) / 16.0)

        slope = np.array([bend(np.asarray(z) + 1j * TINY * unit).imag / TINY for unit in np.eye(2)])
        return super().acceleration(z, zd, forces - 5e6 * bend(z) * slope)


def test_the_stiff_spring_of_the_split_coupler_vibrates_as_it_must():
    mechanism = load_mechanism('four_bar_split')
    z, zd = Split().simulate(mechanism.z0, mechanism.zd0, np.array([0.0, 0.02]))
    assert abs(zd[-1, 1]) > 1.0
    for formulation, integrator, dt in (('index3_al', 'trapezoidal', 1e-5),
                                        ('matrix_r', 'trapezoidal', 1e-5),
                                        ('matrix_r', 'rk4', 1e-4)):
        run = simulate(mechanism, 0.02, dt, formulation, integrator)
        np.testing.assert_allclose(run.z[-1], z[-1], atol=2e-5)
        np.testing.assert_allclose(run.zd[-1], zd[-1], atol=0.02)


def test_implicit_steps_bear_the_stiff_spring():
    """A whole period of the spring in six steps: the trapezoidal rule keeps the energy bounded."""
    mechanism = load_mechanism('four_bar_split')
    for formulation in ('index3_al', 'matrix_r'):
        run = simulate(mechanism, 2.0, 1e-3, formulation)
        energies = [sum(mechanism.energy(run.z[k], run.zd[k], near=run.q[k]))
                    for k in range(0, 2001, 50)]
        assert np.ptp(energies) < 0.1 * 0.5 * 5e6 * 0.0287 ** 2


def test_friction_is_that_of_brown_and_mcphee(rng):
    values = np.array([0.0, 0.0, 0.0, 0.5, 2.0, 3.0, 0.1])
    assert force(values, 0.0, 0.0) == 0.0
    assert force(values, 7.0, 0.1) == pytest.approx(-(2.0 * tanh(4.0) + 1.0 + 0.05))
    assert force(values, 7.0, -100.0) == pytest.approx(52.0, abs=1e-6)
    for v in rng.normal(scale=0.2, size=50):
        stiffness, damping = slopes(values, v)
        change = (force(values, 0.0, v + 1e-6) - force(values, 0.0, v - 1e-6)) / 2e-6
        assert stiffness == 0.0
        assert -damping == pytest.approx(change, rel=1e-6, abs=1e-6)


def test_coulomb_friction_stops_a_pendulum_where_it_should():
    """Without gravity: 1/2 I w^2 = M angle; inertia about the pivot 1/3."""
    pendulum = load_mechanism('pendulum').replace(
        gravity=[0.0, 0.0], start_velocity={'theta': 3.0},
        forces={'bearing': {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 0.5,
                            'transition_velocity': 1e-3}})
    for formulation in ('index3_al', 'matrix_r'):
        run = simulate(pendulum, 4.0, 1e-3, formulation)
        assert run.z[-1, 0] == pytest.approx(3.0, abs=1e-3)
        assert run.zd[-1, 0] == pytest.approx(0.0, abs=1e-6)


def test_viscous_friction_and_a_drive_reach_their_balance():
    pendulum = load_mechanism('pendulum').replace(gravity=[0.0, 0.0], forces={
        'bearing': {'kind': 'friction', 'coordinate': 'theta', 'viscous': 0.5},
        'motor': {'kind': 'constant', 'coordinate': 'theta', 'force': 2.0}})
    stepper = make_stepper(pendulum, 'index3_al')
    for _ in range(1000):
        stepper.step(1e-2)
    assert stepper.zd[0] == pytest.approx(4.0, abs=1e-5)
    # The drive is the model's: nothing is needed from outside to hold this speed.
    np.testing.assert_allclose(pendulum.inverse_dynamics([0.0], [4.0], [0.0]), 0.0, atol=1e-9)


BAD = [
    ({'s': {'kind': 'spring', 'coordinate': 'theta'}}, "forces.s.kind: 'spring': unknown kind"),
    ({'s': {'kind': 'constant', 'coordinate': 'phi', 'force': 1}},
     "forces.s.coordinate: 'phi': unknown coordinate, expected one of P.x, P.y, theta"),
    ({'s': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': -1}},
     'forces.s.stiffness: -1 must be >= 0'),
    ({'s': {'kind': 'spring_damper', 'coordinate': 'theta'}}, 'forces.s.stiffness: missing'),
    ({'s': {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 1.0}},
     'forces.s.transition_velocity: missing'),
    ({'s': {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 2, 'static': 1}},
     'forces.s.static: 1 must be >= 2'),
    ({'s': {'kind': 'constant', 'coordinate': 'theta', 'force': 1, 'rest': 1}},
     'forces.s.rest: unknown key'),
]


@pytest.mark.parametrize(('forces', 'message'), BAD, ids=[m for _, m in BAD])
def test_wrong_forces_are_reported(forces, message):
    with pytest.raises(MechanismError) as caught:
        load_mechanism('pendulum').replace(forces=forces)
    assert message in str(caught.value)


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
