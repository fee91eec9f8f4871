"""What readings do not determine when forces are unknown."""

from dataclasses import replace
from pathlib import Path

from filter_traits import GRAPHS, PULSES, WALKS, filters_with
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import make_filter, three_simulation
from mb_estimators.observability.determined import (
    NOT_JUDGED,
    undetermined,
    undetermined_by,
    undetermined_text,
)
from mb_estimators.plugins import available_filters
from mb_model import MechanismError, load_mechanism
from mb_sensors import sensors_of

HALF_CAR = str(Path(__file__).parent / 'mechanisms' / 'half_car.yaml')
JANSEN_LEG = str(Path(__file__).parent / 'mechanisms' / 'jansen_leg.yaml')


@pytest.mark.parametrize(('mechanism', 'sensors', 'unknown'), [
    ('four_bar', ['crank_encoder'], ()),
    ('four_bar', ['crank_gyro'], ('theta',)),
    ('four_bar', ['coupler_gyro'], ('theta',)),                     # one number, two unknown
    ('four_bar', ['crank_gyro', 'coupler_gyro'], ()),               # their ratio is a position
    ('four_bar', ['crank_accelerometers'], ()),
    ('four_bar_spring_damper', ['distance_across'], ()),
    ('double_pendulum', ['joint_encoder'], ('theta1', 'theta2')),   # it may turn as a whole
    ('double_pendulum', ['upper_encoder'], ('theta2',)),
    ('double_pendulum', ['tip_tracker'], ()),
    ('five_bar', ['left_crank_encoder', 'coupler_gyros'], ()),
    ('five_bar', ['left_crank_encoder', 'right_crank_gyro'], ('theta2',)),
    ('three_rrr', ['drive_encoders'], ()),
    ('three_rrr', ['imu'], ('E.x', 'E.y', 'turn')),
    ('crane', ['cylinder_encoder', 'pressure1'], ()),
    ('crane', ['pressure1'], ('s',)),
    (HALF_CAR, ['distances'], ('C.y', 'pitch', 'F.y', 'R.y')),
    (JANSEN_LEG, ['foot_gyro'], ('theta',))])
def test_undetermined_are_those_that_may_move_without_a_reading(mechanism, sensors, unknown):
    assert undetermined(load_mechanism(mechanism), sensors) == unknown


@pytest.mark.parametrize(('mechanism', 'sensors', 'biased', 'unknown'), [
    ('four_bar', ['crank_encoder'], ['crank_encoder'], ('theta',)),
    ('four_bar', ['crank_encoder', 'crank_gyro'], ['crank_gyro'], ()),
    ('four_bar', ['crank_encoder', 'crank_gyro'], ['crank_encoder'], ('theta',)),
    ('four_bar', ['crank_encoder', 'coupler_gyro'], ['crank_encoder'], ()),  # rates: a position
    ('four_bar', ['crank_gyro', 'coupler_gyro'], ['crank_gyro', 'coupler_gyro'], ()),
    ('double_pendulum', ['upper_encoder', 'joint_encoder'], ['joint_encoder'], ('theta2',)),
    ('double_pendulum', ['tip_tracker'], ['tip_tracker'], ('theta1', 'theta2')),
    ('three_rrr', ['drive_encoders', 'imu'], ['imu'], ()),
    ('three_rrr', ['drive_encoders'], ['drive_encoder1'], ('E.x', 'E.y', 'turn')),
    ('crane', ['cylinder_encoder'], ['cylinder_encoder'], ('s',))])
def test_a_bias_may_hide_a_position(mechanism, sensors, biased, unknown):
    mechanism = load_mechanism(mechanism)
    assert undetermined(mechanism, with_biases(mechanism, sensors, biased)) == unknown


@pytest.mark.parametrize('name', [*WALKS, *GRAPHS])
def test_filters_that_follow_any_force_cannot_find_the_offset_of_an_encoder(name):
    mechanism = load_mechanism('four_bar')
    for sensors, unknown in ((['crank_encoder'], ('theta',)),
                             (['crank_encoder', 'coupler_gyro'], ())):
        used = with_biases(mechanism, sensors, ['crank_encoder'])
        assert undetermined_by(make_filter(name, mechanism, used, 0.005), mechanism,
                               used) == unknown


def with_biases(mechanism, sensors, biased):
    """Return the Sensors, of which those named have a bias."""
    return [sensor.with_settings(replace(sensor.settings, bias_sigma=0.2))
            if sensor.name in biased else sensor for sensor in sensors_of(mechanism, sensors)]


def test_two_motions_of_the_four_bar_linkage_have_the_same_readings_of_the_coupler():
    """What `undetermined` says: from any start some motion reads the same, dz/dt = y / G(z)."""
    mechanism = load_mechanism('four_bar')

    def by_rate(z):
        """Return the coupler's angular velocity by the crank's."""
        q = mechanism.assemble([z])
        qd = mechanism.velocity(q, [1.0])
        ends = [[mechanism.coordinates.index(f'{point}.{axis}') for axis in 'xy']
                for point in ('P1', 'P2')]
        along, across = (values[ends[1]] - values[ends[0]] for values in (q, qd))
        return (along[0] * across[1] - along[1] * across[0]) / (along @ along)

    def reading(t):
        return by_rate(1.0 + 0.3 * np.sin(t)) * 0.3 * np.cos(t)

    other = solve_ivp(lambda t, z: reading(t) / by_rate(z[0]), (0.0, 1.0), [1.2], rtol=1e-9)
    assert other.success
    assert abs(other.y[0, -1] - (1.0 + 0.3 * np.sin(1.0))) > 0.1


def test_a_half_car_may_be_lifted_without_a_reading():
    mechanism = load_mechanism(HALF_CAR)
    tall, low = (mechanism.assemble([0.8 + up, 0.0, 0.3 + up, 0.3 + up]) for up in (0.0, 0.05))
    for name in ('front', 'rear'):
        place = mechanism.coordinates.index(name)
        assert tall[place] == pytest.approx(low[place], abs=1e-12)


@pytest.mark.parametrize('name', available_filters(load_mechanism('four_bar')))
def test_only_filters_that_follow_any_force_rest_on_the_model_alone(name):
    mechanism = load_mechanism('four_bar')
    found = {}
    for sensor in ('crank_encoder', 'crank_gyro'):
        sensors = sensors_of(mechanism, [sensor])
        filter_ = make_filter(name, mechanism, sensors, 0.005)
        found[sensor] = undetermined_by(filter_, mechanism, sensors)
    assert not found['crank_encoder']
    follows = name in (*filters_with('unknown_forces'), *WALKS, *GRAPHS, *PULSES)
    assert found['crank_gyro'] == (('theta',) if follows else ())


def test_a_force_that_not_every_motion_answers_to_leaves_the_model_to_rest_on():
    mechanism = load_mechanism('five_bar')
    gyros = sensors_of(mechanism, ['crank_gyros'])
    for forces, lost in ((('theta1',), ()), (('theta1', 'theta2'), ('theta1', 'theta2'))):
        filter_ = make_filter('adekf', mechanism, gyros, 0.005, unknown_forces=forces)
        assert undetermined_by(filter_, mechanism, gyros) == lost


@pytest.mark.parametrize('name', ['error_ekf_fe', 'adaptive_error_ekf_fe', 'fixed_lag_smoother'])
def test_a_soft_spring_of_a_half_car_is_warned_of(name):
    """The springs' compression says nothing about the wheels; nor do the innovations."""
    wrong = {'parameters': {'front_stiffness': 1.2e4}}
    result = three_simulation(load_mechanism(HALF_CAR), name, ['distances'], wrong, 5.0, 0.005, 0)
    late = result.t >= 2.0
    errors = np.abs(result.observer.z - result.truth.z)[late]
    deviations = np.sqrt(np.diagonal(result.covariance[late], axis1=1, axis2=2)[:, :4])
    assert np.mean(errors <= 1.96 * deviations) < 0.8
    assert all(figures.is_consistent for figures in result.consistency().values())
    assert result.undetermined == ('C.y', 'pitch', 'F.y', 'R.y')
    text = undetermined_text(result.undetermined, [sensor.name for sensor in result.sensors])
    assert text.startswith('not determined by front_distance, rear_distance while forces')


@pytest.mark.parametrize('biased', [True, False])
def test_an_offset_of_a_single_encoder_that_is_not_declared_shows_nowhere(biased):
    """What docs/how_to/faults.md says; nothing contradicts the encoder."""
    mechanism, bias = load_mechanism('four_bar'), 0.03 if biased else 0.0
    prototype = mechanism.replace(sensors={'crank_encoder': {'bias': bias}})
    result = three_simulation(prototype, 'error_ekf_fe', ['crank_encoder'],
                              {'sensors': {'crank_encoder': {'bias': 0.0}}}, 5.0, 0.005, 0)
    error = (result.observer.z - result.truth.z)[result.t >= 2.0]
    assert error.mean() == pytest.approx(bias, abs=2e-3)
    assert all(figures.is_consistent for figures in result.consistency().values())
    assert not any(result.lost)
    assert result.undetermined == ()


def test_nothing_is_said_of_what_is_determined():
    result = three_simulation('four_bar', 'error_ekf_fe', ['crank_encoder'],
                              {'gravity': -1.0}, 3.0, 0.005, seed=0)
    assert result.undetermined == ()
    assert undetermined_text((), ['crank_encoder']) == ''


def test_what_cannot_be_judged_is_no_proof_of_being_determined(monkeypatch):
    def stuck(*_, **__):
        raise MechanismError('out of reach')
    mechanism = load_mechanism('four_bar')
    monkeypatch.setattr(type(mechanism), 'assemble', stuck)
    found = undetermined(mechanism, ['crank_encoder'])
    assert found == NOT_JUDGED
    assert undetermined_text(list(found), ['crank_encoder']) == (
        'whether crank_encoder determine the degrees of freedom while forces are unknown is not '
        'judged: the mechanism cannot be moved near its start')


def test_without_any_sensor_nothing_is_determined():
    mechanism = load_mechanism('five_bar')
    assert undetermined(mechanism, []) == ('theta1', 'theta2')
    assert undetermined_text(['theta1'], []).startswith('not determined by any sensor while')
