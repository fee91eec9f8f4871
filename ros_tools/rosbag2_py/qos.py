"""QoS profiles of topics: as bags keep them, for recording and for playing.

In a bag they are dictionaries whose policies have names (numbers in old bags).
"""
import copy

import yaml

NANOSECONDS = 10 ** 9
DURATIONS = ('deadline', 'lifespan', 'liveliness_lease_duration')
RECORD_DEPTH = 5000         # messages: all that Fast DDS has room for
PLAY_DEPTH = 10


def qos_to_dict(qos):
    """The entry of a rclpy QoSProfile in a bag's metadata."""
    entry = {'history': qos.history.name.lower(), 'depth': qos.depth,
             'reliability': qos.reliability.name.lower(), 'durability': qos.durability.name.lower(),
             'deadline': _duration(qos.deadline), 'lifespan': _duration(qos.lifespan),
             'liveliness': qos.liveliness.name.lower(),
             'liveliness_lease_duration': _duration(qos.liveliness_lease_duration),
             'avoid_ros_namespace_conventions': bool(qos.avoid_ros_namespace_conventions)}
    return entry


def qos_from_dict(entry):
    """The rclpy QoSProfile of an entry; what it leaves out has the default.  Raises ValueError."""
    from rclpy import qos
    from rclpy.duration import Duration
    kinds = {'history': qos.HistoryPolicy, 'reliability': qos.ReliabilityPolicy,
             'durability': qos.DurabilityPolicy, 'liveliness': qos.LivelinessPolicy}
    values = {'depth': 10}
    for name, value in entry.items():
        if name in kinds:
            values[name] = _policy(kinds[name], name, value)
        elif name in DURATIONS:
            values[name] = Duration(nanoseconds=_whole(value['sec']) * NANOSECONDS
                                    + _whole(value['nsec']))
        elif name in ('depth', 'avoid_ros_namespace_conventions'):
            values[name] = value
        else:
            raise ValueError(f'{name}: no such QoS policy')
    return qos.QoSProfile(**values)


def qos_list_from_metadata(value):
    """Dictionaries of the QoS profiles in a topic's metadata (a list, or its YAML text)."""
    return (yaml.safe_load(value) if isinstance(value, str) else value) or []


def _whole(value):
    """A whole number: of anything else there would be a thousand million copies."""
    if type(value) is not int:
        raise ValueError(f'{value!r} must be a whole number')
    return value


def _policy(kind, name, value):
    try:
        return kind(value) if isinstance(value, int) else kind[value.upper()]
    except (KeyError, ValueError):
        raise ValueError(f'{name}: {value!r} must be one of '
                         f'{", ".join(policy.name.lower() for policy in kind)}') from None


def _duration(duration):
    seconds, nanoseconds = divmod(duration.nanoseconds, NANOSECONDS)
    return {'sec': seconds, 'nsec': nanoseconds}


def qos_for_recording(offered):
    """The QoS to subscribe with, given what the publishers offer.

    Reliable if all publishers are, and transient local (which brings what was published before) if
    all are.
    """
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
    reliable = all(qos.reliability == ReliabilityPolicy.RELIABLE for qos in offered)
    latched = offered and all(qos.durability == DurabilityPolicy.TRANSIENT_LOCAL for qos in offered)
    return QoSProfile(
        depth=RECORD_DEPTH,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE)


def qos_for_playing(recorded):
    """The QoS to publish with: as recorded; of several publishers, what suits all of them."""
    from rclpy.qos import (
        DurabilityPolicy,
        HistoryPolicy,
        LivelinessPolicy,
        QoSProfile,
        ReliabilityPolicy,
    )
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
