"""Noises and numbers of machines in plane and space by readings alone, the truth known."""

import pytest
from scipy.stats import binom

from benchmarks.noisy_motion import machines
from mb_estimators import fit_readings
from mb_sensors import sensors_of


@pytest.mark.whole
@pytest.mark.parametrize(('name', 'seeds', 'duration'), [
    ('four-bar linkage', 20, 3.0), ('slider-crank in space', 4, 1.5)])
def test_intervals_hold_the_truth(name, seeds, duration):
    """Of both noises off by 2 to 4, and numbers by up to .3, in few passes of a filter."""
    one, held = machines()[name], []
    for seed in range(seeds):
        fitted = fit_readings(one.file, sensors_of(one.file, one.sensors),
                              [one.recording(duration, 5e-3, seed)], one.step,
                              numbers=one.numbers)
        ends = fitted.intervals | {noise.name: (noise.low, noise.high) for noise in fitted.noises}
        held += [ends[path][0] <= value <= ends[path][1] for path, value in one.values.items()]
        assert fitted.passes <= 5
    assert sum(held) >= binom.ppf(0.01, len(held), 0.95)
