"""How far those who follow a prototype have come, so that its time can wait for them."""

import time

from mb_interfaces.msg import MechanismState
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import from_seconds, serialised_stamp

PATIENCE = 5.0          # wall time without estimates after which time goes on a little [s]


class Followers:
    """Hears estimator/state, of which it takes nothing but the stamps."""

    def __init__(self, node, start, most_ahead):
        """Set up in a node whose time begins at start [ns]; most_ahead: of estimates [s]."""
        self._reached, self._most_ahead = start, from_seconds(most_ahead)
        self._heard = time.monotonic()
        node.create_subscription(MechanismState, 'estimator/state', self._on_state, STREAM_QOS,
                                 raw=True)

    def _on_state(self, serialised):
        self._reached = max(self._reached, serialised_stamp(serialised))
        self._heard = time.monotonic()

    def furthest(self):
        """Return the last stamp that time may reach for now [ns].

        Whoever waits for the readings of a dead sensor goes on when time does.
        """
        if time.monotonic() - self._heard > PATIENCE:
            self._reached += self._most_ahead
            self._heard = time.monotonic()
        return self._reached + self._most_ahead
