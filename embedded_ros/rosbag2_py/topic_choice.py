"""Which topics of the graph are recorded."""
import re

from rclpy.topic_or_service_is_hidden import topic_or_service_is_hidden


class TopicChoice:
    """Decides by the options of a recorder; names must be absolute."""

    def __init__(self, options):
        self._options = options
        self._topics = set(options.topics)

    def includes(self, topic, kind):
        """Whether the topic of this type is to be recorded."""
        options = self._options
        if topic in options.exclude_topics or kind in options.exclude_topic_types:
            return False
        if options.exclude_regex and re.search(options.exclude_regex, topic):
            return False
        if topic in self._topics:
            return True
        if topic_or_service_is_hidden(topic) and not options.include_hidden_topics:
            return False
        return (options.all_topics or kind in options.topic_types
                or bool(options.regex and re.search(options.regex, topic)))

    def is_complete(self, recorded):
        """Whether no more topics can come: only names were given, and all are recorded."""
        options = self._options
        return (
            not (options.all_topics or options.topic_types or options.regex)
            and self._topics <= recorded
        )
