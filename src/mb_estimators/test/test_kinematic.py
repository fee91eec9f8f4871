"""The filter of kinematics: what it must not know, measured accelerations, forces."""

import numpy as np
import pytest

from mb_estimators import Experiment, make_filter
from mb_model import load_mechanism, simulate
from mb_sensors.readings import true_values

DT = 0.005
MODELS = pytest.mark.parametrize('model', ['random_walk', 'jerk', 'input'])


def readings_of(mechanism, filter_, run, k):
    """Return what the sensors of a filter read without noise at an instant of a run."""
    state = (run.q[k:k + 1], run.qd[k:k + 1], run.qdd[k:k + 1])
    return np.hstack([true_values(mechanism, sensor, *state)[0] for sensor in filter_.sensors])


@MODELS
def test_masses_gravity_and_known_forces_say_nothing_about_the_motion(model):
    mechanism = load_mechanism('five_bar')
    heavy = mechanism.replace(bodies={body: {'mass': 10.0 + k}
                                      for k, body in enumerate(mechanism.bodies)})
    run = simulate(mechanism, 0.5, DT)
    names = ['crank_encoders', 'crank_accelerometers', 'coupler_gyros']
    first = make_filter('kinematic_kf', mechanism, names, DT, acceleration_model=model)
    other = make_filter('kinematic_kf', heavy.replace(gravity=[1.0, 3.0]), list(first.sensors), DT,
                        acceleration_model=model)
    for k in range(1, len(run.t)):
        reading = readings_of(mechanism, first, run, k)
        for filter_, forces in ((first, None), (other, np.array([30.0, -20.0]))):
            filter_.predict(DT, forces)
            filter_.correct(reading)
    for name in ('z', 'zd', 'zdd', 'covariance'):
        np.testing.assert_allclose(getattr(first.estimate, name), getattr(other.estimate, name),
                                   rtol=1e-7, atol=1e-9)
    assert np.abs(first.estimate.forces - other.estimate.forces).min() > 1.0


def test_accelerometers_are_inputs_with_the_derivatives_of_central_differences():
    """By state and covariance after a step; biases of the sensors have their part in it."""
    mechanism = load_mechanism('five_bar').replace(sensors={
        name: {'bias_sigma': 0.1} for name in load_mechanism('five_bar').sensors
        if name.endswith('_accelerometers')})
    filter_ = make_filter('kinematic_kf', mechanism, ['crank_accelerometers'], DT, gate=0.0,
                          acceleration_model='input', acceleration_variance=1e-20)
    x, zdd, h, g = np.array([0.3, 2.6, 0.8, -1.3]), np.array([-4.0, 7.0]), 0.02, 2
    q = mechanism.assemble(x[:g])
    qd = mechanism.velocity(q, x[g:])
    state = [a[None] for a in (q, qd, mechanism.acceleration(q, qd, zdd))]
    read = np.hstack([true_values(mechanism, s, *state)[0] for s in filter_.sensors])
    tiny = np.eye(3 * g + 4) * 1e-20

    def stepped(x, read, covariance):
        filter_.reset(x[:g], x[g:], tiny[:6, :6])
        filter_._filter['P'][:10, :10] = tiny            # also of the biases
        filter_.correct(read)
        filter_._filter['P'][:10, :10] = covariance
        filter_.predict(h)
        estimate = filter_.estimate
        return np.concatenate([estimate.z, estimate.zd, estimate.zdd]), estimate.covariance

    expected = np.concatenate([x[:g] + h * x[g:] + 0.5 * h * h * zdd, x[g:] + h * zdd, zdd])
    np.testing.assert_allclose(stepped(x, read, tiny)[0], expected, atol=1e-9)
    read[:2] += [2.0, -3.0]                              # no motion fits them any more
    _, noise = stepped(x, read, tiny)
    for place, change in [(i, np.eye(8)[i]) for i in range(4)] + [
            (6 + i, -np.eye(8)[4 + i]) for i in range(4)]:
        d = 1e-6 * change
        column = (stepped(x + d[:4], read + d[4:], tiny)[0]
                  - stepped(x - d[:4], read - d[4:], tiny)[0]) / 2e-6
        _, spread = stepped(x, read, tiny + np.diag(np.eye(10)[place]))
        np.testing.assert_allclose(spread - noise, np.outer(column, column), rtol=1e-4, atol=1e-4)


@MODELS
def test_forces_are_as_uncertain_as_they_are_estimated(model):
    """What a wrong gravity makes, with deviations that are too large rather than too small."""
    experiment = Experiment('four_bar', ['crank_encoder', 'crank_gyro', 'crank_accelerometers'],
                            {'gravity': -1.0}, 6.0, DT)
    wrong, run = experiment.mechanism, experiment.truth
    filter_ = make_filter('kinematic_kf', wrong, experiment.sensors, DT, acceleration_model=model)
    ratios, missing = [], []
    for k, reading in enumerate(experiment.readings(3)):
        if k > 0:
            filter_.predict(DT)
        filter_.correct(reading)
        estimate = filter_.estimate
        if run.t[k] > 1.0:
            force = wrong.inverse_dynamics(run.z[k], run.zd[k], run.zdd[k], run.q[k])
            missing.append(force)
            ratios.append((estimate.forces - force) / estimate.force_deviations)
    assert 0.2 < np.mean(np.square(ratios)) < 1.5
    assert np.ptp(missing) > 10.0
