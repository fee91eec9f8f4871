"""Parameters by polynomial chaos, against known ones and against least squares of simulations."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators import Experiment, FilterError, NotConvergedError, identify_by_chaos
from mb_model import load_mechanism, simulate
from mb_sensors import true_values

DT = 0.01
PARAMETERS = ('gravity.y', 'bodies.coupler.mass')
SENSOR = {'sensors': {'crank_encoder': {'rate': 100.0}}}


def experiment(seconds=1.0):
    return Experiment(load_mechanism('four_bar').replace(**SENSOR), ['crank_encoder'],
                      {'gravity': -0.5}, seconds, DT)


def test_it_is_the_least_squares_of_simulations():
    """Also the prior's part and the deviations; two parameters that belong together."""
    made = experiment()
    wrong, recording = made.mechanism, made.recording(1)
    found = identify_by_chaos(wrong, made.sensors, recording, DT, parameters=PARAMETERS,
                              parameter_deviations=(0.1, 0.2))
    mass, sigma = wrong.raw['bodies']['coupler']['mass'], made.sensors[0].settings.sigma

    def residuals(s):
        model = wrong.replace(gravity=[0.0, float(wrong.gravity[1] * (1.0 - s[0]))],
                              bodies={'coupler': {'mass': float(mass * np.exp(s[1]))}})
        run = simulate(model, 1.0, DT, estimate_error=False)
        read = true_values(model, made.sensors[0], run.q, run.qd, run.qdd)
        return np.concatenate([(read - recording.readings).ravel() / sigma, s / [0.1, 0.2]])

    best = least_squares(residuals, [0.0, 0.0], diff_step=1e-4)
    gravity, coupler = found.values.values()
    expected = [wrong.gravity[1] * (1.0 - best.x[0]), mass * np.exp(best.x[1])]
    deviations = np.sqrt(np.linalg.inv(best.jac.T @ best.jac).diagonal())
    np.testing.assert_allclose(
        list(found.deviations.values()),
        deviations * np.abs([wrong.gravity[1], coupler]), rtol=0.03)
    assert np.abs(np.subtract([gravity, coupler], expected) / list(
        found.deviations.values())).max() < 0.05


def test_intervals_hold_the_truth():
    made, held = experiment(), 0
    for seed in range(12):
        low, high = identify_by_chaos(made.mechanism, made.sensors, made.recording(seed), DT,
                                      degree=3).intervals['gravity.y']
        held += low <= -9.81 <= high
    assert held >= 9            # of 12; fewer have a chance of 0.2 %


def test_polynomials_that_do_not_suffice_are_reported():
    """Two seconds of a motion that a wide prior of gravity makes turn over or not."""
    made = experiment(2.0)
    with pytest.raises(NotConvergedError, match=r'polynomials of degree 1 are off by .* of a read'):
        identify_by_chaos(made.mechanism, made.sensors, made.recording(1), DT, degree=1,
                          parameter_deviations=(0.5,))


def test_what_cannot_be_is_refused():
    made = experiment(0.2)
    with pytest.raises(FilterError, match='2197 motions, expected at most 2000'):
        identify_by_chaos(made.mechanism, made.sensors, made.recording(1), DT, degree=12,
                          parameters=(*PARAMETERS, 'bodies.crank.mass'))
    with pytest.raises(FilterError, match=r'stamps are no multiples of dt = 0\.003 s'):
        identify_by_chaos(made.mechanism, made.sensors, made.recording(1), 0.003)
