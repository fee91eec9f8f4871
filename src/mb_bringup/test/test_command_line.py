"""Verbs of `ros2 param`, `node`, `service`, `topic` and `lifecycle` on all nodes: no traceback."""

from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib.metadata import entry_points
from io import BytesIO, TextIOWrapper
import os
import threading

from every_node import NODES
import pytest
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.parameter import Parameter
import yaml

from mb_ros.draining_executor import DrainingExecutor
from mb_ros.managed_node import ManagedNode
from mb_simulation.nodes.prototype import PrototypeNode

QUICK = 'estimator', 'markers'      # managed, and not; all others are slow together
each_node = pytest.mark.parametrize('name', [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.whole) for name in NODES])
ros2 = next(iter(entry_points(group='console_scripts', name='ros2'))).load()


@pytest.fixture(scope='module')
def running():
    """All nodes in one process, spun by a thread: full name -> node."""
    context = rclpy.Context()
    rclpy.init(context=context)
    executor, nodes = DrainingExecutor(context=context), {}
    for name, (kind, parameters) in NODES.items():
        if kind is PrototypeNode:       # two of them: none begins
            parameters = {**parameters, 'wait_for_nodes': ['/absent']}
        overrides = [Parameter(key, value=value) for key, value in parameters.items()]
        node = kind(context=context, parameter_overrides=overrides, namespace=f'/{name}')
        nodes[node.get_fully_qualified_name()] = node
        executor.add_node(node)
    thread = threading.Thread(target=spin, args=(executor,))
    thread.start()
    yield nodes
    executor.shutdown()
    thread.join()
    for node in nodes.values():
        node.destroy_node()
    rclpy.shutdown(context=context)


def spin(executor):
    """Spin until the executor is shut down."""
    with suppress(ExternalShutdownException):
        executor.spin()


@pytest.fixture
def command(running):
    """Return a function that gives (exit code, output, errors) of a `ros2` command.

    Not by capfd: what nodes log while it reads takes the place of as many bytes of the output.
    """
    def run(*words):
        output, errors = (TextIOWrapper(BytesIO(), 'utf-8') for _ in range(2))
        with redirect_stdout(output), redirect_stderr(errors):
            try:
                code = ros2(argv=list(words))
            except SystemExit as end:
                code = end.code
        printed, found = (one.seek(0) or one.read() for one in (output, errors))
        assert 'Traceback' not in found
        return code, printed, f'{found}{code if isinstance(code, str) else ""}'
    return run


def full_names():
    return [f'/{name}' for name in NODES]


@pytest.mark.whole
@each_node
def test_parameters_are_listed_described_dumped_and_loaded(name, command, running, tmp_path):
    full, node = next((key, one) for key, one in running.items() if key.startswith(f'/{name}/'))
    code, listed, _ = command('param', 'list', full)
    names = [line.strip() for line in listed.splitlines()]
    assert not code
    assert set(names) == set(node.list_parameters([], 0).names)
    code, described, _ = command('param', 'describe', full, *names)
    assert not code
    assert described.count('Parameter name: ') == len(names)
    code, dumped, _ = command('param', 'dump', full)
    assert not code
    values = yaml.safe_load(dumped)[full]['ros__parameters']
    assert set(flat(values)) == set(names)
    file = tmp_path / 'dumped.yaml'
    file.write_text(dumped)
    code, loaded, refused = command('param', 'load', full, str(file))
    assert not code
    assert loaded.count('Set parameter') + refused.count('Set parameter') == len(names)


def flat(values, prefix=''):
    """Yield the names of parameters in nested mappings."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flat(value, f'{prefix}{key}.')
        else:
            yield f'{prefix}{key}'


@pytest.mark.whole
@each_node
def test_nodes_and_their_services_are_shown(name, command, running):
    full, node = next((key, one) for key, one in running.items() if key.startswith(f'/{name}/'))
    code, printed, _ = command('node', 'info', full)
    assert not code
    assert f'{full}/get_parameters' in printed
    assert f'{full}/change_state' in printed or not isinstance(node, ManagedNode)
    code, printed, _ = command('lifecycle', 'get', full)
    assert bool(code) != isinstance(node, ManagedNode)
    assert ('active' in printed) == isinstance(node, ManagedNode)


def test_what_there_is_is_listed(command, running):
    for words in (['node', 'list'], ['service', 'list', '-t'], ['topic', 'list', '-t'],
                  ['param', 'list'], ['lifecycle', 'nodes'], ['lifecycle', 'get']):
        code, printed, _ = command(*words)
        assert not code
        for full, node in running.items():
            assert full in printed or not (words[0] != 'topic' and (
                words[0] != 'lifecycle' or isinstance(node, ManagedNode)))


@pytest.mark.parametrize(('words', 'printed'), [
    (['set', 'crank_encoder.gate', 'off'], 'Set parameter successful'),
    (['set', 'crank_encoder.gate', 'reject'], 'Set parameter successful'),
    (['set', 'crank_encoder.gate', 'true'], 'failed'),
    (['set', 'crank_encoder.gate', '[1, a]'], 'failed'),
    (['set', 'dt', '1.0e+300'], 'out of range'),
    (['set', 'nothing', '1'], 'failed'),
    (['set', 'reorder_window', 'much'], 'failed'),
    (['get', 'nothing'], 'Parameter not set'),
    (['describe', 'nothing'], 'Parameter not set'),
    (['delete', 'dt'], 'failed'),
    (['load', '/nowhere.yaml'], 'nowhere')])
def test_parameters_are_set_or_refused_in_words(words, printed, command):
    verb, *others = words
    _, output, errors = command('param', verb, '/estimator/estimator', *others)
    assert printed in output + errors


@pytest.mark.parametrize('words', [
    ['service', 'type', '/estimator/estimator/reset'], ['service', 'find', 'std_srvs/srv/Trigger'],
    ['service', 'info', '/estimator/estimator/reset'],
    ['service', 'call', '/estimator/estimator/reset', 'std_srvs/srv/Trigger'],
    ['topic', 'type', '/estimator/estimator/state'],
    ['topic', 'find', 'mb_interfaces/msg/MechanismState'],
    ['topic', 'info', '-v', '/estimator/estimator/state'],
    ['topic', 'echo', '--once', '/estimator/diagnostics'],
    ['lifecycle', 'list', '/estimator/estimator']])
def test_other_verbs(words, command):
    words = ['/diagnostics' if word == '/estimator/diagnostics' else word for word in words]
    code, printed, _ = command(*words)
    assert not code
    assert printed


def test_a_node_is_taken_through_its_states(command):
    for transition, state in (('deactivate', 'inactive'), ('cleanup', 'unconfigured'),
                              ('configure', 'inactive'), ('activate', 'active')):
        code, _, errors = command('lifecycle', 'set', '/estimator/estimator', transition)
        assert not code, errors
        assert state in command('lifecycle', 'get', '/estimator/estimator')[1]
        assert not command('param', 'dump', '/estimator/estimator')[0]
    assert command('lifecycle', 'set', '/estimator/estimator', 'fly')[0]
    assert os.environ['ROS_DOMAIN_ID']
