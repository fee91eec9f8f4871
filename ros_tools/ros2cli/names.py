"""Names of nodes, topics and types on the command line."""
from typing import NamedTuple

from rclpy.topic_or_service_is_hidden import topic_or_service_is_hidden
from rosidl_runtime_py.utilities import get_message, get_service

from ros2cli.node import GraphNode, add_arguments


class NodeName(NamedTuple):
    """Name of a node in its parts and as a whole."""

    name: str
    namespace: str
    full_name: str


def get_absolute_node_name(name):
    """The node's name with a leading slash (None stays None)."""
    return name if not name or name.startswith('/') else f'/{name}'


def get_node_names(node, include_hidden=False):
    """NodeNames of all nodes; a hidden name starts with '_'."""
    names = [NodeName(name, namespace, f'{namespace.rstrip("/")}/{name}')
             for name, namespace in node.get_node_names_and_namespaces()]
    return [
        name for name in names if include_hidden or (name.name and not name.name.startswith('_'))
    ]


def visible(names_and_types, include_hidden=False):
    """The (name, types) to be shown, sorted by name."""
    return sorted((name, types) for name, types in names_and_types
                  if include_hidden or not topic_or_service_is_hidden(name))


class Kind:
    """What lists topics and services alike; kind: 'topic' or 'service'."""

    def __init__(self, kind):
        self._kind = kind

    def all(self, node):
        """[(name, types)] of all of them."""
        return getattr(node, f'get_{self._kind}_names_and_types')()

    def add_listing_arguments(self, parser):
        """Add the options of verbs that list names."""
        add_arguments(parser)
        parser.add_argument('-c', f'--count-{self._kind}s', dest='count', action='store_true',
                            help=f'Only display the number of {self._kind}s discovered')
        parser.add_argument(f'--include-hidden-{self._kind}s', dest='include_hidden',
                            action='store_true', help=f'Consider hidden {self._kind}s as well')

    def add_list_arguments(self, parser):
        """Add the arguments of `list`."""
        self.add_listing_arguments(parser)
        parser.add_argument('-t', '--show-types', action='store_true',
                            help=f'Additionally show the {self._kind} type')

    def list(self, args, node):
        """Print the names, or how many there are."""
        found = visible(self.all(node), args.include_hidden)
        if args.count:
            print(len(found))
            return
        for name, types in found:
            print(f'{name} [{", ".join(types)}]' if args.show_types else name)

    def add_find_arguments(self, parser):
        """Add the arguments of `find`."""
        self.add_listing_arguments(parser)
        parser.add_argument('type', help=f'Name of the ROS {self._kind} type to filter for')

    def find(self, args):
        """Print the names with this type, or how many there are."""
        with GraphNode(args) as node:
            known = visible(self.all(node.settle()), args.include_hidden)
        found = [name for name, types in known if args.type in types]
        print(*([len(found)] if args.count else found), sep='\n', end='\n' if found else '')

    def add_name_argument(self, parser):
        """Add the arguments of verbs on one of them."""
        add_arguments(parser)
        parser.add_argument('name', help=f'Name of the ROS {self._kind}')

    def types_of(self, node, name):
        """Names of its types, once it is there; none if it does not come."""
        return node.find(lambda: dict(self.all(node)).get(name))

    def type(self, args):
        """Print the types of one."""
        with GraphNode(args) as node:
            types = self.types_of(node, args.name)
        if not types:
            return 1
        print(*types, sep='\n')
        return None


def message_class(name):
    """The message class of this name.  Raises RuntimeError."""
    return _class_of(name, get_message, 'message')


def service_class(name):
    """The service class of this name.  Raises RuntimeError."""
    return _class_of(name, get_service, 'service')


def _class_of(name, get, kind):
    try:
        return get(name)
    except (AttributeError, ModuleNotFoundError, ValueError, LookupError):
        raise RuntimeError(f'The passed {kind} type is invalid') from None


def full_topic_name(node, topic):
    """Full name of a topic.  Raises RuntimeError if it is none."""
    from rclpy.expand_topic_name import expand_topic_name
    from rclpy.validate_full_topic_name import validate_full_topic_name
    try:
        name = expand_topic_name(topic, node.get_name(), node.get_namespace())
    except ValueError as error:
        raise RuntimeError(str(error)) from None
    validate_full_topic_name(name)
    return name


def find_topic_type(node, topic):
    """Name of the type of a topic, once it is there, or None; RuntimeError if there are several.

    topic: its full name.
    """
    types = Kind('topic').types_of(node, topic)
    if not types:
        return None
    if len(types) > 1:
        raise RuntimeError(f"Cannot echo topic '{topic}', as it contains more than one type: "
                           f"[{', '.join(types)}]")
    return types[0]


def topic_class(node, topic, type_name=None):
    """Message class of a topic: of the type given, else of the type in the graph.

    Raises RuntimeError if it is not known.
    """
    name = full_topic_name(node, topic)
    type_name = type_name or find_topic_type(node, name)
    if type_name is None:
        print(f'WARNING: topic [{topic}] does not appear to be published yet')
        raise RuntimeError('Could not determine the type for the passed topic')
    return message_class(type_name)
