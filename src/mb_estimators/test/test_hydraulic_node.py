"""The estimator node with oil: commands of valves in, pressures and their uncertainty out."""

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
import pytest
from rclpy.node import Node
from sensor_msgs.msg import FluidPressure, JointState

from mb_estimators import make_filter
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import HydraulicState, MechanismState, ValveCommand
from mb_model import load_mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import joint_state

NAME, SENSORS = 'hydraulic_kinematic_ekf', ['cylinder_encoder', 'pressure1', 'pressure2']
START, STEP = 1_000_000_000, 10_000_000


class Bench(Node):
    """The estimator's surroundings: sensors, valves and readers."""

    def __init__(self):
        super().__init__('bench')
        self.states, self.oil, self.health = [], [], []
        self.encoder = self.create_publisher(JointState, SENSORS[0], STREAM_QOS)
        self.pressures = [self.create_publisher(FluidPressure, name, STREAM_QOS)
                          for name in SENSORS[1:]]
        self.valves = self.create_publisher(ValveCommand, 'valve_command', STREAM_QOS)
        self.create_subscription(MechanismState, '/estimator/state', self.states.append, STREAM_QOS)
        self.create_subscription(
            HydraulicState, '/estimator/hydraulics', self.oil.append, STREAM_QOS)
        self.create_subscription(DiagnosticArray, '/diagnostics', self.health.append, 10)

    def send(self, when, reading):
        self.encoder.publish(joint_state(when, [SENSORS[0]], [reading[0]]))
        for publisher, value in zip(self.pressures, reading[1:], strict=True):
            message = FluidPressure(fluid_pressure=float(value))
            message.header.stamp = stamp(when)
            publisher.publish(message)

    def command(self, when, **commands):
        message = ValveCommand(valve=list(commands), command=list(commands.values()))
        message.header.stamp = stamp(when)
        self.valves.publish(message)


@pytest.fixture
def bench(request):
    """An estimator of the crane on a bench; parameter: further parameters of the node."""
    parameters = ['mechanism:=crane', f'estimator:={NAME}', f'sensors:=[{", ".join(SENSORS)}]',
                  'dt:=0.001', *getattr(request, 'param', ())]
    with on_bench(EstimatorNode, Bench, parameters) as (node, bench):
        spin_until(bench, lambda: node.count_publishers('valve_command')
                   and bench.count_publishers('/estimator/hydraulics'))
        yield bench


def health_of(bench, text):
    """Wait for a diagnosis of the estimator with a text in it."""
    spin_until(bench, lambda: any(text in status.message for array in bench.health
                                  for status in array.status))


@pytest.mark.parametrize('bench', [['input_rate:=100.0']], indirect=True)
def test_the_oil_is_published_as_the_filter_has_it(bench):
    """Commands of strangers and impossible ones are reported and left out."""
    reading = [0.85, 4.0e6, 3.0e6]
    for k in range(5):
        bench.send(START + k * STEP, reading)
        bench.command(START + k * STEP, directional=2.0)
        bench.command(START + k * STEP, left=0.5)
        bench.command(START + k * STEP, directional=0.5)
    spin_until(bench, lambda: len(bench.oil) == len(bench.states) == 5)
    filter_ = make_filter(NAME, 'crane', SENSORS, 1e-3)
    for k in range(5):
        for _ in range(10 * (k > 0)):
            filter_.predict(1e-3, [0.5])
        filter_.correct(reading)
    message, oil = bench.oil[-1], filter_.estimate.hydraulics
    assert nanoseconds(message.header.stamp) == START + 4 * STEP
    assert (list(message.volume), list(message.valve)) == (['v1', 'v2'], ['directional'])
    for found, expected in ((message.pressure, oil.pressures), (message.spool, oil.spools),
                            (message.force, oil.forces),
                            (message.covariance, oil.covariance.ravel())):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(bench.states[-1].zd, filter_.estimate.zd)
    assert message.distrust == ''
    health_of(bench, 'estimating')


@pytest.mark.parametrize('bench', [['publish_rate:=20.0', 'stuck_after:=5']], indirect=True)
def test_a_sensor_that_sticks_is_reported_at_the_rate_that_is_asked_for(bench):
    """The oil says that the cylinder moves, the encoder repeats itself."""
    circuit = load_mechanism('crane').circuit
    bench.command(START, directional=0.6)
    random = np.random.default_rng(1)
    for k in range(61):
        bench.send(START + k * STEP, [0.85, *(circuit.p0 + 2e4 * random.normal(size=2))])
    spin_until(bench, lambda: len(bench.oil) == len(bench.states) == 13)
    assert [nanoseconds(m.header.stamp) - START for m in bench.oil] == [
        5 * k * STEP for k in range(13)]
    assert 'cylinder_encoder sticks' in bench.oil[-1].distrust
    health_of(bench, 'cylinder_encoder sticks')
