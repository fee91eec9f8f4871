"""Which engine of `fit` finds what: one table, in the order in which they run."""

from collections.abc import Mapping, Sequence

from mb_estimators.fitting.by_forces import FORCES
from mb_estimators.fitting.request import Engine, FitRequest

ENGINES: Mapping[str, Engine] = {'forces': FORCES}
DEFAULT = 'forces'


def groups() -> dict[str, str]:
    """Return the groups of all engines: name -> what they mean."""
    return {name: text for engine in ENGINES.values() for name, text in engine.groups.items()}


def chosen_engines(request: FitRequest, words: Sequence[str]) -> list[tuple[Engine, list[str]]]:
    """Return the engines that fit the words of --free, in order, each with its own words.

    A word belongs to the first engine that takes it; what none takes, and no word at all, to the
    default one, which knows why not.
    """
    own: dict[str, list[str]] = {name: [] for name in ENGINES}
    for word in words:
        own[next((name for name, engine in ENGINES.items() if engine.takes(request, word)),
                 DEFAULT)].append(word)
    return [(ENGINES[name], those) for name, those in own.items()
            if those or (not words and name == DEFAULT)]
