"""Bodies in space against closed forms: tumbling, precession, rolling on a circle."""

import numpy as np
import pytest

from benchmarks.spatial_closed_forms import (
    rolling_error,
    top_error,
    torque_free_error,
    tyre_error,
)


@pytest.mark.parametrize(('duration', 'bound'), [
    (10.0, 1e-10), pytest.param(100.0, 1e-8, marks=pytest.mark.whole)])
def test_a_body_without_torque_tumbles_as_euler_solved_it(duration, bound):
    assert torque_free_error(duration, 1e-3) < bound


def test_a_heavy_top_precesses_steadily():
    coarse, fine = (top_error(2.0, step) for step in (1e-3, 5e-4))
    assert fine < 1e-6
    assert np.log2(coarse / fine) == pytest.approx(4.0, abs=0.5)      # the order


def test_a_disc_rolls_on_its_circle():
    coarse, fine = (rolling_error(steps) for steps in (500, 1000))
    assert fine < 5e-6
    assert np.log2(coarse / fine) == pytest.approx(4.0, abs=0.5)      # the order


def test_a_disc_rolls_on_its_tyre():
    """What it slips is in proportion to the compliance of the tyre, and the rest of the error."""
    soft, hard = (tyre_error(16000, stiffness) for stiffness in (1e5, 1e6))
    assert soft / hard == pytest.approx(10.0, rel=0.1)
    assert tyre_error(16000, 1e7) < 3e-5
