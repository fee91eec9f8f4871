"""Quality of service of the project's streams."""

from math import ceil

from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSPolicyKind,
    QoSProfile,
    ReliabilityPolicy,
)
from rclpy.qos_overriding_options import QoSOverridingOptions

# A reader that comes late still gets every sample of the last seconds, so that a run needs no
# start-up handshake and loses nothing. Best-effort and volatile readers match too.
STREAM_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

# Time for which a reader may be stopped, or kept from the processor by others [s].
STARVED = 10.0
# Messages that may wait: that time at 500 Hz.  Fast DDS has room for 5000 samples: a subscription
# of a larger depth gets none any more, ever, once so many have waited.
DEEPEST = 5000


def stream_qos(rate: float) -> QoSProfile:
    """Return STREAM_QOS for a publisher of a rate [Hz], 0 if that is not known.

    It keeps what a reader misses that stands still: a publisher forgets what it has no room for,
    whether or not a reader has it.  It keeps no more than that: all of it goes to late readers.
    """
    needed = ceil(STARVED * rate) if rate else DEEPEST
    return _with_depth(STREAM_QOS, min(DEEPEST, max(STREAM_QOS.depth, needed)))


def deep(qos: QoSProfile) -> QoSProfile:
    """Return a quality of service for a subscription with room for all that waits to be taken."""
    return _with_depth(qos, DEEPEST)


def _with_depth(qos: QoSProfile, depth: int) -> QoSProfile:
    return QoSProfile(history=HistoryPolicy.KEEP_LAST, depth=depth,
                      reliability=qos.reliability, durability=qos.durability)


# What others command: every message counts, but older ones than the reader are stale.
COMMAND_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1000, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE)

# Requests that wait while a node is configured, with room for the ones of many clients; of the ten
# that rclpy lets wait the others would never be answered.
SERVICE_QOS = COMMAND_QOS

# The one message that a late reader needs to understand the others.
LATCHED_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

# For watching: a few of the newest messages are enough, and no publisher waits for readers.
GLANCE_QOS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=20, reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE)

# Devices of other makes may offer less. Inputs take what they offer (AcceptingSubscription); the
# standard parameters `qos_overrides.<topic>.subscription.reliability: best_effort` (and durability:
# volatile) make any subscription match them. Gaps are counted by stamp.
OVERRIDABLE = QoSOverridingOptions(policy_kinds=(
    QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH, QoSPolicyKind.RELIABILITY,
    QoSPolicyKind.DURABILITY))
