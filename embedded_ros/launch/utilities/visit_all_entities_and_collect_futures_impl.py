"""Visit an entity and all that follows from it."""
import asyncio

from ..launch_description_entity import LaunchDescriptionEntity


def visit_all_entities_and_collect_futures(
        entity: LaunchDescriptionEntity, context
) -> list[tuple[LaunchDescriptionEntity, asyncio.Future]]:
    """Visit depth first; return (entity, future) for each entity that is not done at once."""
    sub_entities = entity.visit(context)
    pairs = []
    future = entity.get_asyncio_future()
    if future is not None:
        pairs.append((entity, future))
    for sub_entity in sub_entities or ():
        pairs.extend(visit_all_entities_and_collect_futures(sub_entity, context))
    return pairs
