"""Whether a node of the graph is set up."""

TOPICS_OF_EVERY_NODE = ('/clock', '/parameter_events', '/rosout', '/diagnostics')
TRANSITIONS = '/transition_event'       # topic of a managed node, also before it is configured


def is_ready(onlooker, full_name):
    """Tell whether a node is there with topics of its own: those come when it is set up.

    onlooker: the Node that looks; the first slash of the name may be left out.
    """
    namespace, _, name = full_name.rpartition('/')
    place = name, '/' + namespace.lstrip('/')
    try:
        topics = (onlooker.get_publisher_names_and_types_by_node(*place)
                  + onlooker.get_subscriber_names_and_types_by_node(*place))
    except RuntimeError:        # no node of this name
        return False
    return any(topic not in TOPICS_OF_EVERY_NODE and not topic.endswith(TRANSITIONS)
               for topic, _ in topics)
