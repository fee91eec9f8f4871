"""Quality of service of the project's streams."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

# A reader that comes late, or is slow for a while, still gets every sample of the last seconds, so
# that a run needs no start-up handshake and loses nothing. Best-effort and volatile readers match too.
STREAM_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

# For reading sensors of any make: matches every publisher, and gaps are counted by stamp.
SENSOR_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE)
