"""What nodes of one process hand to one another at once, before it is a message."""

from collections.abc import Callable
from typing import ClassVar

from rclpy.context import Context
from rclpy.node import Node

Callback = Callable[..., object]        # of a stamp [ns], and what is handed over with it


class DirectTopics:
    """Topics on which a node gives others of its process more than messages, or takes it.

    A topic has its full name here, too: instead of taking it, a node may subscribe to it.
    """

    # by context and full name of a topic
    _offered: ClassVar[dict[tuple[Context, str], list[Callback]]] = {}

    def __init__(self, node: Node) -> None:
        """Set up for a node, with none."""
        self._node = node
        self._own: set[tuple[Context, str]] = set()
        self._taken: list[tuple[list[Callback], Callback]] = []

    def offer(self, topic: str) -> list[Callback]:
        """Return the list of callbacks of a topic of this node; others may join it."""
        key = self._key(topic)
        self._own.add(key)
        return self._offered.setdefault(key, [])

    def is_offered(self, topic: str) -> bool:
        """Return whether a node of this process offers a topic."""
        return self._key(topic) in self._offered

    def take(self, topic: str, callback: Callback) -> None:
        """Let a callback have what is offered on a topic."""
        callbacks = self._offered[self._key(topic)]
        callbacks.append(callback)
        self._taken.append((callbacks, callback))

    def take_none(self) -> None:
        """Take no topic any more."""
        for callbacks, callback in self._taken:
            callbacks.remove(callback)
        self._taken.clear()

    def withdraw(self) -> None:
        """Offer no topic any more."""
        for key in self._own:
            self._offered.pop(key, None)
        self._own.clear()

    def _key(self, topic: str) -> tuple[Context, str]:
        return self._node.context, self._node.resolve_topic_name(topic)
