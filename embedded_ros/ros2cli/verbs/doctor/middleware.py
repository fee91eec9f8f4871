"""The middleware, and whether publishers and subscriptions of a topic fit together."""
from itertools import product

from rclpy.qos import QoSCompatibility, qos_check_compatible
from rclpy.utilities import get_rmw_implementation_identifier

from ros2cli.names import get_topic_names_and_types
from ros2cli.verbs.doctor.finding import Finding, Section

NAMES = ('topic [type]', 'publisher node', 'subscriber node', 'compatibility status')


def examine(node):
    """Return the Finding."""
    section = Section('QOS COMPATIBILITY LIST')
    errors, warnings = [], []
    for topic, types in get_topic_names_and_types(node):
        pairs = product(node.get_publishers_info_by_topic(topic),
                        node.get_subscriptions_info_by_topic(topic))
        for publisher, subscription in pairs:
            fits, reason = qos_check_compatible(publisher.qos_profile, subscription.qos_profile)
            section.add(*zip(NAMES, (f'{topic} [{", ".join(types)}]', publisher.node_name,
                                     subscription.node_name, reason or 'OK'), strict=True))
            if fits != QoSCompatibility.OK:
                kind = errors if fits == QoSCompatibility.ERROR else warnings
                kind.append(f'QoS of {publisher.node_name} and {subscription.node_name} on '
                            f'{topic}: {reason}')
    if not section.items:
        section.add(*((name, 'none') for name in NAMES))
    middleware = Section('RMW MIDDLEWARE',
                         [('middleware name', get_rmw_implementation_identifier())])
    return Finding([section, middleware], errors, warnings)
