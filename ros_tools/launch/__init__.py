"""Describe a system of processes, start it, and react to what happens to it."""
# These two need the actions above.
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
from .launch_description_entity import LaunchDescriptionEntity, SomeEntitiesType
from .launch_description_source import LaunchDescriptionSource
from .launch_introspector import LaunchIntrospector
from .launch_service import LaunchService
from .substitution import (
    SomeSubstitutionsType,
    SomeSubstitutionsType_types_tuple,
    Substitution,
)

__all__ = [
    'Action', 'BaseEventHandler', 'Condition', 'Event', 'EventHandler', 'InvalidLaunchFileError',
    'LaunchContext', 'LaunchDescription', 'LaunchDescriptionEntity', 'LaunchDescriptionSource',
    'LaunchIntrospector', 'LaunchService', 'SomeEntitiesType', 'SomeSubstitutionsType',
    'SomeSubstitutionsType_types_tuple', 'Substitution', 'actions', 'conditions',
    'event_handlers', 'events', 'frontend', 'launch_description_sources', 'logging',
    'substitutions',
]
