"""The length of a cylinder at its stops, against a simulation with oil."""

import numpy as np
import pytest

from mb_model import HydraulicStepper, load_mechanism
from mb_sensors import EndStops, EndStopSettings, SensorError

EXCAVATOR = load_mechanism('excavator')
BUCKET, STEP = 2, 5e-3


def driven(opening, seconds, push=0.0):
    """Yield time, length and readings of the bucket's cylinder with its valve open.

    push [N m]: a moment about the pin of the bucket.
    """
    stepper = HydraulicStepper(EXCAVATOR)
    turn = EXCAVATOR.places(['bucket_angle', 'bucket_length'])
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
