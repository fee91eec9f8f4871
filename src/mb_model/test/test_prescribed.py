"""Coordinates prescribed over time, against the same mechanism with that coordinate free."""

from by_differences import by_state, slope
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from truth import Linkage

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.mechanism import Mechanism

MOTION = 'pi + 0.3 * sin(2 * t)'


def motion(t):
    """Return theta2 and its derivatives, by hand."""
    return np.pi + 0.3 * np.sin(2 * t), 0.6 * np.cos(2 * t), -1.2 * np.sin(2 * t)


@pytest.fixture(scope='module')
def driven():
    """The five bar with its right crank driven."""
    return load_mechanism('five_bar').replace(
        independent=['theta1'], start={'theta2': None},
        constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta2', 'motion': MOTION}})


@pytest.mark.parametrize('t', [0.0, 0.7, 3.0])
def test_motion_and_driving_force_are_those_of_inverse_dynamics(driven, five_bar, t):
    theta2, rate, push = motion(t)
    z, zd, force = [0.2], [1.5], [3.0]
    q = driven.assemble(z, t=t)
    np.testing.assert_allclose(q, five_bar.assemble([0.2, theta2]), atol=1e-12)
    np.testing.assert_allclose(driven.assemble(z, near=driven.q0, t=t), q, atol=1e-12)
    assert driven.closing_error(q, t) < 1e-12
    late = abs(motion(t + 0.1)[0] - theta2)         # an angle, in lengths of the longest body
    assert driven.closing_error(q, t + 0.1) == pytest.approx(late * 3.201562, rel=1e-5)
    qd = driven.velocity(q, zd, t)
    np.testing.assert_allclose(qd, five_bar.velocity(q, [1.5, rate]), atol=1e-12)
    np.testing.assert_allclose(driven.acceleration(q, qd, [0.4], t),
                               five_bar.acceleration(q, qd, [0.4, push]), atol=1e-11)
    zdd = driven.forward_dynamics(z, zd, force, t=t)
    needed = five_bar.inverse_dynamics([0.2, theta2], [1.5, rate], [zdd[0], push])
    assert needed[0] == pytest.approx(3.0, abs=1e-9)      # so zdd is the free mechanism's
    np.testing.assert_allclose(driven.driving_forces(z, zd, forces=force, t=t), needed[1:])
    needed = five_bar.inverse_dynamics([0.2, theta2], [1.5, rate], [0.4, push])
    np.testing.assert_allclose(driven.inverse_dynamics(z, zd, [0.4], t=t), needed[:1])
    np.testing.assert_allclose(driven.driving_forces(z, zd, zdd=[0.4], t=t), needed[1:])


@pytest.mark.parametrize('t', [0.0, 0.7])
def test_derivatives_are_exact(driven, t):
    h, z, zd, force = 1e-3, np.array([0.2]), np.array([1.5]), [3.0]
    for found, expected in zip(driven.linearise(z, zd, force, t=t),
                               by_state(driven, z, zd, h, force, order=4, t=t), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8)
    length = driven.bodies['left_coupler'].length
    by_length = driven.parameter_jacobian(z, zd, ['bodies.left_coupler.length'], force, t=t)
    q = driven.assemble(z, t=t)
    assert by_length[0] == pytest.approx(slope(lambda d: driven.replace(
        bodies={'left_coupler': {'length': length + d}}).forward_dynamics(
            z, zd, force, near=q, t=t), h), rel=1e-6)


@pytest.fixture(scope='module')
def truth():
    """theta1 and its rate after 0.5 s, from Lagrange's equations of the free linkage."""
    linkage = Linkage.five_bar()

    def rates(t, x):
        theta2, rate, push = motion(t)
        z, zd = [x[0], theta2], [x[1], rate]
        mass, bias = linkage.mass_matrix(z), linkage.acceleration(z, zd)
        # With a torque on theta2 that makes its acceleration `push`.
        torque = (push - bias[1]) / np.linalg.inv(mass)[1, 1]
        return [x[1], bias[0] + np.linalg.inv(mass)[0, 1] * torque]

    return solve_ivp(rates, (0.0, 0.5), [0.0, 0.0], 'DOP853', rtol=1e-10, atol=1e-10).y[:, -1]


@pytest.mark.parametrize(('formulation', 'integrator', 'tolerance'), [
    ('index3_al', 'trapezoidal', 7e-5), ('matrix_r', 'trapezoidal', 2e-5),
    ('matrix_r', 'rk4', 1e-8), ('matrix_r', 'rk2', 1e-4), ('coordinate_partitioning', 'rk4', 1e-8),
    ('lagrange', 'rk4', 1e-6), ('closed_form', 'rk4', 1e-6), ('penalty', 'rk4', 1e-4),
    ('coordinate_partitioning', 'trapezoidal', 2e-5)])
def test_simulation_agrees_with_lagrange(driven, truth, formulation, integrator, tolerance):
    run = simulate(driven, 0.5, 1e-3, formulation, integrator)
    np.testing.assert_allclose([run.z[-1, 0], run.zd[-1, 0]], truth, atol=3 * tolerance)
    for got, expected in zip((run.q, run.qd, run.qdd), motion(run.t), strict=True):
        np.testing.assert_allclose(got[:, -1], expected, atol=20 * tolerance)


def test_a_mechanism_with_nothing_free_is_driven_through():
    """Slider-crank at constant speed: s = r cos a + sqrt(l^2 - r^2 sin^2 a), by hand."""
    mechanism = load_mechanism('slider_crank').replace(
        independent=[], start=None,
        constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta', 'motion': '3 * t'}})
    assert mechanism.g == 0
    for formulation in ('index3_al', 'matrix_r'):
        run = simulate(mechanism, 1.0, 1e-3, formulation)
        r, l = (mechanism.bodies[name].length for name in ('crank', 'rod'))     # noqa: E741
        place = r * np.cos(3 * run.t) + np.sqrt(l ** 2 - (r * np.sin(3 * run.t)) ** 2)
        np.testing.assert_allclose(run.q[:, mechanism.coordinates.index('s')], place, atol=1e-9)
    # Power of the drive = change of energy.
    t, h = 0.4, 1e-4
    energy = [sum(mechanism.energy([], [], t=t + k * h)) for k in (-1, 1)]
    assert 3.0 * mechanism.driving_forces([], [], t=t)[0] == pytest.approx(
        (energy[1] - energy[0]) / (2 * h), rel=1e-6)


def test_time_starts_where_it_is_set_and_stays_after_a_failure(driven):
    stepper = make_stepper(driven, 'matrix_r', 'rk4')
    stepper.reset([0.2], [0.0], t=2.0)
    assert stepper.q[-1] == pytest.approx(motion(2.0)[0])
    stepper.step(1e-2)
    assert stepper.t == pytest.approx(2.01)
    assert stepper.q[-1] == pytest.approx(motion(2.01)[0])


BAD = [
    ({'coordinate': 'theta3', 'motion': 't'}, "constraints.drive.coordinate: 'theta3': unknown"),
    ({'coordinate': 'theta1', 'motion': 't'}, 'drive.coordinate: theta1 is independent'),
    ({'coordinate': 'theta2', 'motion': 'sin(x)'}, "constraints.drive.motion: 'sin(x)' names the"),
    ({'coordinate': 'theta2', 'motion': 'sqrt(t)'}, 'must have a value and two derivatives at t'),
    ({'coordinate': 'theta2', 'motion': [1]}, 'drive.motion: [1] must be an expression'),
    ({'coordinate': 'theta2'}, 'constraints.drive.motion: missing'),
]


@pytest.mark.parametrize(('drive', 'message'), BAD, ids=[m for _, m in BAD])
def test_what_cannot_be_prescribed_is_reported(five_bar, drive, message):
    with pytest.raises(MechanismError) as caught:
        five_bar.replace(independent=['theta1'], start={'theta2': None},
                         constraints={'drive': {'kind': 'prescribed'} | drive})
    assert message in str(caught.value)


def test_the_exponential_integrator_refuses_it(driven):
    with pytest.raises(ValueError, match='exponential_2: not with prescribed coordinates'):
        make_stepper(driven, 'matrix_r', 'exponential_2')


def test_the_semi_recursive_formulation_refuses_it(driven):
    with pytest.raises(MechanismError, match=r'semi_recursive: not with prescribed .*: theta2'):
        make_stepper(driven, 'semi_recursive')


def test_a_constant_holds_a_coordinate():
    held = Mechanism(load_mechanism('double_pendulum').raw, 'double_pendulum.yaml').replace(
        independent=['theta1'], start={'theta2': None},
        constraints={'hold': {'kind': 'prescribed', 'coordinate': 'theta2', 'motion': 0.5}})
    run = simulate(held, 1.0, 1e-3)
    np.testing.assert_allclose(run.q[:, -1], 0.5, atol=1e-10)
    assert np.ptp(run.z) > 0.5
