"""Filters of forces beside one in plain numpy on Lagrange's equations: nothing of ours is in it.

error_ekf_fe, and adaptive_error_ekf_fe whose noise is found by Eq. (91) of Rodriguez et al. 2023.

Each filter follows its own prototype, so that its model has the same integration errors, by
readings with the same noise.
"""

from dataclasses import replace

import numpy as np
from plain_linkage import FIVE_BAR, FOUR_BAR, derivative
import pytest

from mb_estimators import Experiment

DT, DURATION, SETTLED = 5e-3, 2.5, 400
START_ERROR, GRAVITY_ERROR = np.pi / 16, -1.0
ENCODER, GYROSCOPE = 17.453e-3, 983.943e-6          # rad, rad/s
INITIAL_VARIANCE = 7.6e-3


def crank_angles(linkage, z, zd):
    return z


def crank_rates(linkage, z, zd):
    return zd


def link_rates(linkage, z, zd):
    return linkage.link_rates(z, zd)


def prototype(linkage, z, count):
    """Return z, zd, zdd (count, 3, g) of a linkage that starts at rest."""
    motion = [(z, 0.0 * z, linkage.dynamics(z, 0.0 * z, 0.0 * z)[0])]
    while len(motion) < count:
        motion.append(linkage.step(*motion[-1], 0.0 * z, DT))
    return np.array(motion)


def estimated(linkage, z, readings, read, sigma, variance, window=0):
    """Return z, zd, zdd (k, 3, g) by the errorEKF_FE of Rodriguez et al. 2023, Sec. 7.3.

    window: of Eq. (91), by which the noise is found that begins with a variance; 0: it stays.
    """
    g, zd, force = len(z), 0.0 * z, 0.0 * z
    zdd, unit, nothing = linkage.dynamics(z, zd, force)[0], np.eye(g), np.zeros((g, g))
    P, motion = INITIAL_VARIANCE * np.eye(3 * g), []
    terms, noise = [variance * np.ones(g)] * window, variance * np.ones(g)
    for k, reading in enumerate(readings):
        if k > 0:
            A = derivative(lambda x: linkage.dynamics(x, zd, force)[0], z)      # noqa: B023
            B = derivative(lambda x: linkage.dynamics(z, x, force)[0], zd)      # noqa: B023
            f_x = np.block([
                [unit + DT ** 2 / 2 * A, DT * unit + DT ** 2 / 2 * B, DT ** 2 / 2 * unit],
                [DT * A, unit + DT * B, DT * unit],
                [nothing, nothing, unit]])
            z, zd, zdd = linkage.step(z, zd, zdd, force, DT)
            passed = f_x @ P @ f_x.T
            P = passed.copy()
            P[2 * g:, 2 * g:] += np.diag(noise)
        elif np.isnan(reading).any():
            motion.append((z, zd, zdd))
            continue
        h_x = np.hstack([derivative(lambda x: read(linkage, x, zd), z),         # noqa: B023
                         derivative(lambda x: read(linkage, z, x), zd), nothing])   # noqa: B023
        gain = np.linalg.solve(h_x @ P @ h_x.T + sigma ** 2 * unit, h_x @ P).T
        dz, dzd, dzdd = (gain @ (reading - read(linkage, z, zd))).reshape(3, g)
        P = (np.eye(3 * g) - gain @ h_x) @ P
        P = (P + P.T) / 2.0
        if window and k > 0:
            terms = [*terms[1:], dzdd ** 2 + np.diag(P - passed)[2 * g:]]
            noise = np.abs(np.mean(terms, axis=0))
        z, zd = z + dz, zd + dzd
        force = force + linkage.dynamics(z, zd, force)[1] @ dzdd                # Eq. (80)
        zdd = linkage.dynamics(z, zd, force)[0]
        motion.append((z, zd, zdd))
    return np.array(motion)


def rms(errors):
    return np.sqrt(np.mean(errors ** 2, axis=0))


def errors_of(result):
    """Return the errors of z, zd, zdd (k, 3, g) of a Result."""
    return np.stack([result.observer.z - result.truth.z, result.observer.zd - result.truth.zd,
                     result.observer.zdd - result.truth.zdd], axis=1)


def plain_errors(experiment, result, linkage, read, sigma, variance, window=0):
    """Return the errors of the plain filter (k, 3, g) with the noise of the readings of a Result.

    Where these are NaN at the start the filter predicts first, as ours does.
    """
    truth = prototype(linkage, experiment.prototype.z0, len(experiment.t))
    moved = np.array([read(linkage, *state[:2]) for state in truth])
    noise = result.readings - [read(linkage, z, zd) for z, zd in zip(
        result.truth.z, result.truth.zd, strict=True)]
    wrong = replace(linkage, gravity=linkage.gravity + GRAVITY_ERROR)
    return estimated(wrong, experiment.prototype.z0 + START_ERROR, moved + noise, read, sigma,
                     variance, window) - truth


@pytest.mark.parametrize(('name', 'linkage', 'sensors', 'read', 'sigma', 'variance', 'apart'), [
    ('four_bar', FOUR_BAR, 'crank_encoder', crank_angles, ENCODER, 2.291e-3, 2e-5),
    ('four_bar', FOUR_BAR, 'crank_gyro', crank_rates, GYROSCOPE, 2.291e-3, 2e-5),
    ('four_bar', FOUR_BAR, 'coupler_gyro', link_rates, GYROSCOPE, 2.291e-3, 2e-5),
    ('five_bar', FIVE_BAR, 'crank_gyros', crank_rates, GYROSCOPE, 0.10996, 3e-4),
    ('five_bar', FIVE_BAR, 'coupler_gyros', link_rates, GYROSCOPE, 0.10996, 3e-4),
])
def test_an_independent_filter_agrees(name, linkage, sensors, read, sigma, variance, apart):
    """At every instant to `apart` [rad], and in all root mean square errors to 1 %."""
    experiment = Experiment(
        name, [sensors], {'gravity': GRAVITY_ERROR, 'z0': START_ERROR}, DURATION, DT)
    ours = experiment.run('error_ekf_fe', 1, acceleration_variance=variance)
    errors = errors_of(ours)
    plain = plain_errors(experiment, ours, linkage, read, sigma, variance)
    assert np.abs(plain - errors)[:, 0].max() < apart
    np.testing.assert_allclose(rms(errors), rms(plain), rtol=0.01)
    np.testing.assert_allclose(rms(errors[SETTLED:, 0]), rms(plain[SETTLED:, 0]), rtol=0.01)


WINDOW, TUNED, WRONG = 50, 2.291e-3, 9.162e-2       # rad^2/s^4, where the review lets it begin


@pytest.fixture(scope='module')
def coupler_gyro():
    return Experiment('four_bar', ['coupler_gyro'],
                      {'gravity': GRAVITY_ERROR, 'z0': START_ERROR}, DURATION, DT)


@pytest.mark.parametrize('first_reading', [False, True])
def test_an_independent_adaptive_filter_agrees(coupler_gyro, first_reading):
    ours = coupler_gyro.run('adaptive_error_ekf_fe', 1, first_reading=first_reading,
                            acceleration_variance=WRONG)
    plain = plain_errors(coupler_gyro, ours, FOUR_BAR, link_rates, GYROSCOPE, WRONG, WINDOW)
    assert np.abs(plain - errors_of(ours))[:, 0].max() < 1e-3
    np.testing.assert_allclose(rms(errors_of(ours)), rms(plain), rtol=0.02)


@pytest.mark.parametrize(('variance', 'window', 'is_lost'), [
    (WRONG, WINDOW, True), (WRONG, 0, True), (TUNED, WINDOW, False)])
def test_forty_times_the_noise_loses_the_seventh_seed(coupler_gyro, variance, window, is_lost):
    """The plain filter, too, with or without Eq. (91); begun at the tuned noise it does not."""
    ours = coupler_gyro.run('adaptive_error_ekf_fe', 7, first_reading=False,
                            acceleration_variance=WRONG)
    plain = plain_errors(
        coupler_gyro, ours, FOUR_BAR, link_rates, GYROSCOPE, variance, window)[SETTLED:, 0]
    assert np.abs(errors_of(ours)[SETTLED:, 0]).max() > 0.5
    assert np.abs(plain).max() > 0.5 if is_lost else np.abs(plain).max() < 0.01
