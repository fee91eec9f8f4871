"""Parameters by a graph of the whole motion against least squares over start and parameter."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators import Experiment, FilterError
from mb_estimators.filter import NotConvergedError
from mb_estimators.identification import identify
from mb_model import load_mechanism, simulate

DURATION, DT = 0.8, 0.01
PRIOR, SHARE = 0.1, 0.5             # deviations of start and of gravity, a share


@pytest.fixture(scope='module')
def experiment():
    return experiment_of('four_bar')


def experiment_of(name, duration=DURATION, dt=DT):
    slow = load_mechanism(name).replace(
        sensors={'crank_encoder': {'rate': 1.0 / dt, 'sigma': 17.453e-3}})
    return Experiment(slow, ['crank_encoder'], {'gravity': -1.0, 'z0': 0.05}, duration, dt)


@pytest.mark.parametrize(('name', 'path', 'duration', 'dt'), [
    ('four_bar', 'gravity.y', DURATION, DT), ('spatial_slider_crank', 'gravity.z', 0.3, 1e-3)])
def test_it_is_least_squares_over_single_motions(name, path, duration, dt):
    """Without noise in the accelerations there are no other motions to choose from."""
    experiment = experiment_of(name, duration, dt)
    model, recording = experiment.mechanism, experiment.recording(seed=3)
    gravity, sigma = model.gravity[-1], experiment.sensors[0].settings.sigma

    def residuals(x):
        moved = model.replace(gravity=[*model.gravity[:-1], gravity * (1.0 - x[2])])
        run = simulate(moved, duration, dt, z0=x[:1], zd0=x[1:2])
        return np.concatenate([(run.z[:, 0] - recording.readings[:, 0]) / sigma,
                               (x[:2] - [model.z0[0], model.zd0[0]]) / PRIOR, x[2:] / SHARE])

    expected = least_squares(residuals, [model.z0[0], model.zd0[0], 0.0], diff_step=1e-5)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    found = identify(model, experiment.sensors, recording, dt, parameters=(path,),
                     parameter_deviations=(SHARE,), initial_variance=PRIOR ** 2)
    deviation = np.sqrt(covariance[2, 2]) * abs(gravity)
    assert found.deviations[path] == pytest.approx(deviation, rel=0.02)
    assert found.values[path] == pytest.approx(
        gravity * (1.0 - expected.x[2]), abs=0.05 * deviation)
    low, high = found.intervals[path]
    assert high - low == pytest.approx(2.0 * 1.96 * found.deviations[path], rel=1e-3)


def test_what_is_positive_stays_so(experiment):
    found = identify(experiment.mechanism, experiment.sensors, experiment.recording(seed=1), DT,
                     parameters=('bodies.coupler.mass',), parameter_deviations=(2.0,))
    low, high = found.intervals['bodies.coupler.mass']
    assert 0.0 < low < found.values['bodies.coupler.mass'] < high


def test_parameters_that_are_none(experiment):
    with pytest.raises(ValueError, match=r'bodies\.coupler\.colour'):
        identify(experiment.mechanism, experiment.sensors, experiment.recording(1), DT,
                 parameters=('bodies.coupler.colour',))
    with pytest.raises(FilterError, match='must be different ones'):
        identify(experiment.mechanism, experiment.sensors, experiment.recording(1), DT,
                 parameters=('gravity.y', 'gravity.y'))


def test_it_is_at_the_end_of_its_iterations_when_it_returns(experiment):
    """Gravity is wrong and fixed: a narrow valley, in which full steps lead to and fro."""
    def found(count):
        return identify(experiment.mechanism, experiment.sensors, experiment.recording(seed=1), DT,
                        parameters=('bodies.coupler.mass',), parameter_deviations=(2.0,),
                        iterations=count)

    name = 'bodies.coupler.mass'
    whole = found(100)
    assert found(40).values[name] == pytest.approx(whole.values[name], rel=1e-4)
    for few in (1, 3):
        with pytest.raises(NotConvergedError, match=rf'after {few} iterations: .* standard '
                                                    'deviations, most of it at t = .* s and'):
            found(few)
