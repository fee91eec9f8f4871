"""A prototype that waits for the player of its commands: the cycle alone makes the truth."""

import sys
import time

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from mb_interfaces.msg import KnownCommands, MechanismState, ValveCommand
from mb_model import WorkCycle, load_mechanism
from mb_ros.diagnostics import OK, WARN
from mb_ros.qos import LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import stamp
from mb_simulation.nodes import followers
from mb_simulation.nodes.prototype import PrototypeNode
from mb_simulation.nodes.work_cycle import WorkCycleNode
from mb_simulation.prototypes import make_prototype

CYCLE = ('t,directional,load\n0,0,50\n0.2,0.3,50\n0.35,0.1,50\n0.7,0.5,50\n0.8,-0.4,80\n'
         '0.95,0.2,50\n1.1,0.0,50\n')
RATE, DURATION, LEAD = 100, 1.2, 0.1
START = 1_000_000_000       # stamp of the first state [ns]
STALLED = (0.3, 0.75)       # times at which the player stands still for a while [s]


@pytest.fixture
def cycle(tmp_path):
    """Return the path of a work cycle of the crane."""
    path = tmp_path / 'cycle.csv'
    path.write_text(CYCLE)
    return path


@pytest.fixture
def ros():
    """Set up ROS."""
    rclpy.init(args=[sys.argv[0]])
    yield
    rclpy.try_shutdown()


@pytest.fixture
def run(ros):
    """Return a Run, whose nodes are gone after the test however it ends."""
    made = Run()
    yield made
    made.end()


class Run:
    """A prototype of the crane that waits for a player, and a node that listens."""

    def __init__(self):
        """Begin to listen."""
        self.prototype = PrototypeNode(parameter_overrides=parameters(
            mechanism='crane', publish_rate=float(RATE), duration=DURATION,
            real_time_factor=2.0, wait_for_player=True))
        self.other, self.states = rclpy.create_node('other'), []
        self.other.create_subscription(
            MechanismState, 'prototype/state', self.states.append, STREAM_QOS)
        self._executors = {}

    @property
    def time(self):
        """Of the newest state that was published, from the start [s]; before the first one < 0."""
        return self.prototype._published / RATE

    @property
    def is_done(self):
        """Whether the last state has come."""
        return len(self.states) == round(RATE * DURATION) + 1

    def spin(self, *nodes, until=lambda: False, seconds=20.0):
        """Let this and other nodes work until something holds, or for so long [s]."""
        deadline = time.monotonic() + seconds
        nodes = self.prototype, self.other, *nodes
        while not until() and time.monotonic() < deadline:
            for node in nodes:
                if node not in self._executors:
                    self._executors[node] = SingleThreadedExecutor()
                    self._executors[node].add_node(node)
                self._executors[node].spin_once(timeout_sec=0.001)

    def end(self):
        """Destroy all nodes."""
        for executor in self._executors.values():
            executor.shutdown()
        for node in {self.prototype, self.other, *self._executors}:
            node.destroy_node()


def parameters(**values):
    """Return overrides of a node's parameters."""
    return [Parameter(name, value=value) for name, value in values.items()]


def player(cycle):
    """Return a node that plays a work cycle, hardly ahead of time."""
    return WorkCycleNode(parameter_overrides=parameters(
        use_sim_time=True, mechanism='crane', cycle=str(cycle), lead=LEAD))


def truth(cycle):
    """Return the true q (k, n) of the cycle without any node."""
    mechanism = load_mechanism('crane')
    cycle = WorkCycle.load(cycle, mechanism)
    prototype, found = make_prototype('mujoco', mechanism, 1.0 / RATE, 1e-3), []

    def act(offset):
        prototype.set_valves(cycle.valves_at(1e-9 * offset))
        load = cycle.parameters_at(1e-9 * offset)['load']
        if load != prototype.parameters['load']:
            prototype.set_parameters({'load': load})

    for _ in range(round(RATE * DURATION) + 1):
        found.append(prototype.state.q.copy())
        prototype.advance(act)
    return np.array(found)


def test_a_player_that_stalls_does_not_change_the_truth(run, cycle):
    """It stands still for ten times its lead, twice; no command is late."""
    played = player(cycle)
    for stalled in STALLED:
        run.spin(played, until=lambda at=stalled: run.time >= at)
        run.spin(seconds=1.0)
        assert stalled <= run.time < stalled + 2.0 * LEAD
    run.spin(played, until=lambda: run.is_done)
    health, held = run.prototype._health(), run.prototype._commands.held
    np.testing.assert_array_equal([state.q for state in run.states], truth(cycle))
    assert (held.late, health.level, health.values['times without waiting']) == (0, OK, 0)


def test_a_player_that_never_comes_back_is_reported(run, cycle, monkeypatch, capfd):
    monkeypatch.setattr(followers, 'PATIENCE', 0.3)
    played = player(cycle)
    run.spin(played, until=lambda: run.time >= STALLED[0])
    run.spin(until=lambda: run.is_done)
    health = run.prototype._health()
    assert run.is_done
    assert health.level == WARN
    assert 'does not wait any more: no commands since 0.' in health.message
    assert 'another run with this seed may differ' in capfd.readouterr().err


def test_a_run_without_a_player_waits_and_says_so(run, capfd):
    run.spin(seconds=2.5)
    assert not run.states
    assert 'waiting for a player of commands (known_commands)' in capfd.readouterr().err


def test_time_waits_for_the_commands_that_are_known_and_not_come(run):
    """What is known may come before them; what makes no sense is left out."""
    known = run.other.create_publisher(KnownCommands, 'known_commands', LATCHED_QOS)
    valves = run.other.create_publisher(ValveCommand, 'valve_command', STREAM_QOS)
    run.spin(until=lambda: valves.get_subscription_count() == 1)
    for stamps in ([], [stamp(START + 500_000_000)]):
        message = KnownCommands(topic=['valve_command'], newest=stamps)
        message.header.stamp = stamp(START + 600_000_000)
        known.publish(message)
        run.spin(seconds=0.3)
    missing = run.prototype._player.missing
    for offset in (0, 500_000_000):
        assert not run.states
        command = ValveCommand(valve=['directional'], command=[0.1])
        command.header.stamp = stamp(START + offset)
        valves.publish(command)
        run.spin(seconds=0.3)
    run.spin(until=lambda: run.time > 0.59)
    run.spin(seconds=0.3)
    assert missing == 'commands that their player has published'
    assert run.time == pytest.approx(0.6)
