"""An estimator in the process of a driver, and one that takes its messages."""

from functools import partial

import pytest
from rclpy.node import Node
from rclpy.serialization import serialize_message

from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_model import load_mechanism, simulate
from mb_model.bags.messages import STATE_TYPE, message_types, tidied
from mb_ros.node_bench import arguments_of, spin_until, together_on_bench
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import mechanism_state
from mb_sensors.nodes.sensor_driver import SensorDriver

START, STEP = 1_000_000_000, 5_000_000
COUNT = 60
TYPES = message_types()
TRUTH = simulate(load_mechanism('four_bar'), STEP * 1e-9 * (COUNT - 1), STEP * 1e-9)
SENSORS = 'crank_encoder', 'coupler_gyro', 'wire'
MANY = """\
extends: four_bar
name: four_bar
sensors: {wire: {kind: distance, points: [A, P2], sigma: 0.01}}
"""


def exact(message):
    """Return all bits of a state."""
    return tidied(TYPES, serialize_message(message), STATE_TYPE)


class Bench(Node):
    """The prototype of both, and a subscriber to estimates."""

    def __init__(self):
        super().__init__('bench')
        self.truth = self.create_publisher(MechanismState, 'prototype/state', STREAM_QOS)
        self.states, self.statuses = ({name: [] for name in ('at_once', 'afar')} for _ in range(2))
        for name in self.states:
            for kind, topic, received in ((MechanismState, 'state', self.states[name]),
                                          (EstimatorStatus, 'status', self.statuses[name])):
                self.create_subscription(kind, f'{name}/{topic}', received.append, STREAM_QOS)

    def move(self):
        """Publish the truth of every instant."""
        for k in range(COUNT):
            self.truth.publish(mechanism_state(
                load_mechanism('four_bar'), START + k * STEP, z=TRUTH.z[k], q=TRUTH.q[k],
                qd=TRUTH.qd[k], qdd=TRUTH.qdd[k]))


def named(node, name, parameters):
    return partial(node, cli_args=[*arguments_of(parameters), '-r', f'__node:={name}'])


@pytest.mark.parametrize('parameters', [[], ['coupler_gyro.delay:=0.012']])
def test_both_estimate_alike(parameters, tmp_path):
    """Bit by bit, also of distances, whose messages are of single precision."""
    file = tmp_path / 'many.yaml'
    file.write_text(MANY)
    parameters = [f'mechanism:={file}', f'sensors:=[{", ".join(SENSORS)}]', *parameters]
    makers = [named(EstimatorNode, 'afar', parameters), named(SensorDriver, 'driver', parameters),
              named(EstimatorNode, 'at_once', parameters)]
    with together_on_bench(makers, Bench) as (nodes, bench):
        assert [len(list(node.subscriptions)) for node in nodes] == [3, 1, 0]
        bench.move()
        last = START + (COUNT - 1) * STEP
        for name in bench.states:
            spin_until(bench, lambda name=name: bench.states[name] and nanoseconds(
                bench.states[name][-1].header.stamp) == last and bench.statuses[name] and (
                    bench.statuses[name][-1].readings_used == 3 * COUNT))
        at_once, afar = ({nanoseconds(message.header.stamp): exact(message)
                          for message in bench.states[name]} for name in ('at_once', 'afar'))
        assert len(at_once) == COUNT
        assert at_once == afar
