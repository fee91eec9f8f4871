"""Readings at stops from streams: instants, medians of rates, and what cannot be."""

import math

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_sensors import EndStops, SensorError, StopReadings

MACHINE = load_mechanism('excavator_afloat')
STOPS = {'retracted': 'bucket_opened', 'extended': 'bucket_curled'}
READ = ('bucket_pressure1', 'bucket_pressure2'), ('arm_gyro', 'bucket_gyro')
PERIOD = 10_000_000


def fed(stops, instants, bias=0.0, skip=''):
    """Feed (piston, rod, rate) of successive instants; return all readings."""
    found = []
    for k, (piston, rod, rate) in enumerate(instants):
        values = {READ[0][0]: [piston], READ[0][1]: [rod], READ[1][0]: [0.0, 0.1, 0.0],
                  READ[1][1]: [0.0, 0.1 + rate + bias, 0.0]}
        found += [one for name, value in values.items() if name != skip
                  and (one := stops.add(k * PERIOD, name, value)) is not None]
    return found


def pressing():
    """Return instants of a piston that moves for 3 s, to and fro, and presses for 2 s."""
    moving = [(8e6, 5e6, 0.3 * math.sin(0.04 * k)) for k in range(300)]
    return [*moving, *(200 * [(24e6, 0.2e6, 0.0)])]


def test_there_is_a_reading_at_every_instant_of_the_encoders():
    found = fed(StopReadings(MACHINE, 'bucket', STOPS, *READ, 1), pressing())
    assert [stamp for stamp, _ in found] == [k * 100_000_000 for k in range(50)]
    lengths = np.array([one['bucket_curled'] for _, one in found])
    assert np.isnan([one['bucket_opened'] for _, one in found]).all()
    assert np.isnan(lengths[:33]).all()
    assert np.isfinite(lengths[36:]).all()
    ends = EndStops(MACHINE, 'bucket')
    for k, (piston, rod, rate) in enumerate(pressing()):
        last = ends.update(k * PERIOD, piston, rod, rate)
    assert lengths[-1] == pytest.approx(last[1], abs=1e-9)


def test_a_bias_of_gyroscopes_is_the_median_of_what_they_read():
    found = fed(StopReadings(MACHINE, 'bucket', STOPS, *READ, 1), pressing(), bias=0.04)
    assert np.isfinite([one['bucket_curled'] for _, one in found[42:]]).all()


def test_what_is_incomplete_or_impossible_makes_no_reading():
    stops = StopReadings(MACHINE, 'bucket', STOPS, *READ, 1)
    assert fed(stops, pressing(), skip='arm_gyro') == []
    assert stops.add(10 ** 10, 'arm_gyro', [math.nan, 0.0, 0.0]) is None
    assert stops.add(10 ** 10, 'boom_gyro', [0.0, 0.0, 0.0]) is None
    stops.reset()
    assert len(fed(stops, pressing())) == 50


def test_a_cylinder_may_have_one_stop_that_is_read():
    one = fed(StopReadings(MACHINE, 'bucket', {'extended': 'bucket_curled'}, *READ, 1), pressing())
    both = fed(StopReadings(MACHINE, 'bucket', STOPS, *READ, 1), pressing())
    assert {name for _, found in one for name in found} == {'bucket_curled'}
    assert np.array([found['bucket_curled'] for _, found in one]) == pytest.approx(
        np.array([found['bucket_curled'] for _, found in both]), nan_ok=True)


def test_sensors_of_other_kinds_are_refused():
    with pytest.raises(SensorError, match='bucket: no stop is named, expected one or both'):
        StopReadings(MACHINE, 'bucket', {}, *READ, 1)
    with pytest.raises(SensorError, match='boom_encoder: expected a linear_encoder that is spor'):
        StopReadings(MACHINE, 'bucket', {'retracted': 'boom_encoder'}, *READ, 1)
    with pytest.raises(SensorError, match='expected two pressure sensors and two gyroscopes'):
        StopReadings(MACHINE, 'bucket', STOPS, READ[1], READ[0], 1)
