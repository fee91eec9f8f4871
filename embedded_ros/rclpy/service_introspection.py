"""How much of its calls a service tells, and to whom: <service name>/_service_event."""
from enum import IntEnum


class ServiceIntrospectionState(IntEnum):
    """What is told: nothing, that there was a call, or its contents too."""

    OFF = 0
    METADATA = 1
    CONTENTS = 2


__all__ = ['ServiceIntrospectionState']
