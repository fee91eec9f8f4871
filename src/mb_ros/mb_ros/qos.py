"""Quality of service of the project's streams."""

from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSPolicyKind,
    QoSProfile,
    ReliabilityPolicy,
)
from rclpy.qos_overriding_options import QoSOverridingOptions

# A reader that comes late, or is slow for a while, still gets every sample of the last seconds, so
# that a run needs no start-up handshake and loses nothing. Best-effort and volatile readers match
# too.
STREAM_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

# Of what subscribes: ten seconds at 1 kHz, for which other processes may keep it from its messages,
# or a monitor writes a report.  Publishers keep less: all of it would go to those that come back.
DEPTH_OF_READERS = 10_000


def deep(qos):
    """Return a quality of service for a subscription with room for all that waits to be taken."""
    return QoSProfile(history=HistoryPolicy.KEEP_LAST, depth=DEPTH_OF_READERS,
                      reliability=qos.reliability, durability=qos.durability)


# What others command: every message counts, but those from before the reader came are stale.
COMMAND_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE)

# The one message that a late reader needs to understand the others.
LATCHED_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

# For looking on: a few of the newest messages are enough, and nobody waits for who looks.
GLANCE_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=20, reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE)

# Devices of other makes may offer less; then the standard parameters
# `qos_overrides.<topic>.subscription.reliability: best_effort` (and durability: volatile) make a
# subscription match them. Gaps are counted by stamp.
OVERRIDABLE = QoSOverridingOptions(policy_kinds=(
    QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH, QoSPolicyKind.RELIABILITY,
    QoSPolicyKind.DURABILITY))
