"""ROS nodes in launch files."""
from . import (
    actions,
    descriptions,
    event_handlers,
    events,
    parameter_descriptions,
    substitutions,
    utilities,
)

__all__ = ['actions', 'descriptions', 'event_handlers', 'events', 'parameter_descriptions',
           'substitutions', 'utilities']
