"""How much of its calls a service publishes on <service name>/_service_event."""
from enum import IntEnum


class ServiceIntrospectionState(IntEnum):
    """What is published: nothing, that there was a call, or its contents too."""

    OFF = 0
    METADATA = 1
    CONTENTS = 2


__all__ = ['ServiceIntrospectionState']
