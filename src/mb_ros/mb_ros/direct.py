"""What nodes of one process hear from one another at once, before it is a message."""


class DirectTopics:
    """The topics on which a node tells others of its process more than messages, or hears it.

    A topic has its full name here, too: who hears one would otherwise subscribe to it.
    """

    _offered = {}       # {(context, full name of a topic): callbacks of those that hear it}

    def __init__(self, node):
        """Set up for a node, with none."""
        self._node = node
        self._own, self._heard = set(), []

    def offer(self, topic):
        """Return the callbacks of those that hear a topic of this node, now and later."""
        key = self._key(topic)
        self._own.add(key)
        return self._offered.setdefault(key, [])

    def is_offered(self, topic):
        """Tell whether a node of this process offers a topic."""
        return self._key(topic) in self._offered

    def hear(self, topic, callback):
        """Let a callback hear a topic that is offered."""
        callbacks = self._offered[self._key(topic)]
        callbacks.append(callback)
        self._heard.append((callbacks, callback))

    def cease_to_hear(self):
        """Hear no topic any more."""
        for callbacks, callback in self._heard:
            callbacks.remove(callback)
        self._heard.clear()

    def withdraw(self):
        """Offer no topic any more."""
        for key in self._own:
            self._offered.pop(key, None)
        self._own.clear()

    def _key(self, topic):
        return self._node.context, self._node.resolve_topic_name(topic)
