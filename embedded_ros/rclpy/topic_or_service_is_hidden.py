"""Hidden names."""
HIDDEN_TOPIC_PREFIX = '_'
TOPIC_SEPERATOR = '/'


def topic_or_service_is_hidden(name):
    """Whether any token of the name begins with an underscore."""
    return any(token.startswith(HIDDEN_TOPIC_PREFIX) for token in name.split(TOPIC_SEPERATOR))
