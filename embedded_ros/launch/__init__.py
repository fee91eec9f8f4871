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
from .condition import Condition
from .event import Event
from .event_handler import BaseEventHandler, EventHandler
from .invalid_launch_file_error import InvalidLaunchFileError
from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .launch_description_entity import LaunchDescriptionEntity
from .launch_description_source import LaunchDescriptionSource
from .launch_introspector import LaunchIntrospector
from .launch_service import LaunchService
from .some_entities_type import SomeEntitiesType, SomeEntitiesType_types_tuple
from .some_substitutions_type import SomeSubstitutionsType, SomeSubstitutionsType_types_tuple
from .substitution import Substitution

__all__ = [
    'Action', 'BaseEventHandler', 'Condition', 'Event', 'EventHandler', 'InvalidLaunchFileError',
    'LaunchContext', 'LaunchDescription', 'LaunchDescriptionEntity', 'LaunchDescriptionSource',
    'LaunchIntrospector', 'LaunchService', 'SomeEntitiesType', 'SomeEntitiesType_types_tuple',
    'SomeSubstitutionsType', 'SomeSubstitutionsType_types_tuple', 'Substitution', 'actions',
    'conditions', 'event_handlers', 'events', 'frontend', 'launch_description_sources', 'logging',
    'substitutions',
]
