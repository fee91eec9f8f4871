"""The exponential integrator as published, by series: on linear motions, and on a stiff spring."""

from math import factorial

import numpy as np
import pytest
from scipy.linalg import expm

from mb_model import StepError, load_mechanism, make_stepper, simulate

# A body turned by a linear spring and damper: z'' = -k z - d z', inertia about the pivot 1/3.
OSCILLATOR = load_mechanism('pendulum').replace(
    gravity=[0.0, 0.0], start={'theta': 0.2}, start_velocity={'theta': 1.0},
    forces={'spring': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 40.0,
                       'damping': 0.3}})
F = np.array([[0.0, 1.0], [-120.0, -0.9]])


@pytest.mark.parametrize('order', range(5))
def test_a_linear_mechanism_follows_the_taylor_series_of_its_exponential(order):
    stepper = make_stepper(OSCILLATOR, 'matrix_r', f'exponential_{order}')
    h, x = 0.01, np.array([0.2, 1.0])
    psi = sum(np.linalg.matrix_power(h * F, n) / factorial(n + 1) for n in range(order + 1))
    for _ in range(20):
        stepper.step(h)
        x = x + h * psi @ F @ x
        np.testing.assert_allclose([stepper.z[0], stepper.zd[0]], x, atol=1e-11)
    error = np.abs(x - expm(0.2 * F) @ [0.2, 1.0]).max()
    assert error < 0.6 * 0.11 ** order


def swing(integrator, steps):
    """Return the energies of the split coupler, fewer than steps + 1 where it breaks down."""
    mechanism = load_mechanism('four_bar_split')
    stepper = make_stepper(mechanism, 'matrix_r', integrator)
    energies = []
    for _ in range(steps):
        energies.append(sum(mechanism.energy(stepper.z, stepper.zd, near=stepper.q)))
        try:
            stepper.step(1e-3)
        except StepError:
            break
    return np.array(energies)


@pytest.mark.parametrize('integrator', ['forward_euler', 'augmented_euler', 'exponential_0'])
def test_euler_blows_up_on_the_stiff_coupler_within_ten_steps(integrator):
    energies = swing(integrator, 11)
    assert len(energies) < 11 or energies.max() > 5.0 * energies[0]


def test_order_one_blows_up_on_the_stiff_coupler_within_fifty_steps():
    energies = swing('exponential_1', 50)
    assert len(energies) < 50 or energies.max() > 10.0 * energies[0]


@pytest.mark.parametrize('dt', [5e-3, 1e-2])
@pytest.mark.parametrize('order', range(1, 5))
def test_every_order_blows_up_there_in_longer_steps(order, dt):
    mechanism = load_mechanism('four_bar_split')
    with pytest.raises(StepError):
        simulate(mechanism, 10 * dt, dt, 'matrix_r', f'exponential_{order}')


@pytest.mark.parametrize(('order', 'least', 'most'), [(2, 0.1, 0.2), (3, 0.1, 0.2),
                                                      (4, 10.0, 30.0)])
def test_higher_orders_lose_the_energy_of_the_spring_or_grow(order, least, most):
    """After ten seconds.  On the imaginary axis the Taylor polynomials of degree 3 and 4 damp.

    The one of degree 5 (order 4) grows like y^6 / 720 per step: slowly, but it does.
    """
    mechanism = load_mechanism('four_bar_split')
    run = simulate(mechanism, 10.0, 1e-3, 'matrix_r', f'exponential_{order}')
    before, after = (sum(mechanism.energy(run.z[k], run.zd[k], near=run.q[k])) for k in (0, -1))
    assert least < after / before < most
