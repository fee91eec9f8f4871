"""What filters and estimates show of themselves."""

import numpy as np
import pytest

from mb_estimators import Estimate, available_filters, make_filter
from mb_model import load_mechanism

FOUR_BAR = load_mechanism('four_bar')


@pytest.mark.parametrize('name', [
    'error_ekf', 'error_ekf_fe', 'ukf', 'kinematic_kf', 'augmented_ekf', 'interacting_models'])
def test_filters_show_machine_sensors_states_and_what_was_chosen(name):
    assert name in available_filters(FOUR_BAR)
    made = make_filter(name, FOUR_BAR, ['crank_encoder', 'crank_gyro'], 5e-3, gate=7.5)
    text = repr(made)
    assert text.startswith(f'{type(made).__name__} of four_bar, steps of 5 ms')
    for part in ('sensors: crank_encoder, crank_gyro', '1 position, 1 velocity', 'gate=7.5'):
        assert part in text
    assert 'initial_variance' not in text
    assert repr(made.estimate).splitlines()[1].split()[:2] == ['z', '1.0472']


def test_an_estimate_shows_what_it_has_with_deviations():
    nothing = np.zeros(0)
    estimate = Estimate(
        np.array([1.5, 2.0]), np.array([0.1, 0.2]), np.array([3.0, 4.0]), nothing, nothing,
        nothing, np.diag([0.01, 0.04, 1.0, 4.0]), forces=np.array([5.0, 6.0]),
        force_deviations=np.array([0.5, 0.25]), parameters={'load': 50.0},
        parameter_covariance=np.array([[4.0]]), biases={'gyro': 0.02},
        bias_deviations={'gyro': 0.001})
    assert repr(estimate).splitlines() == [
        'Estimate, with standard deviations', '  z       1.5 ± 0.1, 2 ± 0.2',
        '  zd      0.1 ± 1, 0.2 ± 2', '  zdd     3, 4', '  forces  5 ± 0.5, 6 ± 0.25',
        '  load    50 ± 2', '  gyro    0.02 ± 0.001']
    unknown = estimate._replace(covariance=np.full((4, 4), np.nan))
    assert '1.5 ± nan' in repr(unknown)
