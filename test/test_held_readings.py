"""benchmarks.multi_rate: cases run; the last reading is held until there is a new one."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.multi_rate import PERIODS, SENSORS, SIGMA, HeldReadings, case
from mb_estimators import Experiment
from mb_model import load_mechanism


def test_readings_are_held_and_innovations_are_of_new_ones():
    mechanism = load_mechanism('five_bar').replace(sensors={
        sensor: {'sigma': SIGMA, 'rate': 1.0 / PERIODS[1]} for sensor in SENSORS})
    plain, held = (kind(mechanism, ['crank_encoders'], {'gravity': -1.0}, 0.06, PERIODS[0])
                   for kind in (Experiment, HeldReadings))
    readings, expected = held.readings(3), plain.readings(3)
    first, *others = np.flatnonzero(~np.isnan(expected[:, 0]))
    assert others == [*range(first + 3, len(expected), 3)]
    assert np.isnan(readings[:first]).all()
    for k in range(first, len(readings)):
        np.testing.assert_array_equal(readings[k], expected[k - (k - first) % 3])
    result = held.run('error_ekf', 3)
    np.testing.assert_array_equal(np.isnan(result.innovation), np.isnan(expected))
    assert np.isfinite(result.innovation).sum() == 2 * (1 + len(others))


@pytest.mark.parametrize('experiment', [Experiment, HeldReadings])
def test_a_case_has_errors(experiment):
    short = replace(case('cekf', PERIODS[1], experiment), duration=2.1, seeds=(0,))
    errors = short.errors()
    assert all(np.isfinite(values).all() and values.shape == (1,) for values in errors.values())
