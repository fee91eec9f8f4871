"""QoS profiles that say BEST_AVAILABLE, settled by what is there."""
import copy

from embedded_ros.dds.qos import (
    AUTOMATIC,
    BEST_AVAILABLE_DURABILITY,
    BEST_AVAILABLE_LIVELINESS,
    BEST_AVAILABLE_RELIABILITY,
    BEST_EFFORT,
    MANUAL_BY_TOPIC,
    RELIABLE,
    TRANSIENT_LOCAL,
    VOLATILE,
)

from rclpy.duration import Duration
from rclpy.qos import DeadlineBestAvailable


def settle(profile, counterparts, offering=False):
    """The strictest profile that all of counterparts() (a list of dds Qos) go with.

    A publisher (`offering`) just offers the most. Profiles without BEST_AVAILABLE are given back
    as they are, and counterparts() is not called.
    """
    open_policies = [
        name for name, mark in (
            ('reliability', BEST_AVAILABLE_RELIABILITY), ('durability', BEST_AVAILABLE_DURABILITY),
            ('liveliness', BEST_AVAILABLE_LIVELINESS), ('deadline', DeadlineBestAvailable),
            ('liveliness_lease_duration', DeadlineBestAvailable))
        if getattr(profile, name) == mark]
    if not open_policies:
        return profile
    others, settled = [] if offering else counterparts(), copy.copy(profile)
    strict = {
        'reliability': (RELIABLE, BEST_EFFORT), 'durability': (TRANSIENT_LOCAL, VOLATILE),
        'liveliness': (AUTOMATIC if offering else MANUAL_BY_TOPIC, AUTOMATIC)}
    for name in open_policies:
        if name in strict:
            best, least = strict[name]
            fits = all(getattr(other, name) == best for other in others)
            setattr(settled, name, best if fits else least)
        else:
            longest = max((getattr(other, name) for other in others), default=0)
            setattr(settled, name, Duration(nanoseconds=longest))
    return settled
