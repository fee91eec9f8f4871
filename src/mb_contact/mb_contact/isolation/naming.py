"""Naming of the touched body by hypotheses: one body, or several possible ones."""

from collections.abc import Iterable

DECIDED = 0.7       # probability from which on one hypothesis is named alone


def likeliest(hypotheses: Iterable[tuple[str, float]], probability: float = DECIDED) -> list[str]:
    """Return the fewest hypotheses that together have a probability.

    hypotheses: (what, probability) of each, the likeliest first; more than one of them: ambiguous.
    All of them if they do not reach it.
    """
    named, total = [], 0.0
    for what, share in hypotheses:
        named.append(what)
        total += share
        if total >= probability:
            break
    return named
