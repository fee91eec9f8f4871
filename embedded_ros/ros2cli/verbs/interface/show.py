"""Output the interface definition."""
import re
import sys

from embedded_ros.interfaces import definition_text, list_interfaces, list_packages

PRIMITIVES = {
    'bool',
    'byte',
    'char',
    'float32',
    'float64',
    'int8',
    'uint8',
    'int16',
    'uint16',
    'int32',
    'uint32',
    'int64',
    'uint64',
    'string',
    'wstring',
}


def add_arguments(parser):
    parser.add_argument(
        'type',
        help='Show an interface definition (e.g. "example_interfaces/msg/String"). '
        'Passing "-" reads the argument from stdin (e.g. '
        '"ros2 topic type /chatter | ros2 interface show -").',
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument('--all-comments', action='store_true',
                       help='Show all comments, including for nested interface definitions')
    group.add_argument('--no-comments', action='store_true', help='Show no comments or whitespace')


def main(args):
    name = sys.stdin.readline().strip() if args.type == '-' else args.type
    for line in definition_lines(
        name, comments=not args.no_comments, nested_comments=args.all_comments
    ):
        print(line)


def definition_lines(name, comments, nested_comments, indent=''):
    """Lines of a definition, each nested type's own lines below it, one tab deeper."""
    for line in read_definition(name):
        code = line.partition('#')[0].rstrip()
        if code or comments:
            yield f'{indent}{line if comments else code}'.rstrip() if line.strip() else ''
        nested = nested_type(code, name.split('/')[0])
        if nested:
            yield from definition_lines(nested, nested_comments, nested_comments, indent + '\t')


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
    if parts[0] not in list_packages():
        raise RuntimeError(f"Unknown package '{parts[0]}'")
    full = name if len(parts) == 3 else f'{parts[0]}/msg/{parts[1]}'
    if not any(known in (full, full.partition('/')[2]) for known in list_interfaces(parts[0])):
        raise RuntimeError(f"Could not find the interface '{name}'")
    return definition_text(full).rstrip('\n').split('\n')
