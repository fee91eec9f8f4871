"""The length of a cylinder at its stops, against a simulation with oil, and from streams."""

import math

import numpy as np
import pytest

from mb_model import HydraulicStepper, load_mechanism
from mb_sensors import EndStops, EndStopSettings, SensorError, StopReadings

EXCAVATOR = load_mechanism('excavator')
BUCKET, STEP = 2, 5e-3


def driven(opening, seconds, push=0.0):
    """Yield time, length and readings of the bucket's cylinder with its valve open.

    push [N m]: a moment about the pin of the bucket.
    """
    stepper = HydraulicStepper(EXCAVATOR)
    turn = EXCAVATOR.indices(['bucket_angle', 'bucket_length'])
    stepper.set_valves([0.0, 0.0, opening])
    for k in range(round(seconds / STEP)):
        stepper.coordinate_forces[turn[0]] = push
        stepper.step(STEP)
        yield k * STEP, stepper.q[turn[1]], (*stepper.p[2 * BUCKET:], stepper.qd[turn[0]])


def readings_of(motion, stops):
    """Return (time, length, reading) of every instant with a reading."""
    found = []
    for t, length, values in motion:
        reading = stops.update(round(1e9 * t), *values)
        if reading:
            found.append((t, length, reading))
    return found


@pytest.mark.parametrize(('opening', 'stop', 'end'), [
    (0.3, 'extended', 2.70), (-0.3, 'retracted', 1.65)])
def test_a_piston_that_reaches_its_stop_is_read(opening, stop, end):
    found = readings_of(driven(opening, 8.0), EndStops(EXCAVATOR, 'bucket'))
    assert len(found) > 100
    assert {reading[0] for _, _, reading in found} == {stop}
    lengths = np.array([length for _, length, _ in found])
    assert np.abs(lengths - end).max() > 1e-3               # the stop gives way
    assert np.abs([reading[1] for _, _, reading in found] - lengths).max() < 5e-4


def test_nothing_is_read_on_the_way():
    """Nor before the piston has pressed for `held`."""
    reached = next(t for t, length, _ in driven(0.3, 8.0) if length > 2.70)
    stops = EndStops(EXCAVATOR, 'bucket', EndStopSettings(held=0.5))
    assert min(t for t, _, _ in readings_of(driven(0.3, 8.0), stops)) >= reached + 0.5 - STEP


def test_the_load_before_the_pressures_rose_counts_though_stillness_comes_later():
    """A stop carries the load of the piston, and gives way while the bodies still turn."""
    stops, found = EndStops(EXCAVATOR, 'bucket'), None
    area, rod = np.pi / 4.0 * np.array([0.120 ** 2, 0.120 ** 2 - 0.085 ** 2])
    for k in range(600):
        pressing = k >= 300
        rate = 0.1 if k < 500 else 0.0
        found = stops.update(k * 5_000_000, 0.2e6 if pressing else 9e6,
                             24e6 if pressing else 1e6, rate) or found
    pressed, carried = 0.2e6 * area - 24e6 * rod, 9e6 * area - 1e6 * rod
    assert found == ('retracted', pytest.approx(1.65 + (pressed - carried) / 1e8, abs=1e-9))


def test_a_valve_that_is_shut_is_at_no_stop():
    assert readings_of(driven(0.0, 2.0), EndStops(EXCAVATOR, 'bucket')) == []


def test_reset_forgets():
    stops, motion = EndStops(EXCAVATOR, 'bucket'), list(driven(0.3, 8.0))
    first = readings_of(motion, stops)
    stops.reset()
    assert readings_of(motion, stops) == first


def test_an_unknown_cylinder_is_refused():
    with pytest.raises(SensorError, match='tilt: no cylinder of excavator, expected one of boom, '
                       'arm, bucket'):
        EndStops(EXCAVATOR, 'tilt')
    with pytest.raises(SensorError, match='expected one of none'):
        EndStops(load_mechanism('four_bar'), 'boom')


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
