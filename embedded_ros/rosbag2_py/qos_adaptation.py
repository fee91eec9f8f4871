"""QoS that gets all that is offered when recording, and offers what was recorded when playing."""
import copy

from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    LivelinessPolicy,
    QoSProfile,
    ReliabilityPolicy,
)

RECORD_DEPTH = 10_000       # messages; a whole latched history and any burst fit in
PLAY_DEPTH = 10


def qos_for_recording(offered):
    """The QoS to subscribe with, given what the publishers offer.

    Reliable if all publishers are, and transient local (which brings what was published before) if
    all are.
    """
    reliable = all(qos.reliability == ReliabilityPolicy.RELIABLE for qos in offered)
    latched = offered and all(qos.durability == DurabilityPolicy.TRANSIENT_LOCAL for qos in offered)
    return QoSProfile(
        depth=RECORD_DEPTH,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE)


def qos_for_playing(recorded):
    """The QoS to publish with: as recorded; of several publishers, what suits all of them."""
    if not recorded:
        return QoSProfile(depth=PLAY_DEPTH)
    profile = copy.copy(recorded[0])
    if any(qos.durability == DurabilityPolicy.TRANSIENT_LOCAL for qos in recorded):
        profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
    if any(qos.reliability == ReliabilityPolicy.RELIABLE for qos in recorded):
        profile.reliability = ReliabilityPolicy.RELIABLE
    if profile.history not in (HistoryPolicy.KEEP_LAST, HistoryPolicy.KEEP_ALL):
        profile.history = HistoryPolicy.KEEP_LAST
    profile.depth = max(qos.depth for qos in recorded) or PLAY_DEPTH
    if profile.liveliness != LivelinessPolicy.MANUAL_BY_TOPIC:
        profile.liveliness = LivelinessPolicy.AUTOMATIC
    return profile
