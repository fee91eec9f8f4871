"""The exponential integrator with local error control, on linear, nonlinear and stiff motions."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from mb_model import StepError, load_mechanism, make_stepper
from mb_model.kernels import entry_points

# A body turned by a linear spring and damper: z'' = -k z - d z', inertia about the pivot 1/3.
FREE_PENDULUM = load_mechanism('pendulum').replace(
    gravity=[0.0, 0.0], start={'theta': 0.2}, start_velocity={'theta': 1.0})
STEPS = (1e-3, 5e-3, 1e-2)               # [s], with the steps of Pyrhonen et al. 2023a


DRIVEN = {                               # mechanism, what is prescribed, and how
    'five_bar': load_mechanism('five_bar').replace(
        independent=['theta1'], start={'theta2': None}, constraints={'drive': {
            'kind': 'prescribed', 'coordinate': 'theta2', 'motion': 'pi + 0.3 * sin(2 * t)'}}),
    'double_pendulum': load_mechanism('double_pendulum').replace(
        independent=['theta2'], start={'theta1': None}, constraints={'drive': {
            'kind': 'prescribed', 'coordinate': 'theta1', 'motion': '0.2 * sin(9 * t) - t ** 3'}})}


def split_coupler(stiffer):
    """Return the linkage of Pyrhonen et al. 2023a with a spring so many times as stiff."""
    return load_mechanism('four_bar_split').replace(forces={'spring': {
        'kind': 'spring_damper', 'coordinate': 'bend', 'stiffness': 5e6 * stiffer, 'rest': 0.0}})


def reference(mechanism, end):
    """Return z, zd at the end, of scipy's DOP853 on the accelerations of the mechanism."""
    g, near = mechanism.g, mechanism.q0

    def rates(t, x):
        zdd = mechanism.forward_dynamics(x[:g], x[g:], near=near, t=t)
        return np.concatenate([x[g:], zdd])
    return solve_ivp(rates, (0.0, end), np.concatenate([mechanism.z0, mechanism.zd0]), 'DOP853',
                     rtol=1e-10, atol=1e-10).y[:, -1]


@pytest.mark.parametrize(('stiffness', 'damping'), [
    (40.0, 0.3), (4e6, 0.0), (4e6, 1e5), (1.0, 1e6)])
@pytest.mark.parametrize('h', STEPS)
def test_a_linear_mechanism_moves_by_the_exponential(stiffness, damping, h):
    """Whatever the step: its angles go through hundreds of radians of vibration in it."""
    mechanism = FREE_PENDULUM.replace(forces={'spring': {
        'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': stiffness,
        'damping': damping}})
    stepper = make_stepper(mechanism, 'matrix_r', 'exponential')
    F = np.array([[0.0, 1.0], [-3.0 * stiffness, -3.0 * damping]])
    scale = np.array([0.2, max(1.0, 0.2 * np.sqrt(3.0 * stiffness))])
    for k in range(1, 21):
        stepper.step(h)
        found = np.array([stepper.z[0], stepper.zd[0]])
        np.testing.assert_allclose(found / scale, expm(k * h * F) @ [0.2, 1.0] / scale, atol=1e-8)


@pytest.mark.parametrize('h', STEPS)
@pytest.mark.parametrize('stiffer', [1.0, 10.0, 100.0])
def test_the_stiff_coupler_moves_as_the_reference_and_keeps_its_energy(stiffer, h):
    """Stiffer springs than the paper's too, with as much bend, so with up to 100 times the energy.

    For 25 periods; the phase is lost some time.
    """
    mechanism, end = split_coupler(stiffer), 0.2 / np.sqrt(stiffer)
    stepper = make_stepper(mechanism, 'matrix_r', 'exponential')
    before = sum(entry_points.energies(stepper.model, stepper.work))
    steps = max(1, round(end / h))
    for _ in range(steps):
        stepper.step(h)
    energy = sum(entry_points.energies(stepper.model, stepper.work))
    assert energy == pytest.approx(before, rel=1e-3)
    found, expected = np.concatenate([stepper.z, stepper.zd]), reference(mechanism, steps * h)
    np.testing.assert_allclose(found[:2], expected[:2], atol=2e-3)


@pytest.mark.parametrize('formulation', ['matrix_r', 'coordinate_partitioning'])
def test_both_formulations_of_the_degrees_of_freedom_have_it(formulation):
    stepper = make_stepper(split_coupler(1.0), formulation, 'exponential')
    for _ in range(10):
        stepper.step(1e-2)
    np.testing.assert_allclose(stepper.z, reference(split_coupler(1.0), 0.1)[:2], atol=1e-3)


def test_forces_from_outside_count_from_the_step_on_that_they_come_with():
    pendulum = FREE_PENDULUM.replace(start_velocity={'theta': 0.0})
    stepper = make_stepper(pendulum, 'matrix_r', 'exponential')
    stepper.step(0.1, [2.0])
    assert stepper.z[0] == pytest.approx(0.2 + 0.5 * 6.0 * 0.01, abs=1e-12)
    stepper.step(0.1, [0.0])
    assert stepper.z[0] == pytest.approx(0.2 + 0.5 * 6.0 * 0.01 + 0.6 * 0.1, abs=1e-12)


def test_what_even_the_shortest_sub_step_cannot_do_is_an_error():
    """Forces that are no numbers; the state stays."""
    stepper = make_stepper(split_coupler(1.0), 'matrix_r', 'exponential')
    before = stepper.z.copy(), stepper.q.copy(), stepper.t
    with pytest.raises(StepError, match=r'no step of 0\.01 s'):
        stepper.step(1e-2, [np.nan, 0.0])
    for kept, now in zip(before, (stepper.z, stepper.q, stepper.t), strict=True):
        np.testing.assert_allclose(now, kept, atol=1e-12)


@pytest.mark.parametrize('formulation', ['matrix_r', 'coordinate_partitioning'])
@pytest.mark.parametrize('name', DRIVEN)
def test_it_is_of_fourth_order_with_prescribed_coordinates(name, formulation):
    """Steps so short that all are within the local error: none is divided."""
    mechanism, end, errors = DRIVEN[name], 0.4, []
    expected = reference(mechanism, end)
    for steps in (40, 80):
        stepper = make_stepper(mechanism, formulation, 'exponential')
        for _ in range(steps):
            stepper.step(end / steps)
        errors.append(np.abs(np.concatenate([stepper.z, stepper.zd]) - expected).max())
    assert errors[0] < 1e-5
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.5)


def test_what_time_does_to_a_linear_mechanism_is_exact():
    """A drive of constant acceleration on a spring: z'' = -k (z - s) / m, whatever the step."""
    mechanism = load_mechanism('double_pendulum').replace(
        gravity=[0.0, 0.0], independent=['theta2'], start={'theta1': None, 'theta2': 0.0},
        constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta1', 'motion': '1e-6*t'}},
        coordinates={'bend': {'kind': 'relative_angle', 'bodies': ['upper', 'lower']}},
        forces={'spring': {'kind': 'spring_damper', 'coordinate': 'bend', 'stiffness': 3e4}})
    stepper, rate = make_stepper(mechanism, 'matrix_r', 'exponential'), np.sqrt(9e4)
    for k in range(1, 11):
        stepper.step(0.01)
        t = 0.01 * k
        assert stepper.z[0] == pytest.approx(1e-6 * (t - np.sin(rate * t) / rate), abs=1e-13)
