"""Entities, given in any form, as a flat list."""
from collections.abc import Iterable

from ..launch_description_entity import LaunchDescriptionEntity


def normalize_to_list_of_entities(entities: Iterable) -> list[LaunchDescriptionEntity]:
    """Return one entity or nested lists of entities as a flat list."""
    if isinstance(entities, LaunchDescriptionEntity):
        return [entities]
    flat: list[LaunchDescriptionEntity] = []
    for item in entities:
        flat.extend(normalize_to_list_of_entities(item))
    return flat
