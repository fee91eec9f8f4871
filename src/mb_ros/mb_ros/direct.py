"""What nodes of one process hand to one another at once, before it is a message."""


class DirectTopics:
    """Topics on which a node gives others of its process more than messages, or takes it.

    A topic has its full name here, too: instead of taking it, a node may subscribe to it.
    """

    _offered = {}       # {(context, full name of a topic): callbacks}

    def __init__(self, node):
        """Set up for a node, with none."""
        self._node = node
        self._own, self._taken = set(), []

    def offer(self, topic):
        """Return the list of callbacks of a topic of this node; others may join it."""
        key = self._key(topic)
        self._own.add(key)
        return self._offered.setdefault(key, [])

    def is_offered(self, topic):
        """Return whether a node of this process offers a topic."""
        return self._key(topic) in self._offered

    def take(self, topic, callback):
        """Let a callback have what is offered on a topic."""
        callbacks = self._offered[self._key(topic)]
        callbacks.append(callback)
        self._taken.append((callbacks, callback))

    def take_none(self):
        """Take no topic any more."""
        for callbacks, callback in self._taken:
            callbacks.remove(callback)
        self._taken.clear()

    def withdraw(self):
        """Offer no topic any more."""
        for key in self._own:
            self._offered.pop(key, None)
        self._own.clear()

    def _key(self, topic):
        return self._node.context, self._node.resolve_topic_name(topic)
