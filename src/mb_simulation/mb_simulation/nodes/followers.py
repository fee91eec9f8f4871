"""Whom simulated time waits for: its followers, and players of commands.
"""

from collections.abc import Callable, Mapping

from rclpy.node import Node

from mb_interfaces.msg import KnownCommands
from mb_ros.qos import LATCHED_QOS
from mb_ros.running_time import RunningTime
from mb_ros.stamps import from_seconds, nanoseconds
from mb_simulation.played_commands import KNOWN_COMMANDS

PATIENCE = 5.0          # wall time that time stands still at most, for the first time [s]
LEAST_PATIENCE = 0.1    # below this, time never waits again [s]


class Followers:
    """Nodes that follow simulated time, which is ahead of their newest stamp by a limited amount.

    If no news comes for long, the nodes count as absent, and time passes freely until they
    publish something newer.  Every time-out halves the patience, so a node that never reports in
    time holds up a run by 10 s of wall time in all.  A standstill of this process does not count.
    """

    def __init__(self, start: int, most_ahead: float, news: str,
                 warn: Callable[[str], object]) -> None:
        """Begin at the stamp start [ns].

        most_ahead: of the newest stamp that they have reached [s]; news: what they publish, in the
        plural; warn: called with a sentence when time does not wait any more.
        """
        self._start, self._reached, self._most_ahead = start, start, from_seconds(most_ahead)
        self._news, self._warn = news, warn
        self._patience, self._times = PATIENCE, 0
        self._time = RunningTime()
        self._still = None      # when time began to stand still [s]
        self._absent = ''       # why time does not wait; empty while it does

    def reach(self, stamp: int) -> None:
        """Note that they have reached a stamp [ns]; only a newer one is news."""
        if stamp <= self._reached:
            return
        self._reached, self._still = stamp, None
        if self._patience >= LEAST_PATIENCE:
            self._absent = ''

    def allowed(self, wanted: int) -> int:
        """Return the last stamp that time may reach for now, at most the wanted one [ns]."""
        now, furthest = self._time.now(), self._reached + self._most_ahead
        if self._absent or wanted <= furthest:
            self._still = None
            return wanted
        if self._still is None:
            self._still = now
        if now - self._still <= self._patience:
            return furthest
        self._give_up()
        return wanted

    @property
    def wrong(self) -> str:
        """Why time did not wait, in words; empty if it has always waited."""
        if not self._times:
            return ''
        what = self._absent or f'time went on {self._times} times without {self._news}'
        return f'{what}: another run with this seed may differ'

    @property
    def times(self) -> int:
        """How often time continued without them."""
        return self._times

    def _give_up(self) -> None:
        """Wait no more until there is news, or never again."""
        self._patience *= 0.5
        self._times += 1
        self._absent = (f'does not wait any more: no {self._news} since '
                        f'{1e-9 * (self._reached - self._start):.3f} s')
        if self._patience < LEAST_PATIENCE:
            self._absent = (f'does not wait any more: {self._times} times no {self._news} for long,'
                            f' last after {1e-9 * (self._reached - self._start):.3f} s')
        self._warn(self.wrong)


class PlayedTime(Followers):
    """Time goes no further than to where all commands have come, however busy their player is.

    A player's message may come before the commands that it counts, which are on other topics.
    """

    def __init__(self, node: Node, start: int, newest: Mapping[str, int]) -> None:
        """Set up in a node.

        start: stamp of the first state [ns]; newest: topic -> stamp of the newest command on it.
        """
        super().__init__(start, 0.0, 'commands', node.get_logger().warning)
        self._newest, self._known = newest, None
        self._node = node
        node.create_subscription(KnownCommands, KNOWN_COMMANDS, self._take, LATCHED_QOS)

    @property
    def missing(self) -> str:
        """What the run cannot begin without, in words; empty if all has come."""
        if self._known is None:
            return f'a player of commands ({KNOWN_COMMANDS})'
        return '' if self._have_come() else 'commands that their player has published'

    def allowed(self, wanted: int) -> int:
        """Return the last stamp that time may reach for now, at most the wanted one [ns]."""
        if not self.missing:
            self.reach(nanoseconds(self._known.header.stamp))
        return super().allowed(wanted)

    def _take(self, message: KnownCommands) -> None:
        if len(message.topic) != len(message.newest):
            self._node.get_logger().warning(
                f'{KNOWN_COMMANDS}: left out: {len(message.newest)} stamps for '
                f'{len(message.topic)} topics',
                throttle_duration_sec=5.0)
            return
        self._known = message

    def _have_come(self) -> bool:
        return all(nanoseconds(stamp) <= self._newest.get(topic, -1) for topic, stamp in
                   zip(self._known.topic, self._known.newest, strict=True))
