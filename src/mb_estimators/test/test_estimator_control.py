"""The estimator node is controlled while it runs: by services, parameters, and the clock."""

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
import pytest
from rcl_interfaces.msg import Log
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from mb_estimators import make_filter, three_simulation
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_interfaces.srv import EnableSensor, SetState
from mb_model import load_mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamp_jump_guard import CONFIRMED
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import joint_state, state_arrays

START, STEP = 1_000_000_000, 5_000_000
ENCODER = 'crank_encoder'
ANGLES = three_simulation(load_mechanism('four_bar'), 'error_ekf', [ENCODER], {'gravity': -1.0},
                          0.5, 0.005, 1).readings[:, 0].tolist()


class Bench(Node):
    """The estimator's sensor, its reader, its user and its clock."""

    def __init__(self):
        super().__init__('bench')
        self.states, self.predicted, self.statuses = [], [], []
        self.encoder = self.create_publisher(JointState, ENCODER, STREAM_QOS)
        self.clock = self.create_publisher(Clock, '/clock', 10)
        for message_type, topic, received in (
                (MechanismState, 'state', self.states), (EstimatorStatus, 'status', self.statuses),
                (MechanismState, 'predicted', self.predicted)):
            self.create_subscription(
                message_type, f'/estimator/{topic}', received.append, STREAM_QOS)

    def send(self, *places):
        """Send readings of places in ANGLES; wait until there is an estimate of the last one."""
        for k in places:
            self.encoder.publish(joint_state(START + k * STEP, [ENCODER], [ANGLES[k]]))
        spin_until(self, lambda: self.states and nanoseconds(
            self.states[-1].header.stamp) == START + places[-1] * STEP)

    def ask(self, service_type, service, **request):
        client = self.create_client(service_type, f'/estimator/{service}')
        spin_until(self, client.service_is_ready)
        answer = client.call_async(service_type.Request(**request))
        spin_until(self, answer.done)
        self.destroy_client(client)
        return answer.result()

    def set(self, **values):
        """Set parameters, '__' for '.'; return whether they were taken, and the reason if not."""
        result = self.ask(SetParametersAtomically, 'set_parameters_atomically', parameters=[
            Parameter(name.replace('__', '.'), value=value).to_parameter_msg()
            for name, value in values.items()]).result
        return result.successful, result.reason

    def step_clock(self, begin, count):
        """Publish times in turn, a nanosecond apart, each when the one before is there."""
        for now in range(begin, begin + count):
            self.set_time(now)
            spin_until(self, lambda now=now: self.node.get_clock().now().nanoseconds == now)

    def set_time(self, now):
        self.clock.publish(Clock(clock=stamp(now)))


@pytest.fixture
def bench(request):
    """An estimator of a crank encoder on a bench; parameter: more of its parameters."""
    parameters = [f'sensors:=[{ENCODER}]', *getattr(request, 'param', ())]
    with on_bench(EstimatorNode, Bench, parameters) as (node, bench):
        bench.node = node
        spin_until(bench, lambda: all(
            publisher.get_subscription_count() for publisher in (
                node._publishers_of_steps['status'], node._publishers_of_steps['state'])))
        yield bench


def assert_equal_states(message, estimate):
    for name in ('z', 'zd', 'zdd', 'covariance'):
        np.testing.assert_array_equal(state_arrays(message)[name], getattr(estimate, name))


def followed(count, every=1):
    """Return a filter that has taken in so many of ANGLES, every so many steps."""
    filter_ = make_filter('error_ekf', 'four_bar', [ENCODER], 0.005)
    for k in range(count):
        for _ in range(every if k else 0):
            filter_.predict(0.005)
        filter_.correct([ANGLES[every * k]])
    return filter_


def test_a_state_is_set_and_wrong_ones_are_refused_in_words(bench):
    bench.send(*range(5))
    for request, text in (
            ({'z': [1.0, 2.0]}, 'z: 2 values, expected 1'),
            ({'z': [1.0], 'covariance': [1.0] * 3}, '3 numbers make no square matrix'),
            ({'z': [1.0], 'covariance': [-1.0]}, r'covariance: shape (1, 1) must be (2, 2)'),
            ({'z': [1.0], 'stamp': Time(sec=500)}, 'implausibly far ahead')):
        answer = bench.ask(SetState, 'set_state', **request)
        assert (answer.success, text in answer.message) == (False, True), answer.message
    assert bench.ask(SetState, 'set_state', z=[1.3], covariance=[.01, 0.0, 0.0, .02]).success
    bench.send(5, 6)
    filter_ = make_filter('error_ekf', 'four_bar', [ENCODER], 0.005)
    filter_.reset([1.3], [0.0], np.diag([.01, .02]))
    filter_.correct([ANGLES[5]])
    filter_.predict(0.005)
    filter_.correct([ANGLES[6]])
    assert_equal_states(bench.states[-1], filter_.estimate)


@pytest.mark.parametrize('bench', [['reorder_window:=0.1', f'{ENCODER}.gate:=reject']],
                         indirect=True)
def test_a_sensor_is_switched_off_and_on(bench):
    bench.send(0, 1)
    assert 'unknown sensor' in bench.ask(EnableSensor, 'enable_sensor', sensor='knee').message
    assert bench.ask(EnableSensor, 'enable_sensor', sensor=ENCODER, enabled=False).success
    for k in range(2, 5):
        bench.encoder.publish(joint_state(START + k * STEP, [ENCODER], [ANGLES[k]]))
    spin_until(bench, lambda: bench.node._setup.stream.state.counts.ignored == 3)
    values = bench.node.health().values
    assert values['sensors switched off'] == ENCODER
    assert values[f'{ENCODER} gated'] == 0
    assert bench.ask(EnableSensor, 'enable_sensor', sensor=ENCODER, enabled=True).success
    bench.send(5)
    assert len(bench.states) == 3


def test_readings_that_come_less_often_than_declared_are_named_once(bench):
    angles = three_simulation(load_mechanism('four_bar'), 'error_ekf', [ENCODER], {}, 4.0, 0.005,
                              1).readings[::5, 0].tolist()
    said, looks = [], []
    bench.create_subscription(Log, '/rosout', said.append, 100)
    bench.create_subscription(DiagnosticArray, '/diagnostics', looks.append, 100)
    spin_until(bench, lambda: looks)
    for k, angle in enumerate(angles):
        bench.encoder.publish(joint_state(START + 5 * k * STEP, [ENCODER], [angle]))
    spin_until(bench, lambda: bench.node._setup.stream.state.counts.used == len(angles))
    words = f'{ENCODER}: 40 of 200 readings a second come: readings are lost on the way'
    spin_until(bench, lambda: any(
        one.message.startswith(words) for look in looks for one in look.status))
    spin_until(bench, lambda: any(one.msg.startswith(words) for one in said))
    for _ in range(2):
        bench.node.health()
    before = len(looks)
    spin_until(bench, lambda: len(looks) > before)
    assert sum(one.msg.startswith(words) for one in said) == 1


def test_it_is_tuned_while_it_runs(bench):
    """From the next instant on it does what the library does with the same settings."""
    assert not bench.set(dt=0.001)[0]
    assert 'cannot change while' in bench.set(estimator='ukf')[1]
    bench.send(*range(5))
    assert bench.set(filter__acceleration_psd=2.0, crank_encoder__sigma=0.02, nis_bound=50.0,
                     crank_encoder__gate='reject', crank_encoder__gate_probability=0.999999) == (
                         True, '')
    bench.send(*range(5, 10))
    filter_ = make_filter('error_ekf', 'four_bar', [ENCODER], 0.005)
    for k in range(10):
        if k == 5:      # what these settings are to the kernels
            filter_._filter['acceleration_psd'][0] = 2.0
            filter_._filter['sensor_variance'][0] = 0.02 ** 2
        if k:
            filter_.predict(0.005)
        filter_.correct([ANGLES[k]])
    assert_equal_states(bench.states[-1], filter_.estimate)
    setup = bench.node._setup
    assert (setup.tuning.acceleration_psd, setup.stream_settings.nis_bound) == (2.0, 50.0)
    assert setup.stream.state.incredible[ENCODER] == 0
    bench.encoder.publish(joint_state(START + 10 * STEP, [ENCODER], [ANGLES[10] + 1.0]))
    spin_until(bench, lambda: setup.stream.state.incredible[ENCODER] == 1)


def test_how_often_it_wakes_is_changed_while_it_runs(bench):
    """Estimates are a function of stamps, so they stay as they are; the executor asks the node."""
    bench.send(*range(5))
    assert bench.node.wake_interval == 0.0
    assert bench.set(wake_interval=0.01) == (True, '')
    assert bench.node.wake_interval == 0.01
    bench.send(*range(5, 10))
    assert_equal_states(bench.states[-1], followed(10).estimate)
    taken, reason = bench.set(wake_interval=2.0)
    assert not taken
    assert 'wake_interval' in reason
    assert bench.node.wake_interval == 0.01


def test_a_killed_node_goes_on_from_its_checkpoint(tmp_path):
    """One that ends in order leaves none; readings that it has used may come again."""
    path, kept = tmp_path / 'state.npz', tmp_path / 'kept.npz'
    parameters = [f'sensors:=[{ENCODER}]', 'checkpoint_period:=0.02']
    with on_bench(EstimatorNode, Bench, [*parameters, f'checkpoint:={path}']) as (_, bench):
        bench.send(*range(8))
        kept.write_bytes(path.read_bytes())
    assert not path.exists()
    with on_bench(EstimatorNode, Bench, [*parameters, f'checkpoint:={kept}']) as (node, bench):
        bench.send(*range(3, 12))
        counts = node._setup.stream.state.counts
    assert_equal_states(bench.states[-1], followed(12).estimate)
    assert (counts.used, counts.rejected, counts.late) == (12, 0, 0)


@pytest.mark.parametrize('bench', [[
    'use_sim_time:=true', 'prediction_rate:=100.0', 'sensor_timeout:=0.5', 'publish_rate:=100.0']],
    indirect=True)
def test_the_present_is_predicted_and_a_clock_that_goes_back_begins_anew(bench):
    now = START + 8 * STEP + 12_345_678
    bench.set_time(now)
    bench.send(*range(0, 10, 2))
    first = [bytes(np.array(state.covariance)) for state in bench.states]
    later = now + 20_000_000
    spin_until(bench, lambda: bench.set_time(later) or any(
        nanoseconds(state.header.stamp) == later for state in bench.predicted))
    present = bench.predicted[-1]
    filter_ = followed(5, every=2)
    assert_equal_states(bench.states[-1], filter_.estimate)
    for _ in range(7):
        filter_.predict(0.032345678 / 7)
    np.testing.assert_allclose(present.z, filter_.estimate.z, rtol=1e-12)
    received = len(bench.predicted)
    bench.set_time(later + 600_000_000)      # longer than sensor_timeout
    bench.step_clock(START, CONFIRMED)
    assert bench.node.believed_time() == START + CONFIRMED - 1
    bench.states.clear()
    bench.send(*range(0, 10, 2))
    assert [bytes(np.array(state.covariance)) for state in bench.states] == first
    assert all(nanoseconds(state.header.stamp) <= later for state in bench.predicted[received:])


@pytest.mark.parametrize('bench', [['use_sim_time:=true']], indirect=True)
@pytest.mark.parametrize('strays', [
    [1], [START // 2] * 3, [2**31 * START - START], [START // 4 + k for k in range(CONFIRMED - 1)]])
def test_a_clock_that_steps_for_less_than_ten_messages_changes_nothing(bench, strays):
    """From any publisher: back, ahead to 2038, again and again."""
    bench.send(0)
    begin = START + STEP
    bench.step_clock(begin, 3)
    before = bench.node.believed_time()
    for stray in strays:
        bench.step_clock(stray, 1)
        assert bench.node.believed_time() == before
    bench.send(1, 2)
    bench.step_clock(begin + 3, 1)
    assert bench.node.believed_time() == begin + 3
    bench.send(3, 4)
    assert_equal_states(bench.states[-1], followed(5).estimate)
