"""The estimate of the present, with or without readings of it."""

from mb_interfaces.msg import MechanismState
from mb_ros.qos import stream_qos


class PresentEstimate:
    """Predicts from the last readings to now, on a timer, and publishes that as ~/predicted."""

    def __init__(self, node, setup, messages):
        """Set up for a node with its EstimatorSetup and EstimateMessages."""
        self._now, self._setup, self._messages = node.believed_time, setup, messages
        self._publisher = node.create_lifecycle_publisher(
            MechanismState, '~/predicted', stream_qos(setup.settings.prediction_rate))
        node.create_timer(1.0 / setup.settings.prediction_rate, self._predict)

    def _predict(self):
        """Publish the state now, unless that is too long after the last reading."""
        if not self._publisher.is_activated:
            return
        now = self._now()
        estimate = self._setup.stream.predicted(now)
        if estimate is not None:
            self._publisher.publish(self._messages.state_at(now, estimate))
