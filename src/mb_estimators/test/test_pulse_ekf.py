"""Pulses of an unknown force, against simulated ones and a batch solution."""

import numpy as np
import pytest

from mb_estimators import FilterError, make_filter
from mb_model import load_mechanism, make_stepper

DT, DURATION, SIGMA = 0.002, 1.6, 1e-3
SENSORS = ('shoulder_encoder', 'elbow_encoder')
SETTINGS = {'initial_variance': 1e-4, 'gate': 0.0, 'noise_deviations': (0.02,)}


@pytest.fixture(scope='module')
def pendulum():
    """The double pendulum with encoders whose zeros are known."""
    return load_mechanism('geared_double_pendulum').replace(sensors={
        name: {'sigma': SIGMA, 'bias_sigma': 0.0} for name in SENSORS})


def pulse(t, centre, width, amplitude):
    """Return a pulse (k)."""
    return amplitude * np.exp(-0.5 * ((t - centre) / width) ** 2)


def run(pendulum, unknown, known, seed=0, **changed):
    """Return forces, deviations, probabilities (k, 2) and ended pulses [(t, Pulse)]."""
    stepper = make_stepper(pendulum, 'index3_al')
    observer = make_filter('pulse_ekf', pendulum, SENSORS, DT, **(SETTINGS | changed))
    random, found = np.random.default_rng(seed), []
    forces, deviations, probability = (np.zeros_like(unknown) for _ in range(3))
    for k in range(1, len(unknown)):
        stepper.forces[:] = unknown[k] + known[k]
        stepper.step(DT)
        observer.predict(DT, known[k])
        observer.correct(stepper.z + SIGMA * random.normal(size=2))
        estimate = observer.estimate
        forces[k], deviations[k] = estimate.forces, estimate.force_deviations
        probability[k] = estimate.hypothesis_probabilities
        found += [(k * DT, one) for one in observer.ended_pulses]
    return forces, deviations, probability, found


@pytest.fixture(scope='module')
def motion():
    """Instants (k), and known forces (k, 2) that swing the pendulum."""
    t = DT * np.arange(round(DURATION / DT))
    return t, np.column_stack([np.sin(3.0 * t), 0.4 * np.cos(5.0 * t)])


@pytest.mark.parametrize('joint', [0, 1])
def test_it_finds_a_pulse_its_time_and_its_amplitude(pendulum, motion, joint):
    t, known = motion
    truth = np.zeros((len(t), 2))
    truth[:, joint] = pulse(t, 0.8, 0.075, 0.6)
    forces, deviations, probability, found = run(pendulum, truth, known)
    likely = max((one for _, one in found), key=lambda one: one.probability)
    when = next(t for t, one in found if one is likely) - likely.ago
    assert likely.coordinate == joint
    assert when == pytest.approx(0.8, abs=0.03)
    assert likely.amplitude == pytest.approx(0.6, abs=0.06)
    assert probability[t < 0.55].max() < 0.5
    assert t[np.argmax(probability[:, joint] > 0.9)] < 0.8
    assert np.sqrt(np.mean((forces - truth) ** 2)) < 0.5 * np.sqrt(np.mean(truth ** 2))
    assert (abs(forces - truth) < 1.96 * deviations + 1e-2).mean() > 0.9


def test_it_stays_at_zero_without_pulses(pendulum, motion):
    t, known = motion
    forces, _, probability, _ = run(pendulum, np.zeros((len(t), 2)), known)
    assert probability.max() < 0.5
    assert abs(forces).max() < 0.05


def test_gains_and_losses_make_of_known_forces_what_acts(pendulum):
    observer = make_filter('pulse_ekf', pendulum, SENSORS, DT, force_gains=(0.5, 2.0),
                           force_asymmetries=(0.1, 0.0), force_losses=(0.2, 0.1),
                           force_growths=(0.0, 0.02))
    observer.reset([0.1, 0.2], [5.0, -5.0])
    observer.predict(DT, [1.0, -1.0])
    plain = make_filter('pulse_ekf', pendulum, SENSORS, DT)
    plain.reset([0.1, 0.2], [5.0, -5.0])
    plain.predict(DT, [0.5 * 1.1 - 0.2, -2.0 * (1.0 + 0.02 * 5.0 ** 2) + 0.1])
    np.testing.assert_allclose(observer.estimate.z, plain.estimate.z, rtol=1e-12)


def test_the_amplitude_is_that_of_least_squares(pendulum):
    """With one hypothesis alone: innovations with and without a small pulse, by differences.

    At rest without friction the filter is linear: the innovations of the filter are those without a
    pulse and the amplitude times their change with it.  The model's step takes the mean of the
    accelerations before and after a change of a force, half a step late: 2 % of the information.
    """
    smooth = pendulum.replace(parameters=dict.fromkeys(
        ('shoulder_coulomb', 'elbow_coulomb', 'elbow_viscous'), 0.0))
    residuals, weights = [], []
    for size in (0.0, 1e-4):
        observer = make_filter('pulse_ekf', smooth, SENSORS, DT, **(SETTINGS | {
            'pulse_widths': (0.075,), 'pulse_instants': 2, 'pulse_rate': 1e-9}))
        rows = []
        for k in range(150):
            # As the filter, force of the middle of the step; the pulse begins with the first one.
            push = size * np.exp(-0.5 * ((3.0 * 0.075 - (k + 0.5) * DT) / 0.075) ** 2)
            observer.predict(DT, [push, 0.0])
            innovation = observer.correct([0.01, -0.02])
            rows.append(innovation.residual)
            weights.append(innovation.covariance)
        residuals.append(np.array(rows))
    change = (residuals[0] - residuals[1]) / 1e-4
    solved = [np.linalg.solve(weights[150 + k], change[k]) for k in range(150)]
    information = sum(change[k] @ solved[k] for k in range(150))
    score = sum(residuals[1][k] @ solved[k] for k in range(150))
    record = observer.state['pulses'][0]
    m = int(np.argmax((record['alive'] == 1) & (record['of'] == 0)))
    assert record['information'][m] == pytest.approx(information, rel=0.03)
    assert record['score'][m] == pytest.approx(score, rel=0.03)


@pytest.mark.parametrize(('mean', 'deviation'), [(0.0, 0.3), (0.4, 0.2), (0.5, 0.1)])
def test_amplitudes_and_odds_are_integrals_over_both_sides(pendulum, motion, mean, deviation):
    """Against sums over a fine grid: prior of both sides times likelihood of the readings."""
    observer = make_filter('pulse_ekf', pendulum, SENSORS, DT, **(SETTINGS | {
        'pulse_mean': mean, 'pulse_amplitude': deviation}))
    t, known = motion
    truth = np.column_stack([pulse(t, 0.3, 0.075, 0.3), 0.0 * t])
    stepper = make_stepper(pendulum, 'index3_al')
    for k in range(1, 125):
        stepper.forces[:] = truth[k] + known[k]
        stepper.step(DT)
        observer.predict(DT, known[k])
        observer.correct(stepper.z)
    record = observer.state['pulses'][0]
    there = np.flatnonzero((record['alive'] == 1) & (record['probability'] > 1e-9))
    a = np.linspace(-3.0, 3.0, 60001)
    prior = sum(np.exp(-0.5 * ((a - side * mean) / deviation) ** 2) for side in (-1.0, 1.0))
    odds = []
    for m in there:
        weight = prior * np.exp(record['score'][m] * a - 0.5 * record['information'][m] * a ** 2)
        found = (weight * a).sum() / weight.sum()
        spread = (weight * (a - found) ** 2).sum() / weight.sum()
        assert record['likely'][m] == pytest.approx(found, rel=1e-6, abs=1e-9)
        assert record['doubt'][m] == pytest.approx(spread, rel=1e-6)
        odds.append(weight.sum() / prior.sum())
    shares = record['probability'][there] / record['probability'][there].sum()
    np.testing.assert_allclose(shares, odds / np.sum(odds), rtol=1e-5)


def test_motors_lead_by_the_lash_of_their_gears(pendulum, motion):
    """Encoders that read motors, ahead of joints that loaded gears drive, say what joints do."""
    _, known = motion
    lash = np.array([4e-3, 2e-3])
    behind, exact, ignorant = (
        make_filter('pulse_ekf', pendulum, SENSORS, DT, **SETTINGS, **more)
        for more in ({'gear_lashes': tuple(lash), 'lash_time': 1e-6}, {}, {}))
    stepper = make_stepper(pendulum, 'index3_al')
    for k in range(1, 300):
        stepper.forces[:] = known[k]
        stepper.step(DT)
        for observer, readings in (
                (behind, stepper.z + lash * np.tanh(known[k] / 0.35)), (exact, stepper.z),
                (ignorant, stepper.z + lash * np.tanh(known[k] / 0.35))):
            observer.predict(DT, known[k])
            observer.correct(readings)
    np.testing.assert_allclose(behind.estimate.z, exact.estimate.z, atol=1e-12)
    assert abs(ignorant.estimate.z - exact.estimate.z).max() > 1e-3


def test_a_sensor_on_a_link_does_not_see_the_lash(pendulum):
    """A gyroscope reads the link, whose velocity is not the motor's."""
    turned = pendulum.replace(sensors={
        'gyroscope': {'kind': 'gyroscope', 'body': 'upper', 'sigma': 1e-3}})
    estimates = []
    for lash in (0.0, 4e-3):
        observer = make_filter('pulse_ekf', turned, ['gyroscope'], DT, gear_lashes=(lash,))
        observer.predict(DT, [1.0, 1.0])
        observer.correct([0.01])
        estimates.append(observer.estimate.z)
    np.testing.assert_array_equal(*estimates)


def test_power_adds_noise_to_every_degree_of_freedom(pendulum):
    known, velocity, power = np.array([-0.5, 2.0]), np.array([1.0, 6.0]), 5.0
    blocks = []
    for given in (0.0, power):
        observer = make_filter('pulse_ekf', pendulum, SENSORS, DT, **SETTINGS, noise_power=given)
        observer.reset([0.2, 0.4], velocity)
        observer.predict(DT, known)
        blocks.append(observer.state_covariance[4:6, 4:6])
    by_known = observer.state['pulses'][0]['by_known']
    now = observer.estimate.zd
    variance = (1.0 - np.exp(-2.0 * DT / 0.05)) * 0.02 ** 2 * (abs(known * now).sum() / power) ** 2
    np.testing.assert_allclose(blocks[1] - blocks[0], variance * by_known @ by_known.T, rtol=1e-6)


def test_forces_of_a_moment_ago_are_those_at_that_lag(pendulum, motion):
    _, known = motion
    observer = make_filter('pulse_ekf', pendulum, SENSORS, DT, **SETTINGS)
    for k in range(100):
        observer.predict(DT, known[k])
        observer.correct([0.001 * k, 0.0])
    estimate = observer.estimate
    force, deviation = observer.force_before(0.0)
    np.testing.assert_allclose(force, estimate.forces, rtol=1e-9)
    np.testing.assert_allclose(deviation, estimate.force_deviations, rtol=1e-9)
    assert np.all(observer.force_before(10.0)[0] == 0.0)


@pytest.mark.parametrize(('changed', 'message'), [
    ({'force_gains': (1.0, 1.0, 1.0)}, 'force_gains: 3 values'),
    ({'noise_deviations': (0.1,) * 4}, 'noise_deviations: 4 values')])
def test_settings_that_do_not_fit_are_refused(pendulum, changed, message):
    with pytest.raises(FilterError, match=message):
        make_filter('pulse_ekf', pendulum, SENSORS, DT, **changed)
