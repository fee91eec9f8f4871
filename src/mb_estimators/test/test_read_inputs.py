"""Known forces that are measured count at their stamps, in all filters; commands are held."""

from filter_traits import EULER, KINEMATIC
from hypothesis import given, settings, strategies as st
from message_bags import write_messages
import numpy as np
import pytest
from scipy.integrate import trapezoid
from sensor_msgs.msg import JointState
from streamed import stream_of

from mb_estimators import HeldInputs, ReadInputs, Recording, available_filters, make_filter, smooth
from mb_estimators.observation import observe
from mb_estimators.recording.bag import read_recording
from mb_estimators.recording.input_topic import input_topic
from mb_estimators.timeline import inputs_class
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp
from mb_sensors import sensors_of

MASS, SIZE, RATE, STEP = 25.0, 0.08, 6.0, 0.01      # kg, m, rad/s, s
SLIDE = """
name: slide
dimension: 3
ground: {O: [0, 0, 0]}
bodies:
  carriage: {mass: 25.0, centre_of_gravity: [0, 0, 0], inertia: [1, 1, 1], points: {O: [0, 0, 0]}}
joints: {rail: {kind: prismatic, bodies: [ground, carriage], at: O, axis: [1, 0, 0]}}
coordinates: {x: {kind: slider, joint: rail}}
independent: [x]
sensors:
  ruler: {kind: linear_encoder, coordinate: x, sigma: 1.0e-2, rate: 100.0, topic: encoders}
  imu: {kind: accelerometer, body: carriage, at: O, axes: [x], sigma: 0.01, rate: 100.0}
"""
T = STEP * np.arange(150)
STAMPS = np.round(1e9 * T).astype(int) + 10 ** 9
X, V, A = (SIZE * RATE ** order * np.sin(RATE * T + order * np.pi / 2) for order in range(3))
FORCE = MASS * A


@pytest.fixture(scope='module')
def slide(tmp_path_factory):
    path = tmp_path_factory.mktemp('machine') / 'slide.yaml'
    path.write_text(SLIDE)
    return load_mechanism(str(path))


def held_motion():
    """Return x where each force holds from its stamp on until the next one."""
    x, v = [X[0]], [V[0]]
    for force in FORCE[:-1]:
        x.append(x[-1] + STEP * v[-1] + 0.5 * STEP ** 2 * force / MASS)
        v.append(v[-1] + STEP * force / MASS)
    return np.array(x)


def followed(slide, name, inputs, dt=STEP):
    """Return the Observation of a filter that follows forces alone from the true start on."""
    filter_ = make_filter(name, slide, ['ruler'], dt)
    filter_.reset(X[:1], V[:1])
    return observe(filter_, STAMPS, np.full((len(T), 1), np.nan), dt,
                   inputs(STAMPS.tolist(), list(FORCE[:, np.newaxis])))


def off(observed, truth=X):
    return np.abs(observed.z[:, 0] - truth).max()


@pytest.mark.parametrize('dt', [STEP, STEP / 4])
def test_no_filter_is_late_by_half_a_sample(slide, dt):
    """What is held is off by the velocity of half a sample, which a free machine keeps.

    Euler's own rule is half a step late.
    """
    drift = 0.5 * STEP * SIZE * RATE ** 2 * T[-1]
    for name in available_filters(slide):
        if name in KINEMATIC:
            continue
        read, held = (followed(slide, name, one, dt) for one in (ReadInputs, HeldInputs))
        late = off(held)
        assert late > 0.5 * 0.5 * STEP * SIZE * RATE, name
        assert off(read) < (0.6 * late if name in EULER else 0.1 * late) < drift, name
        np.testing.assert_allclose(read.zdd[1:, 0], A[1:], atol=1e-9, err_msg=name)
        assert np.abs(held.zdd[1:, 0] - A[1:]).max() > 0.5 * STEP * SIZE * RATE ** 3, name


def test_commands_that_hold_are_followed_exactly(slide):
    for name in set(available_filters(slide)) - {*KINEMATIC, *EULER}:
        assert off(followed(slide, name, HeldInputs), held_motion()) < 1e-6, name


def test_estimates_are_of_forces_at_the_stamps_after_readings_too(slide):
    """Corrections, which some filters make by their last step, take nothing of that away."""
    for name in set(available_filters(slide)) - {*KINEMATIC, *EULER}:
        filter_ = make_filter(name, slide, ['ruler'], STEP)
        filter_.reset(X[:1], V[:1])
        observed = observe(filter_, STAMPS, X[:, np.newaxis], STEP,
                           ReadInputs(STAMPS.tolist(), list(FORCE[:, np.newaxis])))
        assert off(observed) < 0.1 * 0.5 * STEP * SIZE * RATE, name
        np.testing.assert_allclose(observed.zdd[1:, 0], A[1:], atol=0.02, err_msg=name)


def test_accelerometers_read_what_the_forces_of_their_stamps_make(slide):
    """To a filter that holds them they are off by a whole sample, 17 deviations."""
    for name in set(available_filters(slide)) - {*KINEMATIC}:
        off_by = []
        for inputs in (ReadInputs, HeldInputs):
            filter_ = make_filter(name, slide, ['ruler', 'imu'], STEP)
            filter_.reset(X[:1], V[:1])
            observed = observe(filter_, STAMPS, np.column_stack([X, A]), STEP,
                               inputs(STAMPS.tolist(), list(FORCE[:, np.newaxis])))
            off_by.append(np.abs(observed.innovation[1:, 1]).max())
        assert off_by[0] < 1e-4 < 0.1 < off_by[1], name


@pytest.mark.parametrize('name', ['error_ekf', 'error_ekf_fe', 'fixed_lag_smoother'])
def test_smoothers_take_them_alike(slide, name):
    recording = Recording(STAMPS, X[:, np.newaxis], inputs=ReadInputs(
        STAMPS.tolist(), list(FORCE[:, np.newaxis])))
    filter_ = make_filter(name, slide, ['ruler'], STEP)
    filter_.reset(X[:1], V[:1])
    found = smooth(filter_, recording, STEP)
    np.testing.assert_allclose(found.motion.zdd[1:-1, 0], A[1:-1], atol=0.02)


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 100), st.floats(-1.0, 1.0), max_size=8),
       st.integers(0, 100), st.integers(1, 100))
def test_means_are_of_straight_lines(known, start, span):
    stamps = sorted(known)
    inputs = ReadInputs()
    for when in reversed(stamps):
        inputs.add(when, [known[when]])
    found = list(inputs.between(start, start + span))
    assert sum(gap for gap, _ in found) == span
    for gap, mean in found:
        begun = stamps and start >= stamps[0]
        assert (mean is not None) == bool(begun)
        if begun:
            fine = np.linspace(start, start + gap, 2001)
            line = np.interp(fine, stamps, [known[when] for when in stamps])
            assert mean[0] == pytest.approx(trapezoid(line, fine) / gap, abs=1e-6)
            assert np.mean(inputs.parts(start, gap, mean, 3)) == pytest.approx(mean[0])
        start += gap
    inputs.forget_before(start)
    assert list(inputs.between(start, start + 5)) == list(inputs.between(start, start + 5))


def arrivals(late):
    """Return (arrival, sensor or None, stamp, values): readings between forces of another rate."""
    forces = [(int(when) + late, None, int(when), [force])
              for when, force in zip(STAMPS[::2], FORCE[::2], strict=True)]
    readings = [(int(when) + 1, 'ruler', int(when) + 3_000_000, (x,))
                for when, x in zip(STAMPS, X, strict=True)]
    return sorted(forces + readings, key=lambda one: one[0])


def streamed(slide, late=0, inputs=ReadInputs, **chosen):
    stream = stream_of(slide, ['ruler'], 'error_ekf_fe', initial=(X[:1], V[:1]), inputs=inputs,
                       **chosen)
    steps = []
    for _, sensor, stamp, values in arrivals(late):
        steps += (stream.add_input(stamp, values) if sensor is None
                  else stream.add(sensor, stamp, values))
    return stream, {step.stamp: (step.estimate.z[0], step.estimate.zdd[0]) for step in steps}


def test_estimates_wait_for_forces_and_depend_on_stamps_alone(slide):
    _, in_time = streamed(slide)
    assert len(in_time) > len(T) - 4
    for late in (-50_000_000, 120_000_000):
        _, found = streamed(slide, late)
        same = in_time.keys() & found.keys()
        assert len(same) > len(T) - 20
        assert all(found[stamp] == in_time[stamp] for stamp in same)


def test_forces_that_come_too_late_are_used_within_the_history(slide):
    late = {'reorder_window': 0.05}
    stream, _ = streamed(slide, 200_000_000, **late)
    assert stream.state.counts.late > 0
    _, in_time = streamed(slide)
    stream, found = streamed(slide, 200_000_000, history_length=1.0, **late)
    assert stream.state.counts.late == 0
    assert found[max(in_time)] == in_time[max(in_time)]


def test_forces_that_do_not_come_are_silent(slide):
    stream, _ = streamed(slide)
    assert stream.silent == []
    for k in range(200):
        stream.add('ruler', int(STAMPS[-1]) + k * 10_000_000, (X[-1],))
    assert stream.silent == ['known_forces']


@pytest.mark.parametrize(('topic', 'torques_are', 'expected'), [
    ('known_forces', '', ReadInputs), ('/robot/drive_torques', '', HeldInputs),
    ('drive_torques', 'readings', ReadInputs), ('joint_states', 'commands', HeldInputs)])
def test_what_they_are_follows_from_the_topic_unless_it_is_said(
        slide, tmp_path, topic, torques_are, expected):
    assert inputs_class(topic, torques_are) is expected
    name = f'/{topic.lstrip("/")}'
    sent = []
    for when, force in zip(STAMPS.tolist()[:5], FORCE, strict=False):
        sent += [(name, JointState(name=['x'], effort=[force])),
                 ('/encoders', JointState(name=['ruler'], position=[0.0]))]
        for _, message in sent[-2:]:
            message.header.stamp = to_stamp(when)
    write_messages(tmp_path / 'bag', sent)
    inputs = read_recording(tmp_path / 'bag', sensors_of(slide, ['ruler']), inputs=input_topic(
        slide, False, topic, torques_are)).inputs
    assert type(inputs) is expected
    assert inputs.values[3] == pytest.approx(FORCE[3])
