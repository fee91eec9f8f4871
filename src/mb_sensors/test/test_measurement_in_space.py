"""Measurement functions in space and their derivatives, against independent truth."""

from functools import cache

from derivatives import check_derivatives
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_model import load_mechanism
from mb_sensors import NoiseSettings, SensorError, SensorNoise, sensor_kinds, sensors_of
from mb_sensors.kernel_api import refer_to
from mb_sensors.measurement import measure, measurement_jacobian
from mb_sensors.readings import true_values

# Of each kind one sensor on a body that turns in all ways, with the mounting turned, too.
RPY = [0.4, -0.7, 1.1]
TURN = Rotation.from_euler('xyz', RPY)
AT = [0.05, -0.02, 0.1]
WRIST = {'body': 'wrist3', 'at': AT}
ARM = {
    'angle_encoder': {'coordinate': 'q2'},
    'relative_angle_encoder': {'joint': 'wrist'},
    'tachometer': {'coordinate': 'q4'},
    'gyroscope': {'body': 'wrist3', 'rpy': RPY},
    'accelerometer': {**WRIST, 'rpy': RPY},
    'position': {'point': WRIST},
    'speed': {**WRIST, 'rpy': RPY},
    'sideslip_angle': {**WRIST, 'rpy': RPY},
    'distance': {'points': [WRIST, {'body': 'ground', 'at': [0.3, 0.2, 1.0]}]},
    'inclinometer': {'body': 'wrist3', 'rpy': RPY, 'axes': ['x', 'y', 'z']},
    'magnetometer': {'body': 'wrist3', 'rpy': RPY, 'field': [2.0e-5, 0.3e-5, -4.4e-5]},
    'orientation': {'body': 'wrist3', 'rpy': RPY},
}
STEWART = {
    'linear_encoder': {'coordinate': 'length2'},
    'gyroscope': {'body': 'platform', 'rpy': RPY, 'axes': ['y']},
    'accelerometer': {'body': 'platform', 'at': 'P2', 'axes': ['z', 'x']},
    'distance': {'points': [{'body': 'platform', 'at': 'P1'}, {'body': 'rod4', 'at': 'E'}]},
    'position': {'point': {'body': 'barrel1', 'at': 'E'}, 'axes': ['z']},
}
SENSORS = [('six_axis_arm', kind) for kind in ARM] + [('stewart', kind) for kind in STEWART]


@cache
def machine(name):
    """Return a machine with the sensors above, by the name of their kind."""
    entries = {'six_axis_arm': ARM, 'stewart': STEWART}[name]
    return load_mechanism(name).replace(sensor_groups=None, sensors={
        **dict.fromkeys(load_mechanism(name).sensors),
        **{kind: {'kind': kind, 'sigma': 1e-3, **entry} for kind, entry in entries.items()}})


def state_at(name, t):
    """Return q, qd, qdd (n) at a time t [s] of a smooth motion of all degrees of freedom."""
    mechanism = machine(name)
    sizes, k = (0.5 if name == 'six_axis_arm' else 0.08), np.arange(mechanism.g)
    turning, z = 2.0 + 0.7 * k, mechanism.z0 + sizes * (np.sin((2.0 + 0.7 * k) * t + k) - np.sin(k))
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, sizes * turning * np.cos(turning * t + k))
    return q, qd, mechanism.acceleration(q, qd, -sizes * turning ** 2 * np.sin(turning * t + k))


def place(name, body, at, t):
    """Return where a place of a body is (3), and how the body is turned (Rotation)."""
    motion = machine(name).body_motion(body, state_at(name, t)[0])
    return motion.position_of(at), Rotation.from_matrix(motion.rotation)


def reading(name, kind, t=0.4):
    """Return the ideal reading (channels) at a time."""
    mechanism = machine(name)
    sensor, = sensors_of(mechanism, kind)
    return true_values(mechanism, sensor, *(x[None] for x in state_at(name, t)))[0]


@pytest.mark.parametrize(('name', 'kind'), [
    one for one in SENSORS if one[1] != 'orientation'])
def test_jacobians_are_the_central_differences(name, kind):
    """In random states of all coordinates; there is no need to close."""
    mechanism = machine(name)
    sensor, = sensors_of(mechanism, kind)
    random = np.random.default_rng(len(kind))
    size = int(mechanism.model['n_total'][0])
    assert max(check_derivatives(sensor.records, [random.normal(size=size) for _ in range(3)])
               for _ in range(5)) > 0.0


def angular_rate(name, body, t, h=1e-4):
    """Return the angular velocity in the body's frame, by differences of its orientation."""
    (_, before), (_, after) = (place(name, body, np.zeros(3), t + dt) for dt in (-h, h))
    return (before.inv() * after).as_rotvec() / (2.0 * h)


def specific_force(name, body, at, t, h=1e-3):
    """Return the specific force of a place in the body's frame, by differences of the place."""
    before, here, after = (place(name, body, at, t + dt)[0] for dt in (-h, 0.0, h))
    force = (before - 2.0 * here + after) / h ** 2 - [0.0, 0.0, -9.81]
    return place(name, body, at, t)[1].inv().apply(force)


def test_a_gyroscope_reads_how_the_body_turns_in_the_axes_of_its_mounting():
    rate = angular_rate('six_axis_arm', 'wrist3', 0.4)
    np.testing.assert_allclose(
        reading('six_axis_arm', 'gyroscope'), TURN.inv().apply(rate), atol=1e-6)
    assert np.abs(rate).min() > 0.1
    rate = angular_rate('stewart', 'platform', 0.4)
    np.testing.assert_allclose(
        reading('stewart', 'gyroscope'), TURN.inv().apply(rate)[1:2], atol=1e-6)


def test_an_accelerometer_reads_how_its_place_moves_and_gravity():
    force = specific_force('six_axis_arm', 'wrist3', AT, 0.4)
    np.testing.assert_allclose(
        reading('six_axis_arm', 'accelerometer'), TURN.inv().apply(force), atol=1e-4)
    at = machine('stewart').bodies['platform'].points['P2']
    force = specific_force('stewart', 'platform', at, 0.4)
    np.testing.assert_allclose(reading('stewart', 'accelerometer'), force[[2, 0]], atol=1e-4)


def test_an_accelerometer_at_rest_reads_gravity_upwards():
    """REP-145; z of the platform is nearly vertical."""
    mechanism = machine('stewart')
    sensor, = sensors_of(mechanism, 'accelerometer')
    rest = np.zeros((1, mechanism.n))
    up, across = true_values(mechanism, sensor, mechanism.q0[None], rest, rest)[0]
    turn = mechanism.body_motion('platform', mechanism.q0).rotation
    np.testing.assert_allclose([up, across], 9.81 * turn[2, [2, 0]], atol=1e-9)
    assert up > 9.7


def test_places_and_their_distances_and_speeds():
    where, turn = place('six_axis_arm', 'wrist3', AT, 0.4)
    np.testing.assert_allclose(reading('six_axis_arm', 'position'), where, atol=1e-9)
    away = np.linalg.norm(where - [0.3, 0.2, 1.0])
    assert reading('six_axis_arm', 'distance') == pytest.approx(away)
    before, after = (place('six_axis_arm', 'wrist3', AT, 0.4 + dt)[0] for dt in (-1e-4, 1e-4))
    along, across, _ = (turn * TURN).inv().apply(after - before) / 2e-4
    assert reading('six_axis_arm', 'speed') == pytest.approx(along, abs=1e-6)
    assert reading('six_axis_arm', 'sideslip_angle') == pytest.approx(
        np.arctan2(across, along), abs=1e-6)
    ends = [place('stewart', body, machine('stewart').bodies[body].points[point], 0.4)[0]
            for body, point in (('platform', 'P1'), ('rod4', 'E'), ('barrel1', 'E'))]
    assert reading('stewart', 'distance') == pytest.approx(np.linalg.norm(ends[0] - ends[1]))
    assert reading('stewart', 'position') == pytest.approx(ends[2][2])


def test_an_inclinometer_and_a_magnetometer_show_how_the_body_is_turned():
    turn = place('six_axis_arm', 'wrist3', AT, 0.4)[1] * TURN
    np.testing.assert_allclose(
        reading('six_axis_arm', 'inclinometer'), np.arcsin(turn.as_matrix()[2]), atol=1e-9)
    np.testing.assert_allclose(reading('six_axis_arm', 'magnetometer'),
                               turn.inv().apply([2.0e-5, 0.3e-5, -4.4e-5]), atol=1e-15)


def test_an_orientation_is_the_turn_from_the_axes_of_the_mechanism():
    turn = place('six_axis_arm', 'wrist3', AT, 0.4)[1] * TURN
    np.testing.assert_allclose(reading('six_axis_arm', 'orientation'), turn.as_rotvec(), atol=1e-9)


@pytest.mark.parametrize('referred', [False, True])
def test_derivatives_of_an_orientation_are_how_it_changes_along_a_motion(referred):
    """By its own rate in the motion: derivatives beside positions of rigid bodies do not count."""
    mechanism, h = machine('six_axis_arm'), 1e-5
    sensor, = sensors_of(mechanism, 'orientation')
    records, size = sensor.records.copy(), int(mechanism.model['n_total'][0])

    def whole(t):
        q, qd, _ = state_at('six_axis_arm', t)
        return np.r_[q, mechanism.model['fixed'][0, mechanism.n:size]], np.r_[
            qd, np.zeros(size - mechanism.n)]

    if referred:
        refer_to(records, whole(0.3)[0], np.full(3, np.nan))
    nothing, read = np.zeros(size), np.empty((2, 3))
    for row, t in zip(read, (0.4 - h, 0.4 + h), strict=True):
        measure(records, whole(t)[0], nothing, nothing, row)
    exact = np.empty((3, size))
    for k in range(3):
        measurement_jacobian(records[k], whole(0.4)[0], nothing, nothing, *exact)
        change = (read[1, k] - read[0, k]) / (2.0 * h)
        assert exact[0] @ whole(0.4)[1] == pytest.approx(change, abs=1e-6)
    assert np.linalg.norm(read[0]) > (0.01 if referred else 1.0)


def test_readings_that_count_from_a_body_differ_by_turns_about_its_axes():
    mechanism = machine('six_axis_arm')
    sensor, = sensors_of(mechanism, 'orientation')
    q = np.r_[state_at('six_axis_arm', 0.4)[0], mechanism.model['fixed'][0, mechanism.n:]]
    turned, records = np.array([0.3, -0.2, 0.1]), sensor.records.copy()
    there = place('six_axis_arm', 'wrist3', AT, 0.4)[1] * TURN
    read = (there * Rotation.from_rotvec(turned)).as_rotvec()
    refer_to(records, q, read)
    np.testing.assert_allclose(read, turned, atol=1e-9)
    measure(records, q, 0.0 * q, 0.0 * q, read)
    np.testing.assert_allclose(read, 0.0, atol=1e-9)


def test_noise_turns_an_orientation_about_its_own_axes():
    """Also where the rotation vector is long: then sums of components would be no such turns."""
    truth = Rotation.from_rotvec([2.0, -1.5, 1.0])
    noise = SensorNoise(NoiseSettings(sigma=0.02, bias=0.01), 3, 'tracker', rotation=True)
    read = noise.readings(np.arange(20_000), np.tile(truth.as_rotvec(), (20_000, 1)))
    errors = (truth.inv() * Rotation.from_rotvec(read)).as_rotvec()
    np.testing.assert_allclose(errors.mean(axis=0), 0.01, atol=6e-4)
    np.testing.assert_allclose(np.cov(errors.T), 4e-4 * np.eye(3), atol=2e-5)


def test_a_gyroscope_that_feels_forces_errs_by_them_and_filters_do_not_know():
    entry = {'kind': 'gyroscope', 'sigma': 1e-3, 'body': 'wrist3', 'at': AT, 'rpy': RPY}
    mechanism = load_mechanism('six_axis_arm').replace(sensors={
        'ideal': entry, 'real': {**entry, 'g_sensitivity': 2.0e-3}})
    states = [x[None] for x in state_at('six_axis_arm', 0.4)]
    ideal, real = sensors_of(mechanism, ['ideal', 'real'])
    error = true_values(mechanism, real, *states) - true_values(mechanism, ideal, *states)
    np.testing.assert_allclose(error[0], 2.0e-3 * reading('six_axis_arm', 'accelerometer'))
    assert real.records.tobytes() == ideal.records.tobytes()


def test_encoders_read_coordinates_and_joints():
    """The wrist's angle from how its bodies are turned, without the joint's equations."""
    k = np.arange(6)
    z = machine('six_axis_arm').z0 + 0.5 * (np.sin((2.0 + 0.7 * k) * 0.4 + k) - np.sin(k))
    assert reading('six_axis_arm', 'angle_encoder') == pytest.approx(z[1])
    assert reading('six_axis_arm', 'tachometer') == pytest.approx(
        0.5 * 4.1 * np.cos(4.1 * 0.4 + 3.0))
    turns = [place('six_axis_arm', body, np.zeros(3), 0.4)[1] for body in ('forearm', 'wrist1')]
    about_y = (turns[0].inv() * turns[1]).as_rotvec()
    # Its references, x of the forearm and z of the wrist, are a quarter apart.
    assert np.abs(about_y[[0, 2]]).max() < 1e-9
    gap = reading('six_axis_arm', 'relative_angle_encoder') - z[3]
    assert abs(np.sin(0.5 * gap)) < 1e-9
    mechanism = machine('stewart')
    legs = [place('stewart', body, mechanism.bodies[body].points[point], 0.4)[0]
            for body, point in (('barrel2', 'B'), ('rod2', 'P'))]
    assert reading('stewart', 'linear_encoder') == pytest.approx(np.linalg.norm(legs[0] - legs[1]))


@pytest.mark.parametrize(('name', 'entry', 'text'), [
    ('stewart', {'kind': 'gyroscope', 'body': 'rod1'}, 'rod1 is slender'),
    ('stewart', {'kind': 'accelerometer', 'body': 'rod1', 'at': [0.0, 0.1, 0.0]}, 'beside'),
    ('stewart', {'kind': 'angle_encoder', 'coordinate': 'turn.x'}, "'turn.x' must be one of"),
    ('stewart', {'kind': 'angle_encoder', 'coordinate': 'length1'}, "'length1' must be one of"),
    ('stewart', {'kind': 'linear_encoder', 'coordinate': 'B1.x'}, "'B1.x' must be one of"),
    ('six_axis_arm', {'kind': 'gyroscope', 'body': 'tail'}, "'tail' must be one of shoulder"),
    ('six_axis_arm', {'kind': 'gyroscope', 'body': 'wrist1', 'rpy': [0.0, 1.0]}, 'list of 3'),
    ('six_axis_arm', {'kind': 'gyroscope', 'body': 'wrist1', 'axes': ['w']}, 'some of x, y, z'),
    ('six_axis_arm', {'kind': 'accelerometer', 'body': 'wrist1', 'at': [0.0, 0.0]},
     'list of 3 numbers'),
    ('six_axis_arm', {'kind': 'accelerometer', 'body': 'wrist1', 'at': 'tool'},
     "'tool' must be one of wrist, next"),
    ('six_axis_arm', {'kind': 'position', 'point': 'tool'}, 'must be a point'),
    ('six_axis_arm', {'kind': 'position', 'point': {'body': 'wrist3', 'at': 'tool', 'on': 1}},
     'on: unknown key'),
    ('six_axis_arm', {'kind': 'relative_angle_encoder', 'joint': 'shoulder'}, 'must be one of pan'),
])
def test_what_does_not_fit_is_refused(name, entry, text):
    mechanism = load_mechanism(name).replace(sensors={'probe': {'sigma': 1e-3, **entry}})
    with pytest.raises(SensorError, match=f'sensors.probe.*{text}'):
        sensors_of(mechanism, 'probe')


def test_every_kind_of_space_is_tested():
    """Here, or in test_strain_gauge.py what is on bodies that bend, of which these have none."""
    known = {kind for kind, one in sensor_kinds().items() if one.known_in(3) and one.of(3).value}
    assert known == {kind for _, kind in SENSORS} | {'strain_gauge'}
