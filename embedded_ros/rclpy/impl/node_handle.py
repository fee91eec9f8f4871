"""What a node is for the other modules: its names, arguments and place in the graph."""
from functools import partial

from rclpy.exceptions import NameValidationException
from rclpy.expand_topic_name import expand_topic_name
from rclpy.impl.errors import RCLError
from rclpy.impl.handle import Handle
from rclpy.impl.middleware import gids
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_namespace import validate_namespace
from rclpy.validate_node_name import validate_node_name
from rclpy.validate_topic_name import validate_topic_name


class NodeHandle(Handle):
    """Keeps what a Node must not have as attributes of its own, lest subclasses overwrite it."""

    def __init__(self, context, arguments, name, namespace):
        super().__init__()
        if not namespace.startswith('/'):
            namespace = '/' + namespace
        self.namespace = arguments.namespace(arguments.node_name(name), namespace)
        self.name = arguments.node_name(name)
        validate_node_name(self.name)
        validate_namespace(self.namespace)
        self.arguments = arguments
        self.graph_node = None  # embedded_ros.dds.graph.GraphNode, once announced
        self.rosout = None  # Handle of the writer on /rosout
        self.context = context
        self.graph = context.graph
        context.track_node(self)

    @property
    def full_name(self):
        """Namespace and name."""
        return f'{self.namespace.rstrip("/")}/{self.name}'

    def get_fully_qualified_name(self):
        return self.full_name

    def get_node_name(self):
        return self.name

    def get_namespace(self):
        return self.namespace

    def logger_name(self):
        return self.full_name[1:].replace('/', '.')

    def expanded_name(self, name):
        """The absolute name of a topic or service; ValueError where it has none."""
        if not isinstance(name, str):
            raise TypeError(
                f'bad argument type for built-in operation: a name must be a str, not {name!r}')
        return expand_topic_name(name, self.name, self.namespace)

    def remapped_name(self, topic):
        """The absolute name of a topic, remapped; ValueError where it has none."""
        return self._remapped(self.expanded_name(topic), is_service=False)

    def entity_name(self, name, is_service=False):
        """The name that a new entity gets; raises what create_publisher raises."""
        with self:
            validate_topic_name(name, is_service=is_service)
            full = self._remapped(self.expanded_name(name), is_service)
            validate_full_topic_name(full, is_service=is_service)
            return full

    def resolved_name(self, name, only_expand, is_service):
        """The absolute name, remapped; RCLError for a name that cannot be."""
        with self:
            try:
                full = self.expanded_name(name)
                validate_full_topic_name(full)
            except (ValueError, NameValidationException) as error:
                raise RCLError(f"Failed to resolve name '{name}': {error}") from error
            return full if only_expand else self._remapped(full, is_service)

    def _remapped(self, full, is_service):
        remap = self.arguments.remap_service if is_service else self.arguments.remap_topic
        return remap(full, self.name, self.namespace)

    def announce(self):
        """Enter the graph."""
        self.graph_node = self.graph.add_node(self.name, self.namespace)

    def add_endpoints(self, handle):
        """Add an entity's endpoints to the graph, and remove them when its Handle is closed."""
        readers, writers = gids(handle.middleware)
        with self.graph.announcing():
            self.graph_node.readers.extend(readers)
            self.graph_node.writers.extend(writers)
        handle.at_end(partial(self._remove_endpoints, readers, writers))

    def _remove_endpoints(self, readers, writers):
        with self.graph.announcing():
            node = self.graph_node
            node.readers = [gid for gid in node.readers if gid not in readers]
            node.writers = [gid for gid in node.writers if gid not in writers]

    def _close(self):
        if self.graph_node is not None:
            self.graph.remove_node(self.graph_node)
        self.context.untrack_node(self)
