"""Inputs held over time, and readings on the lines between them."""

from hypothesis import given, settings, strategies as st
from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure

from mb_estimators import make_filter
from mb_estimators.observation import observe
from mb_estimators.recording.bag import read_recording
from mb_estimators.recording.input_topic import input_topic
from mb_estimators.stream import interpolate, widened
from mb_estimators.stream.interpolation import Interpolation
from mb_estimators.timeline import HeldInputs
from mb_interfaces.msg import ValveCommand
from mb_model import load_mechanism
from mb_ros.stamps import stamp
from mb_sensors import sensors_of

MS = 1_000_000
CRANE = load_mechanism('crane')
SENSORS = sensors_of(CRANE, ['cylinder_encoder', 'pressure1', 'pressure2'])


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 100), st.floats(-1.0, 1.0), max_size=8),
       st.integers(0, 100), st.integers(0, 100))
def test_what_holds_is_the_last_before(held, start, span):
    inputs = HeldInputs()
    for when, value in held.items():
        inputs.add(when, [value])
    found = [value for gap, value in inputs.between(start, start + span) for _ in range(gap)]
    for t, value in enumerate(found, start):
        before = [when for when in held if when <= t]
        assert value is None if not before else value[0] == held[max(before)]
    assert len(found) == span
    inputs.forget_before(start)
    again = [value for gap, value in inputs.between(start, start + span) for _ in range(gap)]
    assert again == found


@pytest.mark.parametrize('name', ['hydraulic_ekf', 'hydraulic_kinematic_ekf'])
def test_a_filter_is_predicted_under_its_inputs_however_they_fall(name):
    """A command between two readings: the step is divided there."""
    split, other = (make_filter(name, CRANE, SENSORS, 1e-3) for _ in range(2))
    stamps, readings = [0, 2 * MS, 6 * MS], np.full((3, 3), np.nan)
    readings[:, 0] = 0.85
    inputs = HeldInputs([MS // 2, 4 * MS], [[0.5], [-0.2]])
    observed = observe(split, stamps, readings, 1e-3, inputs)
    other.correct(readings[0])
    for h, U_in in ((5e-4, None), (7.5e-4, [0.5]), (7.5e-4, [0.5])):
        other.predict(h, U_in)
    other.correct(readings[1])
    for U_in in ([0.5], [0.5], [-0.2], [-0.2]):
        other.predict(1e-3, U_in)
    other.correct(readings[2])
    oil = other.estimate.hydraulics
    np.testing.assert_array_equal(observed.hydraulics.pressures[-1], oil.pressures)
    np.testing.assert_array_equal(observed.hydraulics.spools[-1], oil.spools)
    np.testing.assert_array_equal(observed.hydraulics.covariance[-1], oil.covariance)
    np.testing.assert_array_equal(observed.hydraulics.forces[-1], oil.forces)


def test_lines_are_straight_and_end_where_readings_are_far_apart():
    encoder = SENSORS[0]                                # 100 Hz
    line = Interpolation.of(encoder, 1e-3)
    assert line.add(5 * MS, [1.0]) == [(5 * MS, [1.0])]
    found = line.add(15 * MS + 400, [2.0])
    assert [stamp for stamp, _ in found] == [k * MS for k in range(6, 16)]
    np.testing.assert_allclose(
        [value[0] for _, value in found],
        [1.0 + (stamp - 5 * MS) / (10 * MS + 400) for stamp, _ in found], rtol=1e-12)
    assert line.add(60 * MS, [7.0]) == [(60 * MS, [7.0])]       # 4.5 periods later
    (turning,) = sensors_of(CRANE, 'lift_encoder')
    line = Interpolation.of(turning, 5e-3)
    line.add(0, [3.1])
    (_, middle), (_, end) = line.add(10 * MS, [-3.1])           # the short way round
    assert middle[0] == pytest.approx(np.pi)
    assert end[0] == pytest.approx(2.0 * np.pi - 3.1)


@pytest.mark.parametrize('seed', range(3))
def test_lines_say_no_more_than_their_readings(seed):
    """The mean of many readings of a constant is as uncertain by their lines as by themselves."""
    random = np.random.default_rng(seed)
    stamps, readings = np.arange(200) * 10 * MS, random.normal(size=(200, 3))
    _, values = interpolate(SENSORS, stamps, readings, 1e-3)
    widest = widened(SENSORS, 1e-3)[0].settings.variance / len(values)
    assert widest == pytest.approx(SENSORS[0].settings.variance / 200.0, rel=0.01)
    np.testing.assert_allclose(values.mean(axis=0), readings.mean(axis=0), atol=0.02)


def test_commands_are_read_from_bags(tmp_path):
    """Beside the true pressures of a simulated machine; commands that cannot be are left out."""
    sent = []

    def send(topic, when, message):
        message.header.stamp = stamp(when)
        sent.append((topic, message))

    for k in range(3):
        send('/pressure1', 10 * k * MS, FluidPressure(fluid_pressure=1e6 * k))
        send('/prototype/pressure1', 10 * k * MS, FluidPressure(fluid_pressure=9e6))
    for when, command in ((5 * MS, 0.4), (2 * MS, 0.1), (8 * MS, 1.5)):
        send('/valve_command', when, ValveCommand(valve=['directional'], command=[command]))
    write_messages(tmp_path / 'bag', sent)
    recorded = read_recording(tmp_path / 'bag', SENSORS[1:2],
                              inputs=input_topic(CRANE, takes_commands=True))
    np.testing.assert_array_equal(recorded.readings[:, 0], [0.0, 1e6, 2e6])
    found = [(gap, held if held is None else held[0])
             for gap, held in recorded.inputs.between(0, 10 * MS)]
    assert found == [(2 * MS, None), (3 * MS, 0.1), (5 * MS, 0.4)]
