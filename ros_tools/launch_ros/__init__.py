"""ROS nodes in launch files."""
from . import (
    actions,
    event_handlers,
    events,
    parameter_descriptions,
    substitutions,
    utilities,
)

__all__ = ['actions', 'event_handlers', 'events', 'parameter_descriptions', 'substitutions',
           'utilities']
