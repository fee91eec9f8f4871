"""Something that happened."""


class Event:
    """Base of all events."""

    name = 'launch.Event'
