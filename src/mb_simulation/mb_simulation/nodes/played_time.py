"""How far a player of commands has come, so that no command can be late."""

from mb_interfaces.msg import KnownCommands
from mb_ros.qos import LATCHED_QOS
from mb_ros.stamps import nanoseconds
from mb_simulation.nodes.followers import Followers
from mb_simulation.played_commands import KNOWN_COMMANDS


class PlayedTime(Followers):
    """Time goes no further than to where all commands have come, however busy their player is.

    A player's message may come before the commands that it counts, which are on other topics.
    """

    def __init__(self, node, start, newest):
        """Set up in a node.

        start: stamp of the first state [ns]; newest: topic -> stamp of the newest command on it.
        """
        super().__init__(start, 0.0, 'commands', node.get_logger().warning)
        self._newest, self._known = newest, None
        self._node = node
        node.create_subscription(KnownCommands, KNOWN_COMMANDS, self._take, LATCHED_QOS)

    @property
    def missing(self):
        """What the run cannot begin without, in words; empty if all has come."""
        if self._known is None:
            return f'a player of commands ({KNOWN_COMMANDS})'
        return '' if self._have_come() else 'commands that their player has published'

    def allowed(self, wanted):
        """Return the last stamp that time may reach for now, at most the wanted one [ns]."""
        if not self.missing:
            self.reach(nanoseconds(self._known.header.stamp))
        return super().allowed(wanted)

    def _take(self, message):
        if len(message.topic) != len(message.newest):
            self._node.get_logger().warning(
                f'{KNOWN_COMMANDS}: left out: {len(message.newest)} stamps for '
                f'{len(message.topic)} topics',
                throttle_duration_sec=5.0)
            return
        self._known = message

    def _have_come(self):
        return all(nanoseconds(stamp) <= self._newest.get(topic, -1) for topic, stamp in
                   zip(self._known.topic, self._known.newest, strict=True))
