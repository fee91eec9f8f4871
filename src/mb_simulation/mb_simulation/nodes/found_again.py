"""After a standstill, simulated time waits until all nodes are discovered again."""

from mb_ros.running_time import RunningTime

LOST = 3.0          # wall time of a standstill after which processes may have lost one another [s]
LEAST, MOST = 2.0, 15.0     # time until losses show and all are found again: at least, at most


class FoundAgain:
    """Waits for the nodes of a run after a standstill of this process.

    Processes without discovery messages for ten seconds count as gone.  They miss all that is
    published until they are discovered again.
    """

    def __init__(self, node, barrier):
        """Set up for a node with a StartupBarrier for the nodes it needs."""
        self._node, self._barrier = node, barrier
        self._time = RunningTime()
        self._since = None          # when the standstill ended [s]

    def are_all_there(self):
        """Look, often; return whether the run can go on."""
        now = self._time.now()
        if self._time.stood_still > LOST:
            self._since = now
            self._node.get_logger().warning(
                f'stood still for {self._time.stood_still:.1f} s, looks for the other nodes')
        if self._since is None:
            return True
        waited = now - self._since
        absent = self._barrier.absent() if waited > LEAST else ['all']
        if absent and waited < MOST:
            return False
        if absent:
            self._node.get_logger().warning(f'goes on without {", ".join(absent)}')
        self._since = None
        return True
