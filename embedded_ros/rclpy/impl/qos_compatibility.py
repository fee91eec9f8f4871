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
    _ranked('reliability', offered.reliability, requested.reliability,
            ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE, errors, warns)


def _durability(offered, requested, errors, warns):
    _ranked('durability', offered.durability, requested.durability,
            DurabilityPolicy.VOLATILE, DurabilityPolicy.TRANSIENT_LOCAL, errors, warns)


def _ranked(policy, offered, requested, weak, strong, errors, warns):
    """Compare a policy of two levels: a weak publisher does not serve a strong subscription."""
    weak_name, strong_name = (level.name.lower().replace('_', ' ') for level in (weak, strong))
    if (offered, requested) == (weak, strong):
        errors.append(f'{weak_name.capitalize()} publisher and {strong_name} subscription')
    elif requested == strong and offered.name in _OPEN:
        warns.append(f'{strong_name.capitalize()} subscription, but publisher is {offered.name}')
    elif offered == weak and requested.name in _OPEN:
        warns.append(f'{weak_name.capitalize()} publisher, but subscription is {requested.name}')
    elif offered.name in _OPEN and requested.name in _OPEN:
        warns.append(f'Publisher {policy} is {offered.name} and subscription {policy} is '
                     f'{requested.name}')


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
