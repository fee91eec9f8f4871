"""Whether the nodes of a run are set up, and recorded, so that it can begin; what it waits for."""

from collections.abc import Callable, Collection, Iterable
import time

import rclpy
from rclpy.context import Context
from rclpy.node import Node

UNMENTIONED = 2.0       # wall time that others have to come [s]
PERIOD = 5.0            # wall time between two times of saying the same [s]
SHORTEST_PERIOD = 1.0   # between two times of saying anything [s]
RECORDER = '/rosbag2_recorder'
RECORDER_PATIENCE = 10.0    # wall time that a recorder has to find every topic [s]
TOPICS_OF_EVERY_NODE = ('/clock', '/parameter_events', '/rosout', '/diagnostics')
TRANSITIONS = '/transition_event'       # topic of a managed node, also before it is configured
PATIENCE = 5.0      # wall time before a look by another participant [s]
DISCOVERY = 15.0    # wall time that it has to find nodes; on a busy machine it needs some [s]


class WaitingLog:
    """Logs what a node waits for: after a while, soon when that changes, and now and then."""

    def __init__(self, node):
        """Begin to wait."""
        self._node = node
        self._next = self._next_change = time.monotonic() + UNMENTIONED
        self._logged = None

    def update(self, missing):
        """Log what is missing, in words, if it is time to."""
        now = time.monotonic()
        if now >= (self._next if missing == self._logged else self._next_change):
            self._next, self._next_change = now + PERIOD, now + SHORTEST_PERIOD
            self._logged = list(missing)
            self._node.get_logger().warning(f'waiting for {", ".join(missing)}')


class StartupBarrier:
    """Looks for other nodes, in the name of a node."""

    def __init__(self, node, names):
        """Set up for full names of nodes."""
        self._node, self._names = node, names
        self._all_there = None          # wall time at which they were
        self._second_look = SecondLook(node.context)

    def absent(self) -> list[str]:
        """Return what is not there yet, in words."""
        absent = [name for name in self._names if name not in self._second_look.all_seen
                  and not is_ready(self._node, name)]
        seen = self._second_look.seen(absent)
        if seen:
            self._node.get_logger().warning(
                f'found {", ".join(sorted(seen))} by a second look: the middleware had lost the '
                'name')
        absent = [name for name in absent if name not in seen]
        if absent or RECORDER not in self._names:
            return absent
        if self._all_there is None:
            self._all_there = time.monotonic()
        unrecorded = self._unrecorded()
        if unrecorded and time.monotonic() - self._all_there < RECORDER_PATIENCE:
            return [f'{RECORDER} to find {", ".join(sorted(unrecorded))}']
        return []

    def _unrecorded(self) -> set[str]:
        """Return the topics of these nodes, and of the node that looks, that are not recorded yet.

        A recorder that finds a topic late has lost what was too much for the queue of its writer.
        """
        names = [name for name in self._names if name != RECORDER]
        published = set().union(*(
            self._topics(name, self._node.get_publisher_names_and_types_by_node)
            for name in (*names, self._node.get_fully_qualified_name())))
        return published - {*TOPICS_OF_EVERY_NODE} - self._topics(
            RECORDER, self._node.get_subscriber_names_and_types_by_node)

    @staticmethod
    def _topics(full_name: str,
                ask: Callable[[str, str], Iterable[tuple[str, list[str]]]]) -> set[str]:
        """Return the topics that a question about a node answers with, none without such a node."""
        try:
            return {topic for topic, _ in ask(*_name_and_namespace(full_name))}
        except RuntimeError:
            return set()


def is_ready(onlooker: Node, full_name: str) -> bool:
    """Return whether a node is there with topics of its own, which it has when it is set up.

    onlooker: the Node that looks; the first slash of the name may be left out.
    """
    parts = _name_and_namespace(full_name)
    try:
        topics = (onlooker.get_publisher_names_and_types_by_node(*parts)
                  + onlooker.get_subscriber_names_and_types_by_node(*parts))
    except RuntimeError:        # no node of this name
        return False
    return any(topic not in TOPICS_OF_EVERY_NODE and not topic.endswith(TRANSITIONS)
               for topic, _ in topics)


class SecondLook:
    """Looks for nodes as another participant in the domain of a context, a new one now and then.

    Fast DDS connects the topics of a process again that it took for gone, but rmw_fastrtps never
    again knows the names of its nodes; a new participant learns all of them.

    all_seen: what it has ever seen.
    """

    def __init__(self, context: Context) -> None:
        """Begin after PATIENCE."""
        self._context = context
        self._onlooker: Node | None = None
        self._next = time.monotonic() + PATIENCE    # when there is a participant, or no longer
        self.all_seen: set[str] = set()
        context.on_shutdown(self.close)

    def seen(self, names: Collection[str]) -> set[str]:
        """Return which nodes of these names are seen now; without names nothing is looked for."""
        if not names:
            self.close()
            return set()
        if time.monotonic() > self._next and self._onlooker:
            self.close()
        elif time.monotonic() > self._next:
            self._begin()
        onlooker = self._onlooker
        seen = {name for name in names if onlooker and is_ready(onlooker, name)}
        self.all_seen |= seen
        return seen

    def _begin(self) -> None:
        other = Context()
        rclpy.init(args=[], context=other, domain_id=self._context.get_domain_id())
        self._onlooker = Node('_second_look', context=other, use_global_arguments=False,
                              enable_rosout=False, start_parameter_services=False)
        self._next = time.monotonic() + DISCOVERY

    def close(self) -> None:
        """Let the participant go, until there is another one."""
        self._next = time.monotonic() + PATIENCE
        onlooker, self._onlooker = self._onlooker, None
        if onlooker:
            onlooker.destroy_node()
            onlooker.context.try_shutdown()


def _name_and_namespace(full_name: str) -> tuple[str, str]:
    """Return (name, namespace) of a full name of a node."""
    namespace, _, name = full_name.rpartition('/')
    return name, '/' + namespace.lstrip('/')
