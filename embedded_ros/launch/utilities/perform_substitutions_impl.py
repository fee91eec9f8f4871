"""The text of several substitutions."""
from collections.abc import Iterable

from ..substitution import Substitution


def perform_substitutions(context, subs: Iterable[Substitution]) -> str:
    """Return the joined texts of the substitutions."""
    return ''.join(context.perform_substitution(sub) for sub in subs)
