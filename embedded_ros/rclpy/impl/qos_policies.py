"""The policies of quality of service and their values."""
from enum import IntEnum


class QoSPolicyKind(IntEnum):
    """Kinds of policies, as QoS events and overriding options name them."""

    INVALID = 1 << 0
    DURABILITY = 1 << 1
    DEADLINE = 1 << 2
    LIVELINESS = 1 << 3
    RELIABILITY = 1 << 4
    HISTORY = 1 << 5
    LIFESPAN = 1 << 6
    DEPTH = 1 << 7
    LIVELINESS_LEASE_DURATION = 1 << 8
    AVOID_ROS_NAMESPACE_CONVENTIONS = 1 << 9


def qos_policy_name_from_kind(policy_kind):
    """Name of a policy kind given as QoSPolicyKind or number."""
    return QoSPolicyKind(policy_kind).name


class QoSPolicyEnum(IntEnum):
    """Base of the policies: their values have short keys, as the command line uses them."""

    @classmethod
    def short_keys(cls):
        """Short keys of all values, in lower case."""
        return [name.lower() for name in cls.__members__ if not name.startswith('RMW')]

    @classmethod
    def get_from_short_key(cls, name):
        """Number of the value with this short key."""
        return cls[name.upper()].value

    @property
    def short_key(self):
        for name, member in type(self).__members__.items():
            if not name.startswith('RMW') and self.value == member:
                return name.lower()
        raise AttributeError(f'failed to find value {self.value} in {type(self).__name__}')


class HistoryPolicy(QoSPolicyEnum):
    """How many messages are kept for a reader that is slow or not yet there."""

    SYSTEM_DEFAULT = 0
    RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT = SYSTEM_DEFAULT
    KEEP_LAST = 1
    RMW_QOS_POLICY_HISTORY_KEEP_LAST = KEEP_LAST
    KEEP_ALL = 2
    RMW_QOS_POLICY_HISTORY_KEEP_ALL = KEEP_ALL
    UNKNOWN = 3
    RMW_QOS_POLICY_HISTORY_UNKNOWN = UNKNOWN


class ReliabilityPolicy(QoSPolicyEnum):
    """Whether lost messages are sent again."""

    SYSTEM_DEFAULT = 0
    RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT = SYSTEM_DEFAULT
    RELIABLE = 1
    RMW_QOS_POLICY_RELIABILITY_RELIABLE = RELIABLE
    BEST_EFFORT = 2
    RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT = BEST_EFFORT
    UNKNOWN = 3
    RMW_QOS_POLICY_RELIABILITY_UNKNOWN = UNKNOWN
    BEST_AVAILABLE = 4
    RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE = BEST_AVAILABLE


class DurabilityPolicy(QoSPolicyEnum):
    """Whether a late subscription gets earlier messages."""

    SYSTEM_DEFAULT = 0
    RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT = SYSTEM_DEFAULT
    TRANSIENT_LOCAL = 1
    RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL = TRANSIENT_LOCAL
    VOLATILE = 2
    RMW_QOS_POLICY_DURABILITY_VOLATILE = VOLATILE
    UNKNOWN = 3
    RMW_QOS_POLICY_DURABILITY_UNKNOWN = UNKNOWN
    BEST_AVAILABLE = 4
    RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE = BEST_AVAILABLE


class LivelinessPolicy(QoSPolicyEnum):
    """How a publisher shows that it is alive."""

    SYSTEM_DEFAULT = 0
    RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT = SYSTEM_DEFAULT
    AUTOMATIC = 1
    RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = AUTOMATIC
    MANUAL_BY_TOPIC = 3
    RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC = MANUAL_BY_TOPIC
    UNKNOWN = 4
    RMW_QOS_POLICY_LIVELINESS_UNKNOWN = UNKNOWN
    BEST_AVAILABLE = 5
    RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE = BEST_AVAILABLE
