"""Show descriptive information about declared parameters."""
from ros2cli.parameters import TYPE_NAMES, add_node_arguments, describe_parameters, remote_node


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_names', nargs='+', help='Names of the parameters')


def main(args):
    with remote_node(args) as (node, name):
        descriptors = describe_parameters(node, name, args.parameter_names)
    if not descriptors:
        return f"Parameter not set: {', '.join(args.parameter_names)}"
    for descriptor in descriptors:
        print_descriptor(descriptor)
    return None


def print_descriptor(descriptor):
    """Name, type, description and constraints of a parameter."""
    print('Parameter name:', descriptor.name)
    print('  Type:', TYPE_NAMES[descriptor.type])
    if descriptor.description:
        print('  Description:', descriptor.description)
    print('  Constraints:')
    if descriptor.read_only:
        print('    Read only: true')
    for limits in (*descriptor.integer_range, *descriptor.floating_point_range):
        print('    Min value:', limits.from_value)
        print('    Max value:', limits.to_value)
        if limits.step:
            print('    Step:', limits.step)
    if descriptor.additional_constraints:
        print('    Additional constraints:', descriptor.additional_constraints)
