"""Would a publisher and a subscription with these profiles meet?"""
from rclpy.duration import Duration
from rclpy.impl.qos_policies import DurabilityPolicy, LivelinessPolicy, ReliabilityPolicy

_OPEN = ('SYSTEM_DEFAULT', 'UNKNOWN', 'BEST_AVAILABLE')  # what is used is not known here


def find_conflicts(offered, requested):
    """Give (errors, warnings), two lists of sentences, for a publisher's and a subscription's."""
    errors, warns = [], []
    for check in (_reliability, _durability, _deadline, _liveliness, _lease_duration):
        check(offered, requested, errors, warns)
    return errors, warns


def _reliability(offered, requested, errors, warns):
    pair = offered.reliability, requested.reliability
    if pair == (ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE):
        errors.append('Best effort publisher and reliable subscription')
    elif pair[1] == ReliabilityPolicy.RELIABLE and pair[0].name in _OPEN:
        warns.append(f'Reliable subscription, but publisher is {pair[0].name}')
    elif pair[0] == ReliabilityPolicy.BEST_EFFORT and pair[1].name in _OPEN:
        warns.append(f'Best effort publisher, but subscription is {pair[1].name}')
    elif pair[0].name in _OPEN and pair[1].name in _OPEN:
        warns.append(f'Publisher reliability is {pair[0].name} and subscription reliability is '
                     f'{pair[1].name}')


def _durability(offered, requested, errors, warns):
    pair = offered.durability, requested.durability
    if pair == (DurabilityPolicy.VOLATILE, DurabilityPolicy.TRANSIENT_LOCAL):
        errors.append('Volatile publisher and transient local subscription')
    elif pair[1] == DurabilityPolicy.TRANSIENT_LOCAL and pair[0].name in _OPEN:
        warns.append(f'Transient local subscription, but publisher is {pair[0].name}')
    elif pair[0] == DurabilityPolicy.VOLATILE and pair[1].name in _OPEN:
        warns.append(f'Volatile publisher, but subscription is {pair[1].name}')
    elif pair[0].name in _OPEN and pair[1].name in _OPEN:
        warns.append(f'Publisher durability is {pair[0].name} and subscription durability is '
                     f'{pair[1].name}')


def _deadline(offered, requested, errors, warns):
    if requested.deadline == Duration():
        return
    if offered.deadline == Duration():
        errors.append('Subscription has a deadline, but publisher does not')
    elif requested.deadline < offered.deadline:
        errors.append('Subscription deadline is less than publisher deadline')


def _liveliness(offered, requested, errors, warns):
    pair = offered.liveliness, requested.liveliness
    if pair == (LivelinessPolicy.AUTOMATIC, LivelinessPolicy.MANUAL_BY_TOPIC):
        errors.append("Publisher's liveliness is automatic and subscription's is manual by topic")
    elif pair[1] == LivelinessPolicy.MANUAL_BY_TOPIC and pair[0].name in _OPEN:
        warns.append("Subscription's liveliness is manual by topic, but publisher's is "
                     f'{pair[0].name}')
    elif pair[0] == LivelinessPolicy.AUTOMATIC and pair[1].name in _OPEN:
        warns.append(f"Publisher's liveliness is automatic, but subscription's is {pair[1].name}")
    elif pair[0].name in _OPEN and pair[1].name in _OPEN:
        warns.append(f"Publisher's liveliness is {pair[0].name} and subscription's is "
                     f'{pair[1].name}')


def _lease_duration(offered, requested, errors, warns):
    if requested.liveliness_lease_duration == Duration():
        return
    if offered.liveliness_lease_duration == Duration():
        errors.append('Subscription has a liveliness lease duration, but publisher does not')
    elif requested.liveliness_lease_duration < offered.liveliness_lease_duration:
        errors.append("Subscription's liveliness lease duration is less than publisher's")
