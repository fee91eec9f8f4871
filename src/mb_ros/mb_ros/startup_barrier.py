"""Whether the nodes of a run are set up, and recorded, so that it can begin."""

import time

RECORDER = '/rosbag2_recorder'
RECORDER_PATIENCE = 10.0    # wall time that a recorder has to find every topic [s]
TOPICS_OF_EVERY_NODE = ('/clock', '/parameter_events', '/rosout', '/diagnostics')
TRANSITIONS = '/transition_event'       # topic of a managed node, also before it is configured


class StartupBarrier:
    """Looks for other nodes, in the name of a node."""

    def __init__(self, node, names):
        """Set up for full names of nodes."""
        self._node, self._names = node, names
        self._all_there = None          # wall time at which they were

    def absent(self):
        """Return what is not there yet, in words."""
        absent = [name for name in self._names if not is_ready(self._node, name)]
        if absent or RECORDER not in self._names:
            return absent
        if self._all_there is None:
            self._all_there = time.monotonic()
        unrecorded = self._unrecorded()
        if unrecorded and time.monotonic() - self._all_there < RECORDER_PATIENCE:
            return [f'{RECORDER} to find {", ".join(sorted(unrecorded))}']
        return []

    def _unrecorded(self):
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
    def _topics(full_name, ask):
        """Return the topics that a question about a node answers with, none without such a node."""
        try:
            return {topic for topic, _ in ask(*_place(full_name))}
        except RuntimeError:
            return set()


def is_ready(onlooker, full_name):
    """Return whether a node is there with topics of its own, which it has when it is set up.

    onlooker: the Node that looks; the first slash of the name may be left out.
    """
    place = _place(full_name)
    try:
        topics = (onlooker.get_publisher_names_and_types_by_node(*place)
                  + onlooker.get_subscriber_names_and_types_by_node(*place))
    except RuntimeError:        # no node of this name
        return False
    return any(topic not in TOPICS_OF_EVERY_NODE and not topic.endswith(TRANSITIONS)
               for topic, _ in topics)


def _place(full_name):
    """Return (name, namespace) of a full name of a node."""
    namespace, _, name = full_name.rpartition('/')
    return name, '/' + namespace.lstrip('/')
