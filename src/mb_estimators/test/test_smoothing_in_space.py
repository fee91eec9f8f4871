"""Smoothing of a body that turns freely against least squares over its motions."""

import numpy as np
from scipy.optimize import least_squares

from mb_estimators import Experiment, make_filter
from mb_estimators.smoothing import smooth
from mb_model import motion_difference, simulate

DURATION, DT, VARIANCE = 0.04, 1e-3, 1e-4


def test_it_is_least_squares_over_single_motions():
    """Without noise in the accelerations there are no other motions to choose from."""
    experiment = Experiment('stewart', ['encoders'], {'z0': 5e-3}, DURATION, DT)
    platform, recording = experiment.mechanism, experiment.recording(seed=2)
    filter_ = make_filter('error_ekf_ej', platform, experiment.sensors, DT,
                          initial_variance=VARIANCE, acceleration_psd=1e-12)
    smoothed, g = smooth(filter_, recording, DT), platform.g
    sigma, lengths = experiment.sensors[0].settings.sigma, platform.places(platform.drives)

    def residuals(x):
        run = simulate(platform, DURATION, DT, z0=platform.z0 + x[:g], zd0=platform.zd0 + x[g:])
        return np.concatenate([((run.q[:, lengths] - recording.readings) / sigma).ravel(),
                               x / np.sqrt(VARIANCE)])

    found = least_squares(residuals, np.zeros(2 * g), diff_step=1e-6, x_scale=1e-3)
    deviation = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)))
    run = simulate(platform, DURATION, DT, z0=platform.z0 + found.x[:g],
                   zd0=platform.zd0 + found.x[g:])
    for k, within in ((0, 0.1), (len(run.t) - 1, 0.1)):
        off = motion_difference(platform, (smoothed.q[k], smoothed.qd[k]),
                                (run.q[k], run.qd[k]))
        claimed = np.sqrt(np.diag(smoothed.covariance[k])[:2 * g])
        assert (np.abs(off) < within * claimed).all(), (k, off / claimed)
    claimed = np.sqrt(np.diag(smoothed.covariance[0])[:2 * g])
    np.testing.assert_allclose(claimed, deviation, rtol=0.05)
