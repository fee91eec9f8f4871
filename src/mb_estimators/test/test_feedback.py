"""cekf as published with feedback at the end alone, beside a filter in plain numpy."""

from dataclasses import replace

from filter_traits import CONTINUOUS
import numpy as np
from plain_linkage import FOUR_BAR, derivative
import pytest

from mb_estimators import DivergenceError, Experiment, FilterError, make_filter
from mb_model import load_mechanism

DT, DURATION = 5e-3, 1.0
START_ERROR, GRAVITY_ERROR = np.pi / 16, -1.0
ENCODER, GYROSCOPE = 17.453e-3, 983.943e-6          # rad, rad/s
PSD, VARIANCE = 0.73303, 7.6e-3
ZERO = np.zeros(1)
WRONG = replace(FOUR_BAR, gravity=FOUR_BAR.gravity + GRAVITY_ERROR)


def rates(x):
    """Return F = [zd, zdd] of x = [z, zd]."""
    return np.array([x[1], WRONG.dynamics(x[:1], x[1:], ZERO)[0][0]])


def published_jacobian(x):
    """Return Eq. (23), in which R^T M R_q R is half the slope of the mass: there is one freedom."""
    def mass(z):
        return WRONG.dynamics(z, ZERO, ZERO)[1][0, 0]

    slope = (mass(x[:1] + 1e-5) - mass(x[:1] - 1e-5)) / 2e-5 / mass(x[:1])
    return np.array([[0.0, 1.0], [-slope * rates(x)[1].real, -slope * x[1] / 2.0]])


def stepped(x, gain, misfit):
    """Return the end of a step from x of the trapezoidal rule, feedback acting at that end."""
    begin, end = rates(x), x + DT * rates(x)

    def missing(end):
        return (2.0 / DT * (end - x) - begin - rates(end) - gain * misfit(end))

    for _ in range(20):
        change = np.linalg.solve(derivative(missing, end), missing(end))
        end = end - change
        if abs(change).max() < 1e-13:
            return end
    raise AssertionError('no end of the step')


def estimated(start, readings, read, sigma):
    """Return z, zd (k, 2) by Rodriguez et al. 2023, Eqs. (14), (16), (24), feedback at the end."""
    x, P = np.array([start, 0.0]), VARIANCE * np.eye(2)
    noise, motion = np.diag([0.0, PSD]), [x]
    for reading in readings[1:]:
        f, h_x = published_jacobian(x), derivative(read, x)
        P = P + DT * (f @ P + P @ f.T - np.outer(P @ h_x, P @ h_x) / sigma ** 2 + noise)
        prior = stepped(x, ZERO, read)
        gain = P @ derivative(read, prior) / sigma ** 2
        x = stepped(x, gain, lambda end: reading - read(end))                   # noqa: B023
        motion.append(x)
    return np.array(motion)


@pytest.mark.parametrize(('sensor', 'read', 'sigma', 'lag'), [
    ('crank_encoder', lambda x: x[0], ENCODER, 0.03),
    ('coupler_gyro', lambda x: WRONG.link_rates(x[:1], x[1:])[0], GYROSCOPE, 1e-3),
])
def test_an_independent_filter_agrees(sensor, read, sigma, lag):
    """At every instant; with feedback at both ends the filter is somewhere else."""
    experiment = Experiment('four_bar', [sensor], {'gravity': GRAVITY_ERROR, 'z0': START_ERROR},
                            DURATION, DT)
    plain = estimated(experiment.prototype.z0[0] + START_ERROR, experiment.readings(1)[:, 0], read,
                      sigma)
    apart = {}
    for feedback in ('end', 'both_ends'):
        found = experiment.run('cekf', 1, as_published=True, feedback=feedback,
                               acceleration_psd=PSD).observer
        apart[feedback] = np.abs(np.hstack([found.z, found.zd]) - plain)
    assert apart['end'].max() < 1e-6
    assert apart['both_ends'][:, 0].max() > lag


@pytest.mark.parametrize('name', CONTINUOUS)
def test_it_is_of_filters_as_published(name):
    with pytest.raises(FilterError, match='feedback: end: as_published is false, expected true'):
        make_filter(name, 'four_bar', ['crank_encoder'], DT, feedback='end')


@pytest.mark.parametrize('name', CONTINUOUS)
def test_a_sensor_too_accurate_for_explicit_steps_ends_it(name):
    """With h P H^2 / R of 39, as of the gyroscope on the crank: the paper has no figure, either."""
    experiment = Experiment(load_mechanism('four_bar'), ['crank_gyro'],
                            {'gravity': GRAVITY_ERROR, 'z0': START_ERROR}, 0.1, DT)
    with pytest.raises(DivergenceError, match=r'feedback: end: in a step of 0\.005 s the readings'):
        experiment.run(name, 1, as_published=True, feedback='end', acceleration_psd=PSD)
