"""The estimator node: what it publishes, what it makes of bad readings and of bad parameters."""

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
import numpy as np
import pytest
from rclpy.node import Node
from sensor_msgs.msg import Imu, JointState

from mb_estimators import make_filter
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_interfaces.srv import EnableSensor
from mb_model import load_mechanism
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import joint_state, state_arrays

START, STEP = 1_000_000_000, 5_000_000


class Bench(Node):
    """The estimator's surroundings: its sensors and its readers."""

    def __init__(self):
        super().__init__('bench')
        self.states, self.statuses, self.joints, self.health = [], [], [], []
        self.encoder = self.create_publisher(JointState, 'crank_encoder', STREAM_QOS)
        self.gyro = self.create_publisher(Imu, 'coupler_gyro', STREAM_QOS)
        for message_type, topic, received in (
                (MechanismState, '/estimator/state', self.states),
                (EstimatorStatus, '/estimator/status', self.statuses),
                (JointState, '/estimator/joint_states', self.joints),
                (DiagnosticArray, '/diagnostics', self.health)):
            self.create_subscription(message_type, topic, received.append, STREAM_QOS
                                     if topic != '/diagnostics' else 10)

    def send_angle(self, when, angle, name='crank_encoder'):
        self.encoder.publish(joint_state(when, [name], [angle]))

    def send_rate(self, when, rate):
        message = Imu()
        message.header.stamp = stamp(when)
        message.angular_velocity.z = rate
        self.gyro.publish(message)


def wait_for_readers(node, bench):
    """Wait until the node knows who listens, without whom it publishes its state alone."""
    spin_until(bench, lambda: all(
        node._publishers_of_steps[topic].get_subscription_count()
        for topic in ('status', 'joint_states')))


@pytest.fixture
def bench(request):
    """An estimator of a crank encoder and a coupler gyroscope, on a bench.

    parameter: its name, and settings behind spaces.
    """
    estimator, *settings = getattr(request, 'param', 'error_ekf').split()
    parameters = ['sensors:=[crank_encoder, coupler_gyro]', 'start_time:=1.0',
                  f'estimator:={estimator}', *settings]
    with on_bench(EstimatorNode, Bench, parameters) as (node, bench):
        wait_for_readers(node, bench)
        bench.node = node
        yield bench


def test_an_estimate_for_every_instant(bench):
    for k in range(5):
        bench.send_angle(START + k * STEP, 1.05)
        bench.send_rate(START + k * STEP, 0.01)
    spin_until(bench, lambda: len(bench.states) == len(bench.statuses) == len(bench.joints) == 5)
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter('error_ekf', mechanism, ['crank_encoder', 'coupler_gyro'], 0.005)
    for k in range(5):
        if k:
            filter_.predict(0.005)
        fit = filter_.correct(np.array([1.05, 0.01]))
    last, status, joints = bench.states[-1], bench.statuses[-1], bench.joints[-1]
    assert nanoseconds(last.header.stamp) == START + 4 * STEP
    assert (last.mechanism, tuple(last.coordinates)) == ('four_bar', mechanism.coordinates)
    arrays = state_arrays(last)
    for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance'):
        np.testing.assert_array_equal(arrays[name], getattr(filter_.estimate, name))
    np.testing.assert_array_equal(status.innovation, fit.residual)
    np.testing.assert_array_equal(np.reshape(status.innovation_covariance, (2, 2)), fit.covariance)
    assert status.nis == fit.nis
    assert list(status.channels) == ['crank_encoder', 'coupler_gyro']
    assert [c.sensor for c in status.consistency] == ['crank_encoder', 'coupler_gyro']
    assert status.consistency[0].nis == pytest.approx(fit.residual[0] ** 2 / fit.covariance[0, 0])
    assert all(c.consistent and not c.verdict for c in status.consistency)
    assert status.readings_used == 10
    assert np.isnan(status.force_probability)
    assert not len(status.hypotheses) + len(status.hypothesis_probabilities)
    assert 0.0 < status.step_time < 1.0
    assert tuple(joints.name) == mechanism.coordinates
    np.testing.assert_array_equal(joints.position, arrays['q'])


def last_status(bench):
    """Return the EstimatorStatus of the fifth of five instants."""
    for k in range(5):
        bench.send_angle(START + k * STEP, 1.05)
        bench.send_rate(START + k * STEP, 0.01)
    spin_until(bench, lambda: len(bench.statuses) == 5)
    return bench.statuses[-1]


def test_diagnostics_name_the_sensor_that_estimates_wait_for(bench):
    """The gyroscope comes 0.2 s after the encoder."""
    figures = {}

    def waited_for_one():
        for array in bench.health:
            figures.update((value.key, value.value) for value in array.status[0].values)
        return 'estimates wait longest for' in figures

    for k in range(3):
        bench.send_angle(START + k * STEP, 1.05)
    stream = bench.node._setup.stream
    spin_until(bench, lambda: stream.state.newest == START + 2 * STEP)
    end = time.monotonic() + 0.2
    spin_until(bench, lambda: time.monotonic() > end)
    for k in range(3):
        bench.send_rate(START + k * STEP, 0.01)
    spin_until(bench, waited_for_one)
    assert figures['estimates wait longest for'] == 'coupler_gyro'
    assert 200.0 <= float(figures['waited for coupler_gyro median [ms]']) < 20e3
    late = [float(figures[f'{name} behind stamp worst [ms]'])
            for name in ('crank_encoder', 'coupler_gyro')]
    assert late[1] - late[0] >= 200.0


@pytest.mark.parametrize(('bench', 'names'), [
    ('branch_filter', ['P2.x 8.412, P2.y 4.741', 'P2.x 6.766, P2.y -3.813']),
    ('interacting_models filter.modes:=[0.0,0.5]', ['gravity.y -9.81', 'gravity.y -14.71'])],
    indirect=['bench'])
def test_the_status_says_how_likely_hypotheses_are(bench, names):
    status = last_status(bench)
    assert list(status.hypotheses) == names
    chances = dict(zip(names, status.hypothesis_probabilities, strict=True))
    assert sum(chances.values()) == pytest.approx(1.0)
    assert 0.0 < min(chances.values()) < max(chances.values())
    bench.health.clear()
    spin_until(bench, lambda: bench.health)
    values = {value.key: value.value for value in bench.health[-1].status[0].values}
    for name, chance in chances.items():
        assert values[f'probability of {name}'] == f'{chance:.3g}'


@pytest.mark.parametrize('bench', ['error_ekf_fe filter.force_sources:=[theta]'], indirect=True)
def test_the_status_says_whether_sources_explain_the_forces(bench):
    """One source on the one degree of freedom explains every force."""
    assert last_status(bench).force_probability == 1.0



def test_a_reader_that_was_lost_gets_what_was_published_meanwhile():
    """As after a standstill of more than ten seconds."""
    with on_bench(EstimatorNode, Bench, ['sensors:=[crank_encoder]']) as (node, bench):
        wait_for_readers(node, bench)
        publishers = node._publishers_of_steps
        bench.send_angle(START, 1.05)
        spin_until(bench, lambda: len(bench.statuses) == 1)
        for reader in list(bench.subscriptions):
            if reader.topic_name in ('/estimator/status', '/estimator/joint_states'):
                bench.destroy_subscription(reader)
        spin_until(bench, lambda: not publishers['status'].get_subscription_count())
        for k in range(1, 5):
            bench.send_angle(START + k * STEP, 1.05)
        spin_until(bench, lambda: len(bench.states) == 5)
        bench.statuses.clear()
        bench.create_subscription(
            EstimatorStatus, '/estimator/status', bench.statuses.append, STREAM_QOS)
        spin_until(bench, lambda: len(bench.statuses) == 5)


def test_a_late_reading_corrects_its_instant_and_the_newest():
    """The gyroscope lags by three instants; its readings are judged, none is lost."""
    parameters = ['sensors:=[crank_encoder, coupler_gyro]', 'start_time:=1.0',
                  'reorder_window:=0.0', 'history_length:=0.1', 'late_estimates:=both']
    with on_bench(EstimatorNode, Bench, parameters) as (node, bench):
        wait_for_readers(node, bench)
        for k in range(8):
            bench.send_angle(START + k * STEP, 1.05)
            spin_until(bench, lambda k=k: len(bench.states) == k + 1)
        for k in range(5):
            bench.send_rate(START + k * STEP, 0.01)
        spin_until(bench, lambda: len(bench.states) == len(bench.statuses) == 18)
    stamps = [(nanoseconds(state.header.stamp) - START) // STEP for state in bench.states]
    assert stamps == [*range(8), 0, 7, 1, 7, 2, 7, 3, 7, 4, 7]
    last = bench.statuses[-1]
    assert (last.readings_used, last.readings_late) == (13, 0)
    assert [c.sensor for c in last.consistency if np.isfinite(c.nis)] == ['crank_encoder',
                                                                          'coupler_gyro']
    filter_ = make_filter('error_ekf', 'four_bar', ['crank_encoder', 'coupler_gyro'], 0.005)
    for k in range(8):
        if k:
            filter_.predict(0.005)
        filter_.correct(np.array([1.05, 0.01 if k < 5 else np.nan]))
    for name in ('z', 'zd', 'covariance'):
        np.testing.assert_array_equal(state_arrays(bench.states[-1])[name],
                                      getattr(filter_.estimate, name))


def test_inconsistent_sensor_is_reported_in_words(bench):
    """An encoder whose readings jump by 3 degrees, three of its deviations, to and fro."""
    for k in range(202):
        bench.send_angle(START + k * STEP, 1.047 + 0.05 * (-1) ** k)
        bench.send_rate(START + k * STEP, 0.0)
    spin_until(bench, lambda: len(bench.statuses) == 202)
    encoder = bench.statuses[-1].consistency[0]
    assert encoder.count == 199         # judged after 99 more at the latest
    assert encoder.mean_nis > encoder.mean_nis_bound
    assert encoder.lasting < encoder.lasting_bound
    assert not encoder.consistent
    assert encoder.verdict.startswith('crank_encoder: innovations are ')
    assert encoder.verdict.endswith('as if the sensor were noisier than declared')
    bench.health.clear()
    spin_until(bench, lambda: bench.health)
    values = {value.key: value.value for value in bench.health[-1].status[0].values}
    assert encoder.verdict in values['consistency']


def test_an_estimate_that_cannot_be_right_is_lost(bench):
    """Both sensors jump to and fro by what no four-bar linkage can do."""
    for k in range(202):
        bench.send_angle(START + k * STEP, 1.047 + 0.4 * (-1) ** k)
        bench.send_rate(START + k * STEP, 0.02 * (-1) ** k)
    spin_until(bench, lambda: len(bench.statuses) == 202)
    assert not bench.statuses[0].lost
    assert 'crank_encoder' in bench.statuses[-1].lost
    bench.health.clear()
    spin_until(bench, lambda: bench.health)
    status = bench.health[-1].status[0]
    assert status.level == DiagnosticStatus.ERROR
    assert status.message.startswith('lost: many readings of crank_encoder')


def test_what_readings_do_not_determine_is_warned_of():
    parameters = ['sensors:=[coupler_gyro]', 'start_time:=1.0', 'estimator:=error_ekf_fe']
    with on_bench(EstimatorNode, Bench, parameters) as (node, bench):
        wait_for_readers(node, bench)
        send = iter(range(100000))

        def warned():
            bench.send_rate(START + next(send) * STEP, 0.0)
            return any('not determined by coupler_gyro' in one.status[0].message
                       and one.status[0].level == DiagnosticStatus.WARN for one in bench.health)
        spin_until(bench, warned)
        assert list(bench.statuses[-1].undetermined) == ['theta']


@pytest.mark.parametrize('bench', ['error_ekf_fe'], indirect=True)
def test_what_is_not_determined_follows_the_sensors_that_are_on(bench):
    client = bench.create_client(EnableSensor, '/estimator/enable_sensor')
    spin_until(bench, client.service_is_ready)
    for k, (sensor, on, unknown) in enumerate((
            ('coupler_gyro', True, []), ('crank_encoder', False, ['theta']),
            ('crank_encoder', True, []))):
        answer = client.call_async(EnableSensor.Request(sensor=sensor, enabled=on))
        spin_until(bench, answer.done)
        assert answer.result().success
        if not unknown:
            bench.send_angle(START + k * STEP, 1.06)
        bench.send_rate(START + k * STEP, 0.01)
        spin_until(bench, lambda count=k + 1: len(bench.statuses) == count)
        assert list(bench.statuses[-1].undetermined) == unknown
        if unknown:
            spin_until(bench, lambda: any(
                (value.key, value.value) == ('not determined', 'theta')
                for one in bench.health for value in one.status[0].values))


@pytest.mark.parametrize('bench', ['error_ekf_fe'], indirect=True)
def test_forces_are_published_where_they_are_estimated(bench):
    bench.send_angle(START, 1.06)
    bench.send_rate(START, 0.01)
    spin_until(bench, lambda: len(bench.states) == 1)
    filter_ = make_filter('error_ekf_fe', 'four_bar', ['crank_encoder', 'coupler_gyro'], 0.005)
    filter_.correct(np.array([1.06, 0.01]))
    arrays = state_arrays(bench.states[0])
    np.testing.assert_array_equal(arrays['generalized_force'], filter_.estimate.forces)
    np.testing.assert_array_equal(arrays['covariance'], filter_.estimate.covariance)
    assert arrays['covariance'].shape == (3, 3)


@pytest.mark.parametrize('bench', ['augmented_ekf', 'dual_ukf_error_ekf_fe'], indirect=True)
def test_parameters_are_published_where_they_are_estimated(bench):
    for k in range(2):
        bench.send_angle(START + k * STEP, 1.2)
        bench.send_rate(START + k * STEP, 0.5)
    spin_until(bench, lambda: len(bench.statuses) == 2)
    name = bench.statuses[0].estimator
    filter_ = make_filter(name, 'four_bar', ['crank_encoder', 'coupler_gyro'], 0.005)
    filter_.correct([1.2, 0.5])
    filter_.predict(0.005)
    filter_.correct([1.2, 0.5])
    estimate, (found,) = filter_.estimate, bench.statuses[-1].parameters
    assert (found.name, found.value) == ('gravity.y', estimate.parameters['gravity.y'])
    assert found.standard_deviation == estimate.parameter_deviations['gravity.y']
    assert found.value != -9.81
    bench.health.clear()
    spin_until(bench, lambda: bench.health)
    values = {value.key: value.value for value in bench.health[-1].status[0].values}
    assert values['gravity.y'] == f'{found.value:.6g} +- {found.standard_deviation:.2g}'


def test_it_survives_bad_readings_and_counts_them(bench):
    bench.send_rate(START, 0.0)
    bench.send_angle(START, 1.05)
    bench.send_angle(START + STEP, float('nan'))
    bench.send_angle(START - 10 * STEP, 1.05)                  # goes backwards
    bench.send_angle(START, 1.05)                              # stands still
    bench.send_angle(START + STEP, 1.05, name='left_knee')     # of a stranger
    bench.send_angle(10 ** 9 * START, 1.05)                    # in the far future
    bench.encoder.publish(JointState())                        # empty
    bench.send_rate(START + STEP, float('inf'))
    bench.send_angle(START + STEP, 1.05)
    bench.send_rate(START + STEP, 0.0)
    spin_until(bench, lambda: len(bench.statuses) == 2)
    status = bench.statuses[-1]
    assert status.readings_used == 4
    assert status.readings_rejected == 7
    assert np.isfinite(bench.states[-1].q).all()
    spin_until(bench, lambda: any('left out' in array.status[0].message for array in bench.health))


@pytest.mark.parametrize(('parameters', 'text'), [
    (['sensors:=[crank_encoder]', 'estimator:=error_ekv'],
     'error_ekv: unknown filter, expected one of adaptive_error_ekf_fe, adekf, augmented_ekf,'),
    (['sensors:=[crank_encodr]'], 'crank_encodr: unknown sensor of four_bar, expected one of'),
    ([], 'sensors: missing, expected some of crank_encoder'),
    (['sensors:=[crank_encoder]', 'mechanism:=five_bra'], 'five_bra'),
    (['sensors:=[crank_encoder]', 'dt:=-0.1'], 'dt: '),
    (['sensors:=[crank_encoder]', 'filter.acceleration_psd:=-1.0'], 'filter.acceleration_psd: '),
    (['sensors:=[crank_encoder]', 'filter.initial_variance:=0.0'],
     'filter.initial_variance: must be > 0'),
    (['sensors:=[crank_encoder]', 'estimator:=augmented_ekf',
      'filter.parameters:=[bodies.crank.colour]'], 'bodies.crank.colour: is no parameter'),
    (['sensors:=[crank_encoder]', 'known_forces:=a b'], "known_forces: 'a b': no name of a topic"),
])
def test_bad_parameters_end_it_with_two_and_a_word(parameters, text, capfd):
    assert text in complaint_of(EstimatorNode, parameters, capfd)
