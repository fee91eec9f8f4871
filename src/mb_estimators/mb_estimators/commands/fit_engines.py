"""Which engine of `fit` finds what: one table, in the order in which they run."""

from collections.abc import Collection, Mapping, Sequence

from mb_estimators.commands.fit_request import Engine, FitRequest
from mb_estimators.commands.fit_to_forces import FORCES
from mb_estimators.commands.fit_to_motion import MOUNTINGS
from mb_estimators.commands.fit_to_oil import OIL
from mb_estimators.commands.fit_to_readings import READINGS
from mb_estimators.commands.fit_to_truth import TRUTH
from mb_estimators.fitting.fit_settings import FitError

ENGINES: Mapping[str, Engine] = {
    'truth': TRUTH, 'mountings': MOUNTINGS, 'oil': OIL, 'forces': FORCES, 'readings': READINGS}


def groups() -> dict[str, str]:
    """Return the groups of all engines: name -> what they mean."""
    return {name: text for engine in ENGINES.values() for name, text in engine.groups.items()}


def chosen_engines(request: FitRequest, words: Sequence[str]) -> list[tuple[Engine, list[str]]]:
    """Return the engines that fit the words of --free, in order, each with its own words.

    A word belongs to the first engine that takes it, the last of which takes any; no word at all
    ('') to the first that needs none.  Raises FitError for an option that none of them takes.
    """
    own: dict[str, list[str]] = {}
    for word in words or ['']:
        name = next(name for name, engine in ENGINES.items() if engine.takes(request, word))
        own.setdefault(name, []).extend([word] if word else [])
    _require_taken(request, own)
    return [(engine, own[name]) for name, engine in ENGINES.items() if name in own]


def _require_taken(request: FitRequest, chosen: Collection[str]) -> None:
    """Raise FitError for an option that is given, and that no chosen engine takes."""
    for option in sorted({one for engine in ENGINES.values() for one in engine.reads}):
        takers = [name for name, engine in ENGINES.items() if option in engine.reads]
        if getattr(request.options, option) and not set(takers) & set(chosen):
            raise FitError(f'--{option}: not taken by a fit to {" and ".join(chosen)}, which finds '
                           f'all that --free asks for; expected numbers for one to '
                           f'{" or ".join(takers)}')
