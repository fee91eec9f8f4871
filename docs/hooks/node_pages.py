"""Topics, services and parameters of every node, asked of the nodes themselves."""

from contextlib import chdir
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
import re
from tempfile import TemporaryDirectory

import rclpy

from mb_ros.changing_parameters import AT_ONCE
from mb_ros.states import type_name

ROOT = Path(__file__).resolve().parents[2]
SENSED = str(Path(__file__).with_name('four_bar_sensed.yaml'))
EXAMPLES = {            # parameters without which a node does not start, or shows less
    'encoder_driver': {'sensors': '[crank_encoder]'},
    'imu_driver': {'sensors': '[crank_gyro]'},
    'range_driver': {'mechanism': SENSED, 'sensors': '[range]'},
    'position_driver': {'mechanism': SENSED, 'sensors': '[marker]'},
    'pressure_driver': {'mechanism': 'crane', 'sensors': '[pressure1]'},
    'sensor_driver': {'sensors': '[crank_encoder, crank_gyro]'},
    'broadcasters': {'sensors': '[crank_encoder]'},
    'emulate': {'device': 'can', 'sensors': '[crank_encoder]', 'can.interface': 'virtual',
                'crank_encoder.can.node_id': '5'},
    'estimator': {'sensors': '[crank_encoder]'},
    'marker_labels': {'mechanism': SENSED, 'markers': '[marker]'},
    'prototype': {'mechanism': 'crane'},        # shows the topics of oil as well
}
NEEDED = {'web_view': 'rerun'}      # optional packages without which a node cannot be asked
OF_ALL = ('use_sim_time', 'start_type_description_service')
OF_ROS = ('parameter_events', 'rosout', 'get_parameter', 'set_parameters', 'describe_parameters',
          'list_parameters', 'get_type_description', 'get_available_', 'get_transition_graph')


def nodes_page():
    """Return a page with every node of the packages."""
    lines = ['# Nodes', '',
             'Asked of the nodes themselves, with the four-bar linkage unless they need another '
             'mechanism. Besides, every node has the services of ROS for its parameters, and '
             '`use_sim_time`. `ros2 param describe` prints the same of a running node, '
             '`--help` what a node does.', '',
             'Nodes with the service `~/change_state` are managed: `autostart:=false` leaves them '
             'to `ros2 lifecycle set`, and the services `~/pause` and `~/resume` deactivate and '
             'activate them. Their parameters can be set, some at once, between two steps, others '
             'take effect when the node is configured again.']
    for package, module, name in programs():
        executable = module if name == 'main' else name
        lines += ['', f'## {package} {executable}', '',
                  *node_section(import_module(f'{package}.nodes.{module}'), name, executable)]
    return '\n'.join(lines).replace(f'{ROOT}/', '') + '\n'


def programs():
    """Yield (package, module, name of the program there) of every node."""
    for file in sorted(ROOT.glob('src/*/mb_*/nodes/*.py')):
        for name in re.findall(r'^(\w+) = NodeMain\(', file.read_text(encoding='utf-8'), re.M):
            yield file.parts[-3], file.stem, name


def node_section(module, name, executable):
    """Return lines of Markdown about one node, a program of a module by its name."""
    program, needed = getattr(module, name), NEEDED.get(executable)
    description = program.description
    if needed and find_spec(needed) is None:
        return [description, '', f'Could not be asked here: {needed} is not installed.']
    words = [word for name, value in EXAMPLES.get(executable, {}).items()
             for word in ('-p', f'{name}:={value}')]
    rclpy.init(args=['--ros-args', *words])
    try:
        with TemporaryDirectory() as folder, chdir(folder):     # monitors make one for results
            node = program.node_class()
        try:
            return [description, *interfaces(node), *parameters(node)]
        finally:
            node.destroy_node()
    finally:
        rclpy.shutdown()


def interfaces(node):
    """Return a table of topics and services."""
    ends = [('publishes', publisher.topic_name, publisher.msg_type)
            for publisher in node.publishers]
    ends += [('subscribes', taken.topic_name, taken.msg_type) for taken in node.subscriptions]
    ends += [('serves', service.srv_name, service.srv_type) for service in node.services]
    rows = [f'| {what} | `{name}` | {type_name(kind)} |' for what, name, kind in ends
            if not any(part in name for part in OF_ROS)]
    return ['', '| | name | type |', '| --- | --- | --- |', *sorted(set(rows))] if rows else []


def parameters(node):
    """Return a table of parameters."""
    found = sorted(name for name in node.list_parameters([], 0).names if name not in OF_ALL)
    if not found:
        return []
    return ['', '| parameter | here | changes | |', '| --- | --- | --- | --- |'] + [
        f'| `{name}` | {shown(node.get_parameter_or(name).value)} '
        f'| {changes(node.describe_parameter(name))} '
        f'| {node.describe_parameter(name).description} |' for name in found]


def changes(descriptor):
    """Return when a change of a parameter takes effect."""
    if descriptor.read_only:
        return 'never'
    return 'at once' if descriptor.additional_constraints.endswith(AT_ONCE) else 'configured anew'


def shown(value):
    """Return a value as it stands in a file of parameters, nothing if there is none."""
    if value is None:
        return ''
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, float):
        return f'{value:g}'
    return f'[{", ".join(shown(part) for part in value)}]'
