"""Show all of the parameters of a node in a YAML file format."""
import os

from rcl_interfaces.msg import ParameterType
from rclpy.parameter import parameter_value_to_python
import yaml

from ros2cli.parameters import (
    add_node_arguments,
    get_parameter_types,
    get_parameters,
    list_parameters,
    remote_node,
)


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument(
        '--output-dir', help='DEPRECATED: The absolute path to save the generated file'
    )
    parser.add_argument('--print', action='store_true', help='DEPRECATED: Does nothing')


def main(args):
    with remote_node(args) as (node, name):
        names = list_parameters(node, name)
        types = get_parameter_types(node, name, names)
        # One without a value would leave all others without an answer.
        names = [one for one, kind in zip(names, types, strict=False)
                 if kind != ParameterType.PARAMETER_NOT_SET]
        values = get_parameters(node, name, names)
    tree = {}
    for parameter, value in zip(names, values, strict=False):
        insert(tree, parameter, plain(parameter_value_to_python(value)))
    text = yaml.dump({name: {'ros__parameters': tree}}, default_flow_style=False)
    if not args.output_dir:
        print(text, end='')
        return
    path = os.path.join(args.output_dir, f'{name.strip("/").replace("/", "__")}.yaml')
    with open(path, 'w', encoding='utf-8') as handle:
        handle.write(text)
    print('Saving to: ', path)


def insert(tree, name, value):
    """Put a value where its dotted name leads; below a name with a value, keep the dots."""
    head, dot, rest = name.partition('.')
    if dot and isinstance(tree.setdefault(head, {}), dict):
        insert(tree[head], rest, value)
    else:
        tree[name] = value


def plain(value):
    """Lists for arrays, numbers for bytes; all that YAML can write."""
    if isinstance(value, bytes):
        return value[0]
    if isinstance(value, str) or not hasattr(value, '__iter__'):
        return value
    return [plain(item) for item in value]
