"""Measurement functions and their derivatives against independent truth."""

from functools import cache

from derivatives import check_derivatives
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.measurement import difference
from mb_sensors.readings import StateReader, true_values

# Bodies with an own angle coordinate; without one and no, or the second, point fixed.
BODIES = ('crank', 'coupler', 'rocker')
ON_COUPLER = {'body': 'coupler', 'at': ['3 * sqrt(2)', -1.0]}
ENTRIES = {
    **{f'angle of {body}': {'kind': 'angle_encoder', 'body': body} for body in BODIES},
    **{f'rate of {body}': {'kind': 'gyroscope', 'body': body} for body in BODIES},
    'of neighbours': {'kind': 'relative_angle_encoder', 'bodies': ['crank', 'coupler']},
    'of strangers': {'kind': 'relative_angle_encoder', 'bodies': ['rocker', 'crank']},
    'at the end': {'kind': 'accelerometer', 'body': 'crank', 'at': 'P1', 'axes': ['x', 'y', 'z']},
    'askew': {'kind': 'accelerometer', **ON_COUPLER, 'orientation': 'pi / 5', 'axes': ['y']},
    'of points': {'kind': 'distance', 'points': ['A', 'P2']},
    'of places': {'kind': 'distance', 'points': [ON_COUPLER, {'body': 'rocker', 'at': [2.0, 0.5]}]},
    'of a joint': {'kind': 'position', 'point': 'P2'},
    'of a place': {'kind': 'position', 'point': ON_COUPLER, 'axes': ['y']},
    'of a place in the plane': {'kind': 'position', 'point': ON_COUPLER},
    'of the anchor': {'kind': 'position', 'point': 'B'},
    'along': {'kind': 'linear_encoder', 'coordinate': 'P2.x'},
    'forwards': {'kind': 'speed', **ON_COUPLER},
    'sideways': {'kind': 'sideslip_angle', **ON_COUPLER},
    'tachometer': {'kind': 'tachometer', 'coordinate': 'theta'},
    'rise': {'kind': 'inclinometer', 'body': 'coupler', 'orientation': 0.3, 'axes': ['x', 'y']},
    'compass': {'kind': 'magnetometer', 'body': 'coupler', 'orientation': 0.3, 'field': [2.0, 1.0]},
}


@cache
def four_bar_with(entry):
    """Return the four-bar linkage and its only sensor."""
    mechanism = load_mechanism('four_bar').replace(
        sensors={'probe': {**ENTRIES[entry], 'sigma': 1e-3}})
    return mechanism, sensors_of(mechanism, 'probe')[0]


@pytest.mark.parametrize('entry', ENTRIES)
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2 ** 32))
def test_jacobians_are_the_central_differences(entry, seed):
    """In random states of all coordinates; there is no need to close."""
    mechanism, sensor = four_bar_with(entry)
    random = np.random.default_rng(seed)
    size = int(mechanism.model['n_total'][0])
    state = [random.normal(size=size) * 3.0 for _ in range(3)]
    near = min(np.hypot(*(state[0][i:i + 2] - state[0][j:j + 2]))
               for i, j in mechanism.model['body_index'][0, :3])
    check_derivatives(sensor.records, state, 1e-6 * max(1.0, near ** -4))


@pytest.mark.parametrize('body', BODIES)
def test_a_gyroscope_reads_how_fast_an_encoder_turns(body):
    mechanism, encoder = four_bar_with(f'angle of {body}')
    _, gyroscope = four_bar_with(f'rate of {body}')
    run = simulate(mechanism, 1.0, 1e-3)
    angle = np.unwrap(true_values(mechanism, encoder, run.q, run.qd, run.qdd)[:, 0])
    rate = true_values(mechanism, gyroscope, run.q, run.qd, run.qdd)[:, 0]
    np.testing.assert_allclose(np.gradient(angle, run.t, edge_order=2), rate, atol=2e-5)


def test_an_accelerometer_reads_how_its_place_moves_and_gravity():
    """By differences of the place that a tracker there sees, turned into the body's frame."""
    mechanism, accelerometer = four_bar_with('askew')
    _, tracker = four_bar_with('of a place in the plane')
    _, encoder = four_bar_with('angle of coupler')
    run = simulate(mechanism, 1.0, 1e-3)
    states = run.q, run.qd, run.qdd
    place = true_values(mechanism, tracker, *states)
    acceleration = np.gradient(np.gradient(place, run.t, axis=0), run.t, axis=0)
    angle = true_values(mechanism, encoder, *states) + np.pi / 5
    force = np.pad(acceleration - mechanism.gravity, ((0, 0), (0, 1)))
    in_body = Rotation.from_euler('z', -angle).apply(force)
    reading = true_values(mechanism, accelerometer, *states)[:, 0]
    np.testing.assert_allclose(in_body[3:-3, 1], reading[3:-3], atol=2e-3)
    assert np.ptp(reading) > 3.0


def test_an_accelerometer_at_rest_reads_gravity_upwards():
    """REP-145; the crank stands at an angle of 60 degrees."""
    mechanism, accelerometer = four_bar_with('at the end')
    rest = np.zeros((1, mechanism.n))
    reading = true_values(mechanism, accelerometer, mechanism.q0[None], rest, rest)[0]
    np.testing.assert_allclose(reading, [9.81 * np.sin(np.pi / 3), 9.81 * np.cos(np.pi / 3), 0.0])
    assert accelerometer.channels == ('probe.x', 'probe.y', 'probe.z')


def test_readings_of_a_drawn_position():
    """A coupler along the 3-4-5 triangle, turning at 2 rad/s about its first point."""
    q = np.array([[1.0, 1.0, 4.0, 5.0, np.pi / 2]])
    qd = np.array([[7.0, 7.0, 7.0 - 8.0, 7.0 + 6.0, 0.0]])

    def read(entry):
        mechanism, sensor = four_bar_with(entry)
        return true_values(mechanism, sensor, q, qd, 0.0 * qd)[0]

    coupler = np.arctan2(4.0, 3.0)
    assert read('angle of coupler') == pytest.approx(coupler)
    assert read('rate of coupler') == pytest.approx(2.0)
    # The line of the crank runs through its points, not along its angle coordinate.
    assert read('of neighbours') == pytest.approx(coupler - np.pi / 4)
    assert read('of strangers') == pytest.approx(np.pi / 4 + np.arctan2(5.0, 6.0))
    assert read('of points') == pytest.approx(np.hypot(4.0, 5.0))
    np.testing.assert_array_equal(read('of a joint'), [4.0, 5.0])
    np.testing.assert_array_equal(read('of the anchor'), [10.0, 0.0])
    assert read('along') == 4.0
    # The first point moves at 7 in both axes, the place across it by 2 rad/s; x is askew.
    across = -5.0 / 8.0
    forwards = 7.0 * 0.6 + 7.0 * 0.8 - 2.0 * across
    assert read('forwards') == pytest.approx(forwards)
    # The body's places scale with the distance of its points, here 5 and not 8.
    x, y = 3.0 * np.sqrt(2.0) * 5.0 / 8.0, -5.0 / 8.0
    assert read('sideways') == pytest.approx(
        np.arctan2(7.0 * 0.6 - 7.0 * 0.8 + 2.0 * x, forwards))
    place = np.array([1.0 + 0.6 * x - 0.8 * y, 1.0 + 0.8 * x + 0.6 * y])
    assert read('of a place') == pytest.approx(place[1])


@pytest.mark.parametrize('place', range(3))
@pytest.mark.parametrize('shape', [(3, 4), (2, 5), (3, 6), (5,)])
def test_states_of_another_size_are_refused(place, shape):
    mechanism, sensor = four_bar_with('of a joint')
    states = [np.zeros((3, mechanism.n)) for _ in range(3)]
    states[place] = np.zeros(shape)
    with pytest.raises(ValueError, match=r'q.*: shape .* must be \(\d, 5\)'):
        true_values(mechanism, sensor, *states)


def test_angles_differ_by_the_short_way_round():
    _, encoder = four_bar_with('angle of crank')
    _, relative = four_bar_with('of neighbours')
    _, gyroscope = four_bar_with('rate of crank')
    for sensor in (encoder, relative):
        assert difference(sensor.records[0], 3.0, -3.0) == pytest.approx(6.0 - 2.0 * np.pi)
    assert difference(encoder.records[0], 12.6, 0.1) == pytest.approx(12.5 - 4.0 * np.pi)
    assert difference(encoder.records[0], 0.25, 0.125) == 0.125
    assert difference(gyroscope.records[0], 3.0, -3.0) == 6.0


def test_a_state_is_read_for_all_sensors_at_once():
    """As for each alone; what is no state is refused, and the next one read."""
    mechanism = load_mechanism('three_rrr')
    sensors = sensors_of(mechanism, ['imu', 'drive_encoders'])
    records = np.concatenate([sensor.records for sensor in sensors])
    reader, rng = StateReader(mechanism, records), np.random.default_rng(3)
    for _ in range(3):
        state = rng.normal(size=(3, mechanism.n))
        for wrong in (state[:, 1:], np.where(np.arange(mechanism.n) == 4, np.nan, state)):
            with pytest.raises(ValueError, match='a state'):
                reader.read(*wrong)
        reader.read(*state)
        np.testing.assert_array_equal(reader.values, np.concatenate([
            true_values(mechanism, sensor, *state[:, np.newaxis])[0] for sensor in sensors]))
