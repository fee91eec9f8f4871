"""The four bar against its reference figures and against a minimal-coordinate solution."""

from math import pi

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest
from truth import Linkage

from mb_model import apply_model_errors, load_mechanism, simulate

THOROUGH = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
FOUR_BAR = load_mechanism('four_bar')
MODEL_ERRORS = {'gravity': -1.0, 'z0': pi / 16}


def rmse(a, b):
    return float(np.sqrt(np.mean((a - b) ** 2)))


def test_start_is_that_of_the_benchmark(four_bar_truth):
    np.testing.assert_allclose(FOUR_BAR.q0, [1.0, 1.732051, 8.412459, 4.741278, pi / 3], atol=1e-6)
    z, zd = FOUR_BAR.z0, FOUR_BAR.zd0
    assert FOUR_BAR.forward_dynamics(z, zd)[0] == pytest.approx(-0.994835, abs=1e-6)
    assert FOUR_BAR.energy(z, zd) == (0.0, pytest.approx(387.28467, abs=1e-5))
    # Reduced mass: the force of one radian per second squared more.
    more = FOUR_BAR.inverse_dynamics(z, zd, [1.0]) - FOUR_BAR.inverse_dynamics(z, zd, [0.0])
    assert more[0] == pytest.approx(24.25056, abs=1e-5)
    np.testing.assert_allclose(four_bar_truth.mass_matrix(z), [[24.25056]], atol=1e-5)


@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r'])
def test_the_uncorrected_model_is_as_wrong_as_the_benchmark_says(formulation):
    wrong = apply_model_errors(FOUR_BAR, MODEL_ERRORS)
    prototype, model = (simulate(mechanism, 10.0, 1e-3, formulation)
                        for mechanism in (FOUR_BAR, wrong))
    assert rmse(model.z, prototype.z) == pytest.approx(7.24, abs=0.01)
    assert rmse(model.zd, prototype.zd) == pytest.approx(3.04, abs=0.01)
    assert rmse(model.zdd, prototype.zdd) == pytest.approx(7.83, abs=0.01)


@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r'])
def test_simulation_converges_to_the_truth_with_the_square_of_the_step(formulation, four_bar_truth):
    duration = 3.0
    z, zd = four_bar_truth.simulate(FOUR_BAR.z0, FOUR_BAR.zd0, np.array([0.0, duration]))
    errors = []
    for dt in (2e-3, 1e-3, 5e-4, 2.5e-4):
        run = simulate(FOUR_BAR, duration, dt, formulation)
        errors.append(max(abs(run.z[-1, 0] - z[-1, 0]), abs(run.zd[-1, 0] - zd[-1, 0])))
    assert errors[-1] < 2e-6
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.13)


def test_forward_euler_converges_with_the_step(four_bar_truth):
    z, _ = four_bar_truth.simulate(FOUR_BAR.z0, FOUR_BAR.zd0, np.array([0.0, 1.0]))
    errors = [abs(simulate(FOUR_BAR, 1.0, dt, 'matrix_r', 'forward_euler').z[-1, 0] - z[-1, 0])
              for dt in (2e-3, 1e-3, 5e-4)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 1.0, atol=0.1)


@THOROUGH
@given(crank=st.floats(0.5, 3.0), coupler=st.floats(1.0, 6.0), rocker=st.floats(1.0, 6.0),
       ground=st.floats(1.0, 6.0), theta=st.floats(-3.1, 3.1), branch=st.sampled_from([1, -1]),
       rate=st.floats(-5.0, 5.0), torque=st.floats(-50.0, 50.0),
       masses=st.tuples(*[st.floats(0.1, 20.0)] * 3),
       inertias=st.tuples(*[st.floats(0.0, 9.0)] * 3),
       centres=st.tuples(*[st.tuples(st.floats(-2.0, 4.0), st.floats(-2.0, 2.0))] * 3))
def test_random_four_bars_obey_lagrange(crank, coupler, rocker, ground, theta, branch, rate, torque,
                                        masses, inertias, centres):
    distance = np.sqrt(crank ** 2 + ground ** 2 - 2.0 * crank * ground * np.cos(theta))
    if min(coupler + rocker - distance, distance - abs(coupler - rocker)) < 0.3:
        return
    truth = Linkage.four_bar(crank, coupler, rocker, ground, masses, branch, 9.81, list(centres),
                             list(inertias))
    lengths = dict(zip(('crank', 'coupler', 'rocker'), (crank, coupler, rocker), strict=True))
    points = {name: {'start': place} for name, place
              in zip(('P1', 'P2'), truth.points([theta])[:2].tolist(), strict=True)}
    mechanism = FOUR_BAR.replace(
        points={'B': {'fixed': [ground, 0.0]}} | points, start={'theta': theta},
        bodies={name: {'length': length, 'mass': mass, 'centre_of_gravity': list(centre),
                       'inertia': inertia} for (name, length), mass, centre, inertia
                in zip(lengths.items(), masses, centres, inertias, strict=True)})
    if truth.mass_matrix([theta])[0, 0] < 1e-2:
        return
    expected = truth.acceleration([theta], [rate], torque)[0]
    zdd = mechanism.forward_dynamics([theta], [rate], [torque])
    assert zdd[0] == pytest.approx(expected, rel=1e-5, abs=1e-5)
    assert mechanism.inverse_dynamics([theta], [rate], zdd)[0] == pytest.approx(
        torque, rel=1e-9, abs=1e-8 * max(1.0, abs(expected)) * sum(masses))
    assert sum(mechanism.energy([theta], [rate])) == pytest.approx(
        truth.energy([theta], [rate]), rel=1e-9, abs=1e-8)
