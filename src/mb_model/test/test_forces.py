"""Springs, dampers, friction, drives: against other derivations and published solutions."""

from math import pi, tanh

import numpy as np
import pytest
from truth import TINY, Linkage, circle_intersection

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.forces.law import force, slopes

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
