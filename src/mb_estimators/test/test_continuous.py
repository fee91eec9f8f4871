"""The continuous filter against a general solver of its equations."""

import numpy as np
from scipy.optimize import root

from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors.readings import true_values

H = 0.02


def test_a_corrected_step_satisfies_the_equations_of_the_filter():
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter('cekf', mechanism, ['coupler_gyro'], H)
    z0, zd0 = mechanism.z0 + 0.3, np.array([1.5])
    zdd0 = mechanism.forward_dynamics(z0, zd0)
    filter_.reset(z0, zd0)
    filter_.predict(H)
    prior = filter_.estimate
    sensor = filter_.sensors[0]

    def h(x):
        q = mechanism.assemble(x[:1])
        qd = mechanism.velocity(q, x[1:])
        return true_values(mechanism, sensor, q[None], qd[None], 0.0 * q[None])[0]

    x = np.concatenate([prior.z, prior.zd])
    jacobian = np.array([(h(x + d) - h(x - d)) / 2e-6 for d in 1e-6 * np.eye(2)]).T
    gain = prior.covariance @ jacobian.T / sensor.settings.variance
    reading = h(x) + 0.2

    def missing(x):
        feedback = gain @ (reading - h(x))
        zdd = mechanism.forward_dynamics(x[:1], x[1:])
        return np.concatenate([
            z0 + H / 2.0 * (zd0 + x[1:]) - x[:1] + feedback[:1],
            zd0 + H / 2.0 * (zdd0 + zdd) - x[1:] + feedback[1:]])

    solution = root(missing, x, tol=1e-12)
    assert solution.success
    fit = filter_.correct(reading)
    np.testing.assert_allclose(fit.residual, 0.2, atol=1e-9)
    estimate = filter_.estimate
    assert abs(estimate.zd - prior.zd) > 0.05
    np.testing.assert_allclose([*estimate.z, *estimate.zd], solution.x, atol=1e-6)
