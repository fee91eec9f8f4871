"""The ROS graph: which nodes there are, and which endpoints belong to them.

Each participant publishes its nodes and their endpoints on the topic ros_discovery_info; together
with the endpoints that DDS discovers itself this is the whole graph.
"""
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
import threading
from types import SimpleNamespace

from ..interfaces import type_hash
from . import discovery_message
from .endpoints import Discovered
from .message_type import message_type_of
from .names import ros_service_name, ros_service_type, ros_topic_name, ros_type
from .participant import Reader, Writer
from .qos import KEEP_ALL, KEEP_LAST, RELIABLE, TRANSIENT_LOCAL

_TOPIC = 'ros_discovery_info'


@dataclass
class GraphNode:
    """A node and the gids of its endpoints."""

    name: str
    namespace: str
    enclave: str = '/'
    readers: list = field(default_factory=list)
    writers: list = field(default_factory=list)


def _profile(history):
    return SimpleNamespace(
        history=history, depth=1, reliability=RELIABLE, durability=TRANSIENT_LOCAL, deadline=0,
        lifespan=0, liveliness=0, liveliness_lease_duration=0)


class Graph:
    """The graph as one participant sees it, and what it publishes of its own nodes."""

    def __init__(self, participant):
        self._participant = participant
        self._discovered = Discovered(participant)
        data_type = message_type_of(discovery_message.NAME)
        userdata = f'typehash={type_hash(discovery_message.NAME)};'.encode()
        self._reader = Reader(
            participant, _TOPIC, data_type, _profile(KEEP_ALL), userdata, ignore_local=True)
        self._writer = Writer(
            participant, _TOPIC, data_type, _profile(KEEP_LAST), userdata, ignore_local=True)
        self._own, self._others = [], {}  # own GraphNodes; of others, by participant gid
        self._held, self._lock = 0, threading.RLock()

    # What this participant publishes

    def add_node(self, name, namespace):
        """Announce a node; the GraphNode given back is what endpoints are added to."""
        node = GraphNode(name, namespace, self._participant.enclave)
        with self.announcing():
            self._own.append(node)
        return node

    def remove_node(self, node):
        with self.announcing():
            self._own.remove(node)

    @contextmanager
    def announcing(self):
        """Publish once, at the end, all changes made to own nodes inside."""
        with self._lock:
            self._held += 1
            try:
                yield
            finally:
                self._held -= 1
                if not self._held:
                    self._announce()

    def _announce(self):
        if not self._participant.entity:
            return
        self._writer.write(discovery_message.encode(self._participant.gid, [
            (node.namespace, node.name, node.readers, node.writers) for node in self._own]))
        self._listen()

    # What the others publish

    def _listen(self):
        with self._lock:
            while (taken := self._reader.take()) is not None:
                with suppress(ValueError):  # what cannot be read says nothing
                    gid, nodes = discovery_message.decode(taken[0])
                    self._others[gid] = [
                        GraphNode(name, namespace, readers=readers, writers=writers)
                        for namespace, name, readers, writers in nodes]

    def nodes(self):
        """All GraphNodes of participants that are alive, own ones first."""
        self._listen()
        alive = set(self._discovered.participants())
        with self._lock:
            self._others = {gid: nodes for gid, nodes in self._others.items() if gid in alive}
            return self._own + [node for nodes in self._others.values() for node in nodes]

    def node(self, name, namespace):
        """The GraphNode of this name, or None."""
        for node in self.nodes():
            if (node.name, node.namespace) == (name, namespace):
                return node
        return None

    # Endpoints, by ROS names

    def writers(self):
        return self._discovered.writers()

    def readers(self):
        return self._discovered.readers()

    def publishers_of(self, topic):
        return [writer for writer in self.writers() if ros_topic_name(writer.topic) == topic]

    def subscriptions_of(self, topic):
        return [reader for reader in self.readers() if ros_topic_name(reader.topic) == topic]

    def owners(self):
        """Endpoint gid -> GraphNode it belongs to."""
        return {gid: node for node in self.nodes() for gid in (*node.readers, *node.writers)}

    def topics(self, endpoints, no_demangle=False):
        """[(name, [types])] of the topics among these endpoints; names of DDS if not demangled."""
        if no_demangle:
            return _collected((e.topic, e.type_name) for e in endpoints)
        return _collected((ros_topic_name(e.topic), ros_type(e.type_name)) for e in endpoints)

    def services(self, endpoints):
        """[(name, [types])] of the services among these endpoints."""
        return _collected(
            (ros_service_name(e.topic), ros_service_type(e.type_name)) for e in endpoints)

    def servers_among(self, readers):
        return [reader for reader in readers if reader.topic.startswith('rq/')]

    def clients_among(self, readers):
        return [reader for reader in readers if reader.topic.startswith('rr/')]


def _collected(pairs):
    found = {}
    for name, kind in pairs:
        if name is not None and kind is not None:
            found.setdefault(name, set()).add(kind)
    return [(name, sorted(found[name])) for name in sorted(found)]
