"""Quality of service that parameters may override when a publisher or subscription is made."""
from rclpy.duration import Duration
from rclpy.exceptions import ParameterAlreadyDeclaredException
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    LivelinessPolicy,
    QoSPolicyKind,
    ReliabilityPolicy,
)

_ENUMS = {QoSPolicyKind.HISTORY: HistoryPolicy, QoSPolicyKind.RELIABILITY: ReliabilityPolicy,
          QoSPolicyKind.DURABILITY: DurabilityPolicy, QoSPolicyKind.LIVELINESS: LivelinessPolicy}
_DURATIONS = (QoSPolicyKind.DEADLINE, QoSPolicyKind.LIFESPAN,
              QoSPolicyKind.LIVELINESS_LEASE_DURATION)
_SUBSCRIPTION_POLICIES = (
    QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH, QoSPolicyKind.RELIABILITY,
    QoSPolicyKind.DURABILITY, QoSPolicyKind.DEADLINE, QoSPolicyKind.LIVELINESS,
    QoSPolicyKind.LIVELINESS_LEASE_DURATION, QoSPolicyKind.AVOID_ROS_NAMESPACE_CONVENTIONS)
_PUBLISHER_POLICIES = (*_SUBSCRIPTION_POLICIES, QoSPolicyKind.LIFESPAN)


class InvalidQosOverridesError(Exception):
    """The overridden profile was refused by the callback."""


class QosCallbackResult:
    """What a callback says about a profile: .successful, and .reason where it refuses."""

    def __init__(self):
        self.successful = False
        self.reason = ''


class QoSOverridingOptions:
    """Which policies parameters may override.

    The parameters are called qos_overrides.<topic>.<publisher|subscription>[_id].<policy> and are
    read-only; callback(profile) -> QosCallbackResult may refuse the outcome.
    """

    def __init__(self, policy_kinds, *, callback=None, entity_id=None):
        self._policy_kinds = policy_kinds
        self._callback = callback
        self._entity_id = entity_id

    @property
    def policy_kinds(self):
        return self._policy_kinds

    @property
    def callback(self):
        return self._callback

    @property
    def entity_id(self):
        """Distinguishes several publishers or subscriptions of one topic in one node."""
        return self._entity_id

    @classmethod
    def with_default_policies(cls, *, callback=None, entity_id=None):
        """Options for history, depth and reliability."""
        return cls((QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH, QoSPolicyKind.RELIABILITY),
                   callback=callback, entity_id=entity_id)


def _declare_qos_parameters(entity_type, node, topic_name, qos, options):
    """Declare the parameters and put their values into the profile qos."""
    from rcl_interfaces.msg import ParameterDescriptor
    kind, allowed = _kind_and_policies(entity_type)
    suffix = '' if options.entity_id is None else f'_{options.entity_id}'
    prefix = f'qos_overrides.{topic_name}.{kind}{suffix}.'
    subject = f'for {kind} `{topic_name}` with id `{options.entity_id}`'
    for policy in options.policy_kinds:
        if policy not in allowed:
            continue
        name = policy.name.lower()
        descriptor = ParameterDescriptor(description=f'{name} {subject}', read_only=True)
        try:
            parameter = node.declare_parameter(
                prefix + name, _get_qos_policy_parameter(qos, policy), descriptor)
        except ParameterAlreadyDeclaredException:
            parameter = node.get_parameter(prefix + name)
        _override_qos_policy_with_param(qos, policy, parameter)
    if options.callback is not None:
        result = options.callback(qos)
        if not result.successful:
            raise InvalidQosOverridesError(
                f'Provided QoS overrides {subject} are not valid: {result.reason}')


def _kind_and_policies(entity_type):
    from rclpy.publisher import Publisher
    from rclpy.subscription import Subscription
    if issubclass(entity_type, Publisher):
        return 'publisher', _PUBLISHER_POLICIES
    if issubclass(entity_type, Subscription):
        return 'subscription', _SUBSCRIPTION_POLICIES
    raise TypeError('Argument `entity_type` should be a subclass of Publisher or Subscription')


def _get_qos_policy_parameter(qos, policy):
    """A policy of a profile as parameter value: short key, nanoseconds, int or bool."""
    value = getattr(qos, policy.name.lower())
    if policy in _ENUMS:
        value = value.short_key
        if value == 'unknown':
            raise ValueError('User provided QoS profile is invalid')
    elif policy in _DURATIONS:
        value = value.nanoseconds
    return value


def _override_qos_policy_with_param(qos, policy, parameter):
    """Put a parameter's value into a profile."""
    value, name = parameter.value, policy.name.lower()
    if policy in _ENUMS:
        keys = _ENUMS[policy].short_keys()
        if value not in keys or value == 'unknown':
            raise InvalidQosOverridesError(
                f"{parameter.name}: '{value}' is not one of "
                f"{', '.join(key for key in keys if key != 'unknown')}")
        value = _ENUMS[policy].get_from_short_key(value)
    elif policy in _DURATIONS:
        value = Duration(nanoseconds=value)
    setattr(qos, name, value)
