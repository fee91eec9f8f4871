"""Readings on a bad line: what becomes of them, and what an estimator makes of what is left."""

from copy import deepcopy
from dataclasses import replace
from math import pi
from random import Random

from geometry_msgs.msg import PointStamped
import numpy as np
import pytest
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import FluidPressure, Imu, JointState, Range

from mb_estimators import Experiment, make_filter
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_estimators.watches.gating import GateSettings
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import joint_state
from mb_sensors.topics import SensorTopic
from mb_simulation.disturbance import KINDS, Disturbance, DisturbanceSettings, corrupt

CALM = DisturbanceSettings(**dict.fromkeys(KINDS, 0.0))
STEP = 5_000_000


def numbered(count):
    return [joint_state(k * STEP, ['crank_encoder'], [0.1 * k]) for k in range(1, count + 1)]


def sent(settings, messages):
    """Return (messages that a line sends, its counts)."""
    line = Disturbance(settings, 'crank_encoder', serialize_message)
    found = [one for message in messages for one in line.pass_on(message)] + line.release_all()
    return found, line.counts


def test_a_calm_line_changes_nothing():
    messages = numbered(50)
    assert sent(CALM, messages)[0] == messages


@pytest.mark.parametrize('kind', KINDS)
def test_each_kind_befalls_its_share(kind):
    """Within four deviations of a binomial distribution."""
    count, share = 2000, 0.3
    found, counts = sent(replace(CALM, **{kind: share}), numbered(count))
    assert abs(getattr(counts, kind) - share * count) < 4.0 * np.sqrt(count * share * (1 - share))
    assert all(getattr(counts, other) == 0 for other in KINDS if other != kind)
    assert len(found) == counts.passed_on


def test_counts_and_order():
    """Whatever befalls them: none is unaccounted for, and none is overtaken by more than three."""
    settings = DisturbanceSettings(corrupted=0.0, seed=3)
    messages = numbered(1000)
    found, counts = sent(settings, messages)
    assert counts.received == 1000
    assert len(found) == counts.passed_on
    assert {nanoseconds(m.header.stamp) for m in found} <= {
        nanoseconds(m.header.stamp) for m in messages}
    places = [nanoseconds(message.header.stamp) // STEP for message in found]
    latest = np.maximum.accumulate(places)
    assert 0 < (latest - places).max() <= 2 * settings.overtaken    # of these some are dropped
    assert sent(settings, messages)[0] == found
    assert sent(replace(settings, seed=4), messages)[0] != found


@pytest.mark.parametrize('kind', [JointState, Imu, FluidPressure, PointStamped, Range])
def test_something_is_wrong_with_a_corrupted_message(kind):
    random, message = Random(1), kind()
    message.header.stamp = stamp(7 * STEP)
    if kind is JointState:
        message.position.append(1.0)
    before, changed = deepcopy(message), 0
    for _ in range(200):
        wrong = corrupt(message, random, serialize_message)
        changed += isinstance(wrong, bytes) or serialize_message(wrong) != serialize_message(before)
        assert message == before
    assert changed >= (120 if kind is JointState else 80)       # some ways need lists


@pytest.fixture(scope='module')
def experiment():
    """A wrong model of the four-bar linkage, whose crank is measured in two ways for 10 s."""
    return Experiment('four_bar', ['crank_encoder', 'crank_gyro'],
                      {'gravity': -1.0, 'z0': pi / 16}, 10.0, 0.005)


def reading_message(sensor, when, value):
    if sensor.kind != 'gyroscope':
        return joint_state(when, sensor.channels, [value])
    message = Imu()
    message.header.stamp = stamp(when)
    message.angular_velocity.z = value
    return message


def estimated(experiment, settings, **stream_settings):
    """Return (EstimateStream, messages that it was given, errors of position after 2 s)."""
    e, steps, count = experiment, [], 0
    stream_settings = StreamSettings(start_time=1.0, **stream_settings)
    stream = EstimateStream(
        make_filter('error_ekf', e.mechanism, e.sensors, e.dt), e.sensors,
        (e.mechanism.z0, e.mechanism.zd0), stream_settings,
        gates={sensor.name: GateSettings(gate='reject') for sensor in e.sensors})
    lines = {s.name: Disturbance(settings, s.name, serialize_message) for s in e.sensors}

    def give(sensor, messages):
        nonlocal count
        for message in messages:
            if isinstance(message, bytes):
                try:
                    message = deserialize_message(
                        message, Imu if sensor.kind == 'gyroscope' else JointState)
                except RuntimeError:
                    continue
            count += 1
            readings = SensorTopic([sensor]).readings(message)
            steps.extend(stream.add_all(nanoseconds(message.header.stamp), readings))

    for when, values in zip(e.stamps, e.readings(0), strict=True):
        for sensor, value in zip(e.sensors, values, strict=True):
            give(sensor, lines[sensor.name].pass_on(reading_message(sensor, when, value)))
    for sensor in e.sensors:
        give(sensor, lines[sensor.name].release_all())
        # Whatever waits for others comes out before these, two that agree.
        for k in (1, 2):
            give(sensor, [reading_message(sensor, e.stamps[-1] + k * STEP, 0.0)])
    stamps = np.array([step.stamp for step in steps])
    judged = (stamps > e.stamps[0] + 2e9) & (stamps <= e.stamps[-1])
    truth = np.interp(stamps[judged], e.stamps, e.truth.z[:, 0])
    found = np.array([step.estimate.z[0] for step in steps])[judged]
    return stream, count, found - truth


@pytest.mark.parametrize('seed', range(3))
@pytest.mark.parametrize('history', [0.0, 0.1])
def test_an_estimator_survives_and_accounts_for_every_reading(experiment, seed, history):
    """A tenth of the readings dropped, doubled, reordered, corrupted: all at once."""
    calm, count, errors = estimated(experiment, CALM, reorder_window=2.0)
    counts = calm.state.counts
    assert (counts.used, counts.rejected) == (count - 2, 2)     # the last ones
    stream, count, disturbed = estimated(experiment, DisturbanceSettings(seed=seed),
                                         reorder_window=2.0, history_length=history)
    counts = stream.state.counts
    assert counts.used + counts.rejected + counts.late == count
    assert not stream.state.diverged
    assert counts.used > 0.7 * count
    rmse = [np.sqrt(np.mean(e ** 2)) for e in (disturbed, errors)]
    assert rmse[0] < 5.0 * rmse[1]
    assert len(disturbed) > 0.9 * len(errors)
