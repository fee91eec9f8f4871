"""Publishers whose messages never reach a subscription, because they are of another type."""

from mb_ros.type_names import type_name


def wrong_types(node, subscriptions):
    """Name publishers of another type on the topics of subscriptions, '' if there are none."""
    return '; '.join(
        f'{subscription.topic_name}: {publisher.node_name} publishes {publisher.topic_type}, '
        f'expected {type_name(subscription.msg_type)}'
        for subscription in subscriptions
        for publisher in node.get_publishers_info_by_topic(subscription.topic_name)
        if publisher.topic_type != type_name(subscription.msg_type))
