"""Functions which several parts of launch need."""
import asyncio
from collections.abc import Iterable
from pathlib import Path

from ..launch_description_entity import LaunchDescriptionEntity, SomeSubstitutionsType, Substitution


def ensure_argument_type(argument: object, types: type | tuple[type, ...],
                         argument_name: str, caller: str | None = None) -> None:
    """Raise a TypeError that names argument and caller unless the type is among these."""
    if isinstance(argument, types):
        return
    allowed = (types,) if isinstance(types, type) else types
    names = ', '.join(f"'{candidate.__name__}'" for candidate in allowed)
    where = f' in {caller}' if caller else ''
    raise TypeError(f"Expected '{argument_name}'{where} to be of type {names}, "
                    f"but got '{argument!r}' of type '{type(argument)}'")


def normalize_to_list_of_entities(entities: Iterable) -> list[LaunchDescriptionEntity]:
    """Return one entity or nested lists of entities as a flat list."""
    if isinstance(entities, LaunchDescriptionEntity):
        return [entities]
    flat: list[LaunchDescriptionEntity] = []
    for item in entities:
        flat.extend(normalize_to_list_of_entities(item))
    return flat


def normalize_to_list_of_substitutions(subs: SomeSubstitutionsType) -> list[Substitution]:
    """Return a text, a path, a substitution, or an iterable of them as a list of substitutions."""
    if isinstance(subs, (str, Path, Substitution)):
        return [as_substitution(subs)]
    return [as_substitution(item) for item in subs]


def as_substitution(item) -> Substitution:
    """Return a text or a path as TextSubstitution, and a substitution as it is."""
    from ..substitutions import TextSubstitution
    if isinstance(item, Substitution):
        return item
    if isinstance(item, (str, Path)):
        return TextSubstitution(text=str(item))
    raise TypeError(f"Failed to normalize given item of type '{type(item)}', when only "
                    "'str' or 'launch.Substitution' were expected.")


def perform_substitutions(context, subs: Iterable[Substitution]) -> str:
    """Return the joined texts of the substitutions."""
    return ''.join(context.perform_substitution(sub) for sub in subs)


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
