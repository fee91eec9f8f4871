"""error_ekf_fe beside a filter in plain numpy on Lagrange's equations: nothing of ours is in it.

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


def estimated(linkage, z, readings, read, sigma, variance):
    """Return z, zd, zdd (k, 3, g) by the errorEKF_FE of Rodriguez et al. 2023, Sec. 7.3."""
    g, zd, force = len(z), 0.0 * z, 0.0 * z
    zdd, unit, nothing = linkage.dynamics(z, zd, force)[0], np.eye(g), np.zeros((g, g))
    P, motion = INITIAL_VARIANCE * np.eye(3 * g), []
    for k, reading in enumerate(readings):
        if k > 0:
            A = derivative(lambda x: linkage.dynamics(x, zd, force)[0], z)      # noqa: B023
            B = derivative(lambda x: linkage.dynamics(z, x, force)[0], zd)      # noqa: B023
            f_x = np.block([
                [unit + DT ** 2 / 2 * A, DT * unit + DT ** 2 / 2 * B, DT ** 2 / 2 * unit],
                [DT * A, unit + DT * B, DT * unit],
                [nothing, nothing, unit]])
            z, zd, zdd = linkage.step(z, zd, zdd, force, DT)
            P = f_x @ P @ f_x.T
            P[2 * g:, 2 * g:] += variance * unit
        h_x = np.hstack([derivative(lambda x: read(linkage, x, zd), z),         # noqa: B023
                         derivative(lambda x: read(linkage, z, x), zd), nothing])   # noqa: B023
        gain = np.linalg.solve(h_x @ P @ h_x.T + sigma ** 2 * unit, h_x @ P).T
        dz, dzd, dzdd = (gain @ (reading - read(linkage, z, zd))).reshape(3, g)
        P = (np.eye(3 * g) - gain @ h_x) @ P
        P = (P + P.T) / 2.0
        z, zd = z + dz, zd + dzd
        force = force + linkage.dynamics(z, zd, force)[1] @ dzdd                # Eq. (80)
        zdd = linkage.dynamics(z, zd, force)[0]
        motion.append((z, zd, zdd))
    return np.array(motion)


def rms(errors):
    return np.sqrt(np.mean(errors ** 2, axis=0))


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
    errors = np.stack([ours.observer.z - ours.truth.z, ours.observer.zd - ours.truth.zd,
                       ours.observer.zdd - ours.truth.zdd], axis=1)
    truth = prototype(linkage, experiment.prototype.z0, len(experiment.t))
    moved = np.array([read(linkage, *state[:2]) for state in truth])
    noise = ours.readings - [read(linkage, z, zd) for z, zd in zip(
        ours.truth.z, ours.truth.zd, strict=True)]
    wrong = replace(linkage, gravity=linkage.gravity + GRAVITY_ERROR)
    plain = estimated(wrong, experiment.prototype.z0 + START_ERROR, moved + noise, read, sigma,
                      variance) - truth
    assert np.abs(plain - errors)[:, 0].max() < apart
    np.testing.assert_allclose(rms(errors), rms(plain), rtol=0.01)
    np.testing.assert_allclose(rms(errors[SETTLED:, 0]), rms(plain[SETTLED:, 0]), rtol=0.01)
