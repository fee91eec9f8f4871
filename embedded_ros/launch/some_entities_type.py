"""Type of an entity or several."""
import collections.abc
from collections.abc import Iterable
from typing import Union

from .launch_description_entity import LaunchDescriptionEntity

SomeEntitiesType = Union[LaunchDescriptionEntity, Iterable[LaunchDescriptionEntity]]
SomeEntitiesType_types_tuple = (LaunchDescriptionEntity, collections.abc.Iterable)
