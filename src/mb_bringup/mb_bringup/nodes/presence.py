"""Whether the nodes of a run are there, set up, and recorded."""

import time

from mb_bringup.nodes.readiness import TOPICS_OF_EVERY_NODE, is_ready

RECORDER = '/rosbag2_recorder'
RECORDER_PATIENCE = 10.0    # wall time that a recorder has to find every topic [s]


class Presence:
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
        unheard = self._unrecorded()
        if unheard and time.monotonic() - self._all_there < RECORDER_PATIENCE:
            return [f'{RECORDER} to find {", ".join(sorted(unheard))}']
        return []

    def _unrecorded(self):
        """Return the topics of these nodes, and of that which looks, that nobody records yet.

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
        namespace, _, name = full_name.rpartition('/')
        try:
            return {topic for topic, _ in ask(name, '/' + namespace.lstrip('/'))}
        except RuntimeError:
            return set()
