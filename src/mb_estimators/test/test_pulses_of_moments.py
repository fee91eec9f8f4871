"""pulse_ekf on a body that tumbles: pulses of moments in its frame, against Euler's equations."""

import numpy as np
import pytest
from test_orientations import place_and_axes
from tumbling import BOX, INERTIA, MASS, Tumbling, is_within, two_wheels, wheel_readings

from mb_estimators import make_filter

DT, SIGMA, DEVIATION, TIME = 2e-3, 5e-3, 0.2, 0.05
SETTINGS = {'gate': 0.0, 'noise_deviations': (DEVIATION,), 'noise_time': TIME, 'noise_speed': 1e9,
            'noise_force': 1e9, 'noise_jump': 1e9}


def test_errors_are_as_large_as_the_filter_says():
    """Under coloured forces and moments: pose, rates and accelerations, over 50 runs."""
    kept, within = np.exp(-DT / TIME), []
    filter_ = make_filter('pulse_ekf', BOX, place_and_axes(BOX, SIGMA), DT, pulse_rate=1e-9,
                          pulse_instants=2, **SETTINGS)
    variances = np.square(DEVIATION / np.concatenate([[MASS] * 3, INERTIA]))
    for seed in range(50):
        random, truth = np.random.default_rng(seed), Tumbling()
        force = DEVIATION * random.normal(size=6)
        truth.begin(filter_, random, variances)
        for _ in range(40):
            force = kept * force + np.sqrt(1.0 - kept ** 2) * DEVIATION * random.normal(size=6)
            truth.move(DT, force)
            filter_.predict(DT)
            filter_.correct(truth.readings + SIGMA * random.normal(size=9))
            estimate = filter_.estimate
            within.append(is_within(truth.off(estimate, True), estimate.covariance))
    assert 0.90 <= np.mean(within) <= 0.98


@pytest.mark.parametrize('joint', [1, 3, 4])
def test_the_amplitude_is_that_of_least_squares(joint):
    """Information and score of a hypothesis, while references follow the body by 2 rad.

    By innovations with and without a small known pulse, as of the pendulum in test_pulse_ekf.
    """
    width, size, residuals, weights = 0.075, 1e-4, [], []
    for amplitude in (size, -size, 0.0):
        truth, random, rows = Tumbling(), np.random.default_rng(1), []
        filter_ = make_filter('pulse_ekf', BOX, place_and_axes(BOX, SIGMA), DT, pulse_rate=1e-9,
                              pulse_instants=2, pulse_widths=(width,), **SETTINGS)
        for k in range(200):
            truth.move(DT)
            push = np.zeros(6)
            push[joint] = amplitude * np.exp(-0.5 * ((3.0 * width - (k + 0.5) * DT) / width) ** 2)
            filter_.predict(DT, push)
            innovation = filter_.correct(truth.readings + SIGMA * random.normal(size=9))
            rows.append(innovation.residual)
            if not amplitude:
                weights.append(innovation.covariance)
        residuals.append(np.array(rows))
    change = (residuals[1] - residuals[0]) / (2.0 * size)
    solved = [np.linalg.solve(S, row) for S, row in zip(weights, change, strict=True)]
    record = filter_.state['pulses'][0]
    m = int(np.argmax((record['alive'] == 1) & (record['of'] == joint)))
    information = np.sum(solved * change)
    assert record['information'][m] == pytest.approx(information, rel=0.03)
    # A score has the deviation of the root of its information.
    assert record['score'][m] == pytest.approx(np.sum(solved * residuals[2]), rel=0.03,
                                               abs=0.03 * np.sqrt(information))


def test_it_finds_a_pulse_of_a_moment_in_the_frame_of_the_body():
    truth, random, found, width = Tumbling(), np.random.default_rng(3), [], 0.075
    filter_ = make_filter('pulse_ekf', BOX, place_and_axes(BOX, 1e-3), DT, **(
        SETTINGS | {'noise_deviations': (0.02,)}))
    for k in range(700):
        truth.move(DT, 0.6 * np.exp(-0.5 * ((0.8 - (k + 0.5) * DT) / width) ** 2) * np.eye(6)[5])
        filter_.predict(DT)
        filter_.correct(truth.readings + 1e-3 * random.normal(size=9))
        found += [(k * DT, one) for one in filter_.ended_pulses]
    when, likely = max(found, key=lambda one: one[1].probability)
    assert likely.coordinate == 5
    assert when - likely.ago == pytest.approx(0.8, abs=0.03)
    assert likely.amplitude == pytest.approx(0.6, abs=0.06)


def test_a_body_that_turns_about_one_axis_is_a_wheel():
    """The linear case: on a ball joint as on a hinge."""
    filters = [make_filter('pulse_ekf', mechanism, ['gyroscope', 'compass'], DT, **(
        SETTINGS | {'noise_deviations': (0.02,)})) for mechanism in two_wheels({})]
    t = DT * np.arange(300)
    pushes = 0.3 / INERTIA[2] * np.exp(-0.5 * ((t - 0.3) / 0.075) ** 2)
    for readings in wheel_readings(pushes, DT, np.random.default_rng(1)):
        for filter_ in filters:
            filter_.predict(DT)
            filter_.correct(readings)
    wheel, ball = (filter_.state['pulses'][0] for filter_ in filters)
    there, of_z = wheel['alive'] == 1, np.flatnonzero((ball['alive'] == 1) & (ball['of'] == 2))
    assert there.sum() == len(of_z) > 10
    order = [np.lexsort((record['wide'][chosen], record['ahead'][chosen]))
             for record, chosen in ((wheel, there), (ball, of_z))]
    for name in ('information', 'score', 'likely'):
        one, other = wheel[name][there][order[0]], ball[name][of_z][order[1]]
        np.testing.assert_allclose(one, other, rtol=1e-2, atol=1e-2 * np.abs(one).max())
