"""Show information about ROS interfaces."""
import re
import sys

from rosidl_runtime_py import (
    get_interface_packages,
    get_interface_path,
    get_interfaces,
    message_to_yaml,
)
from rosidl_runtime_py.utilities import get_interface

VERBS = {
    'list': 'List all interface types available',
    'package': 'Output a list of available interface types within one package',
    'packages': 'Output a list of packages that provide interfaces',
    'proto': 'Output an interface prototype',
    'show': 'Output the interface definition',
}
HEADINGS = {'msg': 'Messages', 'srv': 'Services', 'action': 'Actions'}
PRIMITIVES = {
    'bool', 'byte', 'char', 'float32', 'float64', 'int8', 'uint8', 'int16', 'uint16', 'int32',
    'uint32', 'int64', 'uint64', 'string', 'wstring'}


def add_kind_options(parser, what):
    """Add --only-msgs, --only-srvs, --only-actions."""
    group = parser.add_mutually_exclusive_group()
    for kind, noun in (('msg', 'messages'), ('srv', 'services'), ('action', 'actions')):
        group.add_argument(
            f'-{kind[0]}',
            f'--only-{kind}s',
            dest='kind',
            action='store_const',
            const=kind,
            help=f'Print out only {what.format(noun)}',
        )


def interfaces_by_kind(package=None):
    """{'msg': names, 'srv': names, 'action': names} of one package, or sorted of all of them."""
    found = {kind: [] for kind in HEADINGS}
    for name, interfaces in get_interfaces([package] if package else ()).items():
        for interface in interfaces:
            found[interface.partition('/')[0]].append(f'{name}/{interface}')
    return found


def add_list_arguments(parser):
    add_kind_options(parser, '{}')


def run_list(args):
    found = interfaces_by_kind()
    for kind, heading in HEADINGS.items():
        if args.kind in (None, kind):
            print(f'{heading}:')
            for name in found[kind]:
                print(f'    {name}')


def add_package_arguments(parser):
    parser.add_argument('package_name', help='Name of the ROS package (e.g. "example_interfaces")')
    add_kind_options(parser, '{}')


def run_package(args):
    if args.package_name not in get_interface_packages():
        return f"Unknown package '{args.package_name}'"
    found = interfaces_by_kind(args.package_name)
    for kind in [args.kind] if args.kind else HEADINGS:
        for name in found[kind]:
            print(name)
    return None


def add_packages_arguments(parser):
    add_kind_options(parser, 'packages that provide {}')


def run_packages(args):
    found = interfaces_by_kind()
    kinds = [args.kind] if args.kind else HEADINGS
    for package in sorted({name.split('/')[0] for kind in kinds for name in found[kind]}):
        print(package)


def add_proto_arguments(parser):
    parser.add_argument(
        'type', help='Show an interface definition (e.g. "example_interfaces/msg/String")'
    )


def run_proto(args):
    try:
        interface = get_interface(args.type)
    except (ValueError, LookupError, AttributeError, ModuleNotFoundError) as error:
        raise RuntimeError(str(error)) from None
    message = getattr(interface, 'Request', None) or getattr(interface, 'Goal', None) or interface
    text = message_to_yaml(message())
    print(f'"{text}"')


def add_show_arguments(parser):
    parser.add_argument(
        'type',
        help='Show an interface definition (e.g. "example_interfaces/msg/String"). '
        'Passing "-" reads the argument from stdin (e.g. '
        '"ros2 topic type /chatter | ros2 interface show -").',
    )


def run_show(args):
    name = sys.stdin.readline().strip() if args.type == '-' else args.type
    for line in definition_lines(name):
        print(line)


def definition_lines(name, comments=True, indent=''):
    """Lines of a definition, each nested type's own lines below it, one tab deeper."""
    for line in read_definition(name):
        code = line.partition('#')[0].rstrip()
        if code or comments:
            yield f'{indent}{line if comments else code}'.rstrip() if line.strip() else ''
        nested = nested_type(code, name.split('/')[0])
        if nested:
            yield from definition_lines(nested, False, indent + '\t')


def nested_type(code, package):
    """Full name of the message type of a field, or None for constants and primitive types."""
    match = re.match(r'\s*([A-Za-z][\w/]*)(?:<=\d+)?(?:\[[^\]]*\])?\s+\w+\s*(?![\w\s]*=)', code)
    if not match or match[1] in PRIMITIVES:
        return None
    parts = match[1].split('/')
    return f'{parts[0] if len(parts) > 1 else package}/msg/{parts[-1]}'


def read_definition(name):
    """Lines of the definition as written.  Raises RuntimeError for an unknown type."""
    parts = name.split('/')
    if len(parts) not in (2, 3) or not all(parts):
        raise RuntimeError(f"Invalid name '{name}'. Expected at least two parts separated by '/'")
    try:
        path = get_interface_path(name if len(parts) == 3 else f'{parts[0]}/msg/{parts[1]}')
    except LookupError as error:
        raise RuntimeError(error.args[0]) from None
    with open(path, encoding='utf-8') as file:
        return file.read().rstrip('\n').split('\n')
