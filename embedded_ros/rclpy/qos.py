"""Quality of service: profiles, ready-made ones, and which go together."""
from enum import Enum, IntEnum
import warnings

from rclpy.duration import Duration, Infinite
from rclpy.impl.qos_policies import (
    DurabilityPolicy,
    HistoryPolicy,
    LivelinessPolicy,
    QoSPolicyEnum,
    QoSPolicyKind,
    ReliabilityPolicy,
    qos_policy_name_from_kind,
)

QoSHistoryPolicy = HistoryPolicy
QoSReliabilityPolicy = ReliabilityPolicy
QoSDurabilityPolicy = DurabilityPolicy
QoSLivelinessPolicy = LivelinessPolicy

DeadlineBestAvailable = Duration(nanoseconds=Infinite.nanoseconds - 1)
LivelinessLeaseDurationeBestAvailable = DeadlineBestAvailable


class InvalidQoSProfileException(Exception):
    """A profile lacks a setting."""

    def __init__(self, *args):
        super().__init__('Invalid QoSProfile', *args)


class QoSProfile:
    """All policies of a publisher, subscription, client or service.

    Either history or depth must be given; the other policies default to reliable, volatile, no
    deadline, no lifespan.
    """

    __slots__ = [
        '_history', '_depth', '_reliability', '_durability', '_lifespan', '_deadline',
        '_liveliness', '_liveliness_lease_duration', '_avoid_ros_namespace_conventions']

    def __init__(self, **kwargs):
        unknown = [name for name in kwargs if '_' + name not in self.__slots__]
        if unknown:
            raise AssertionError(f'Invalid arguments passed to constructor: {", ".join(unknown)}')
        if 'history' not in kwargs:
            if 'depth' not in kwargs:
                raise InvalidQoSProfileException('History and/or depth settings are required.')
            kwargs['history'] = HistoryPolicy.KEEP_LAST
        self.history = kwargs['history']
        if self.history == HistoryPolicy.KEEP_LAST and 'depth' not in kwargs:
            raise InvalidQoSProfileException(
                'History set to KEEP_LAST without a depth setting.')
        self.depth = kwargs.get('depth', 10)
        self.reliability = kwargs.get('reliability', ReliabilityPolicy.RELIABLE)
        self.durability = kwargs.get('durability', DurabilityPolicy.VOLATILE)
        self.lifespan = kwargs.get('lifespan', Duration())
        self.deadline = kwargs.get('deadline', Duration())
        self.liveliness = kwargs.get('liveliness', LivelinessPolicy.SYSTEM_DEFAULT)
        self.liveliness_lease_duration = kwargs.get('liveliness_lease_duration', Duration())
        self.avoid_ros_namespace_conventions = kwargs.get('avoid_ros_namespace_conventions', False)

    @property
    def history(self):
        return self._history

    @history.setter
    def history(self, value):
        _check(value, (HistoryPolicy, int), 'history')
        self._history = HistoryPolicy(value)

    @property
    def depth(self):
        return self._depth

    @depth.setter
    def depth(self, value):
        _check(value, int, 'depth')
        if self.history == HistoryPolicy.KEEP_LAST and value == 0:
            warnings.warn(
                "A zero depth with KEEP_LAST doesn't make sense; no data could be stored. "
                'This will be interpreted as SYSTEM_DEFAULT', stacklevel=2)
        self._depth = value

    @property
    def reliability(self):
        return self._reliability

    @reliability.setter
    def reliability(self, value):
        _check(value, (ReliabilityPolicy, int), 'reliability')
        self._reliability = ReliabilityPolicy(value)

    @property
    def durability(self):
        return self._durability

    @durability.setter
    def durability(self, value):
        _check(value, (DurabilityPolicy, int), 'durability')
        self._durability = DurabilityPolicy(value)

    @property
    def lifespan(self):
        return self._lifespan

    @lifespan.setter
    def lifespan(self, value):
        _check(value, Duration, 'lifespan')
        self._lifespan = value

    @property
    def deadline(self):
        return self._deadline

    @deadline.setter
    def deadline(self, value):
        _check(value, Duration, 'deadline')
        self._deadline = value

    @property
    def liveliness(self):
        return self._liveliness

    @liveliness.setter
    def liveliness(self, value):
        _check(value, (LivelinessPolicy, int), 'liveliness')
        self._liveliness = LivelinessPolicy(value)

    @property
    def liveliness_lease_duration(self):
        return self._liveliness_lease_duration

    @liveliness_lease_duration.setter
    def liveliness_lease_duration(self, value):
        _check(value, Duration, 'liveliness_lease_duration')
        self._liveliness_lease_duration = value

    @property
    def avoid_ros_namespace_conventions(self):
        return self._avoid_ros_namespace_conventions

    @avoid_ros_namespace_conventions.setter
    def avoid_ros_namespace_conventions(self, value):
        _check(value, bool, 'avoid_ros_namespace_conventions')
        self._avoid_ros_namespace_conventions = value

    def get_c_qos_profile(self):
        """The policies in the shape of the C extension's struct."""
        from rclpy.impl.qos_struct import rmw_qos_profile_t
        return rmw_qos_profile_t(*(getattr(self, slot) for slot in QoSProfile.__slots__))

    def __eq__(self, other):
        if not isinstance(other, QoSProfile):
            return False
        return all(getattr(self, slot) == getattr(other, slot) for slot in QoSProfile.__slots__)

    def __str__(self):
        values = []
        for slot in QoSProfile.__slots__:
            value = getattr(self, slot)
            text = value.name if isinstance(value, Enum) else str(value)
            values.append(f'{slot[1:]}={text}')
        return f'{type(self).__name__}({", ".join(values)})'


def _check(value, expected, name):
    if not isinstance(value, expected):
        raise AssertionError(f"'{name}' cannot be {value!r}")


def _profile(depth, reliability='RELIABLE', durability='VOLATILE', history='KEEP_LAST',
             liveliness='SYSTEM_DEFAULT', deadline=None):
    limit = deadline or Duration()
    return QoSProfile(
        history=HistoryPolicy[history], depth=depth, reliability=ReliabilityPolicy[reliability],
        durability=DurabilityPolicy[durability], liveliness=LivelinessPolicy[liveliness],
        deadline=limit, liveliness_lease_duration=limit)


qos_profile_unknown = _profile(0, 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN')
qos_profile_default = _profile(10)
qos_profile_system_default = _profile(
    0, 'SYSTEM_DEFAULT', 'SYSTEM_DEFAULT', 'SYSTEM_DEFAULT')
qos_profile_sensor_data = _profile(5, 'BEST_EFFORT')
qos_profile_services_default = _profile(10)
qos_profile_parameters = _profile(1000)
qos_profile_parameter_events = _profile(1000)
qos_profile_action_status_default = _profile(1, durability='TRANSIENT_LOCAL')
qos_profile_rosout_default = QoSProfile(
    depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL, lifespan=Duration(seconds=10))
qos_profile_best_available = _profile(
    10, 'BEST_AVAILABLE', 'BEST_AVAILABLE', liveliness='BEST_AVAILABLE',
    deadline=DeadlineBestAvailable)


class QoSPresetProfiles(Enum):
    """The ready-made profiles by name."""

    UNKNOWN = qos_profile_unknown
    DEFAULT = qos_profile_default
    SYSTEM_DEFAULT = qos_profile_system_default
    SENSOR_DATA = qos_profile_sensor_data
    SERVICES_DEFAULT = qos_profile_services_default
    PARAMETERS = qos_profile_parameters
    PARAMETER_EVENTS = qos_profile_parameter_events
    ACTION_STATUS_DEFAULT = qos_profile_action_status_default
    BEST_AVAILABLE = qos_profile_best_available

    @classmethod
    def short_keys(cls):
        """Names in lower case."""
        return [name.lower() for name in cls.__members__]

    @classmethod
    def get_from_short_key(cls, name):
        """The profile with this name, in any case."""
        return cls[name.upper()].value


class QoSCompatibility(IntEnum):
    """Do two profiles go together? WARNING: that depends on what is not known here."""

    OK = 0
    WARNING = 1
    ERROR = 2


def qos_check_compatible(publisher_qos, subscription_qos):
    """Would a publisher and a subscription meet? Gives (QoSCompatibility, reason)."""
    from rclpy.impl.qos_compatibility import find_conflicts
    errors, warns = find_conflicts(publisher_qos, subscription_qos)
    if errors:
        return QoSCompatibility.ERROR, ' '.join(f'ERROR: {text};' for text in errors)
    if warns:
        return QoSCompatibility.WARNING, ' '.join(f'WARNING: {text};' for text in warns)
    return QoSCompatibility.OK, ''


__all__ = [
    'DeadlineBestAvailable', 'DurabilityPolicy', 'HistoryPolicy', 'InvalidQoSProfileException',
    'LivelinessLeaseDurationeBestAvailable', 'LivelinessPolicy', 'QoSCompatibility',
    'QoSDurabilityPolicy', 'QoSHistoryPolicy', 'QoSLivelinessPolicy', 'QoSPolicyEnum',
    'QoSPolicyKind', 'QoSPresetProfiles', 'QoSProfile', 'QoSReliabilityPolicy',
    'ReliabilityPolicy', 'qos_check_compatible', 'qos_policy_name_from_kind',
    'qos_profile_action_status_default', 'qos_profile_best_available', 'qos_profile_default',
    'qos_profile_parameter_events', 'qos_profile_parameters', 'qos_profile_rosout_default',
    'qos_profile_sensor_data', 'qos_profile_services_default', 'qos_profile_system_default',
    'qos_profile_unknown']
