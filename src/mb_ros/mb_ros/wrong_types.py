"""Publishers whose messages never reach a subscription, because they are of another type."""


def wrong_types(node, subscriptions):
    """Return in words who publishes another type on the topics of subscriptions, '' if nobody."""
    return '; '.join(
        f'{subscription.topic_name}: {publisher.node_name} publishes {publisher.topic_type}, '
        f'expected {_type_name(subscription.msg_type)}'
        for subscription in subscriptions
        for publisher in node.get_publishers_info_by_topic(subscription.topic_name)
        if publisher.topic_type != _type_name(subscription.msg_type))


def _type_name(message_type):
    """Return the ROS name of a class of messages."""
    package, kind, *_ = message_type.__module__.split('.')
    return f'{package}/{kind}/{message_type.__name__}'
