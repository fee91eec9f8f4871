"""Output an interface prototype."""
from rosidl_runtime_py import message_to_yaml
from rosidl_runtime_py.utilities import get_interface


def add_arguments(parser):
    parser.add_argument(
        'type', help='Show an interface definition (e.g. "example_interfaces/msg/String")'
    )
    parser.add_argument('--no-quotes', action='store_true',
                        help='If true output has no outer quotes.')


def main(args):
    try:
        interface = get_interface(args.type)
    except (ValueError, LookupError, AttributeError, ModuleNotFoundError) as error:
        raise RuntimeError(str(error)) from None
    message = getattr(interface, 'Request', None) or getattr(interface, 'Goal', None) or interface
    text = message_to_yaml(message())
    print(text if args.no_quotes else f'"{text}"')
