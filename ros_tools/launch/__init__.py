"""Describe a system of processes, start it, and react to what happens to it."""
# These two need the actions above.
from ros_tools import missing_in

from . import (
    actions,
    conditions,
    event_handlers,
    events,
    frontend,
    launch_description_sources,
    logging,
    substitutions,
)
from .action import Action
from .conditions import Condition
from .event_handlers import BaseEventHandler, EventHandler
from .events import Event
from .invalid_launch_file_error import InvalidLaunchFileError
from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .launch_description_entity import (
    LaunchDescriptionEntity,
    SomeEntitiesType,
    SomeSubstitutionsType,
    SomeSubstitutionsType_types_tuple,
    Substitution,
)
from .launch_description_sources import LaunchDescriptionSource
from .launch_service import LaunchService

__all__ = [
    'Action', 'BaseEventHandler', 'Condition', 'Event', 'EventHandler', 'InvalidLaunchFileError',
    'LaunchContext', 'LaunchDescription', 'LaunchDescriptionEntity', 'LaunchDescriptionSource',
    'LaunchService', 'SomeEntitiesType', 'SomeSubstitutionsType',
    'SomeSubstitutionsType_types_tuple', 'Substitution', 'actions', 'conditions',
    'event_handlers', 'events', 'frontend', 'launch_description_sources', 'logging',
    'substitutions',
]

__getattr__ = missing_in(__name__)
