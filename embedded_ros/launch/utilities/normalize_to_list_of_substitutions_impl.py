"""Texts and substitutions as a list of substitutions."""
from pathlib import Path

from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution


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
