"""Topics without a subscriber or without a publisher."""
from ros2cli.names import get_topic_names_and_types
from ros2cli.verbs.doctor.finding import Finding, Section

OF_EVERY_NODE = ('/parameter_events', '/rosout')


def examine(node):
    """Return the Finding."""
    section, warnings = Section('TOPIC LIST'), []
    for topic, _ in get_topic_names_and_types(node):
        if topic in OF_EVERY_NODE:
            continue
        publishers, subscribers = node.count_publishers(topic), node.count_subscribers(topic)
        section.add(('topic', topic), ('publisher count', publishers),
                    ('subscriber count', subscribers))
        if publishers and not subscribers:
            warnings.append(f'Publisher without subscriber detected on {topic}.')
        if subscribers and not publishers:
            warnings.append(f'Subscriber without publisher detected on {topic}.')
    if not section.items:
        section.add(('topic', 'none'), ('publisher count', 0), ('subscriber count', 0))
    return Finding([section], warnings=warnings)
