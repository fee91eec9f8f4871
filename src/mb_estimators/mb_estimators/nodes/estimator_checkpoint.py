"""The checkpoint of an estimator node: read before the first reading, then written."""

from mb_estimators.checkpoint import Checkpoint


class EstimatorCheckpoint:
    """Keeps the file of a node's EstimatorSetup."""

    def __init__(self, node, setup):
        """Set up.  Raises ValueError for a folder or an estimator that cannot be used."""
        self._node, self._waits = node, True
        self._file = Checkpoint(
            setup.settings.checkpoint, setup.settings.checkpoint_period, setup)

    def resume_once(self):
        """Before the first reading, when the clock is known: continue from the file, if it fits."""
        if not self._waits:
            return
        self._waits = False
        try:
            done = self._file.resume(self._node.believed_time())
        except ValueError as error:
            self._node.get_logger().warning(f'starting anew: checkpoint: {error}')
            return
        if done:
            self._node.get_logger().info(done)

    def saw(self, step):
        """Write the file when it is due; a full disk is reported, and no reason to stop."""
        try:
            self._file.saw(step.stamp)
        except OSError as error:
            self._node.get_logger().error(
                f'checkpoint: not written: {error}', throttle_duration_sec=5.0)

    def remove(self):
        """Remove the file, so that the next life starts fresh."""
        self._file.remove()
