"""Wall or processor time per call, of several functions in turn.

Turns make ratios hold when the machine's speed drifts.
"""

from collections.abc import Callable, Hashable, Mapping
from statistics import median
from time import perf_counter, process_time
from typing import Any


def in_turn(functions: Mapping[Hashable, Callable[[], Any]], rounds: int,
            of: Callable = median) -> dict:
    """Return {name: `of` what the function returned in all rounds, its own times}."""
    rows: dict[Hashable, list] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            rows[name].append(function())
    return {name: of(row) for name, row in rows.items()}


def times_per_call(functions: Mapping[Hashable, Callable[[], Any]], calls: int = 2000,
                   rounds: int = 7, clock: Callable[[], float] = perf_counter,
                   of: Callable = median) -> dict:
    """Return {name: seconds per call}, the median of rounds, each function called once before."""
    def timed(function):
        def run():
            start = clock()
            for _ in range(calls):
                function()
            return (clock() - start) / calls
        return run

    for function in functions.values():
        function()
    return in_turn({name: timed(function) for name, function in functions.items()}, rounds, of)


def shortest(functions: Mapping[Hashable, Callable[[], Any]], rounds: int = 200) -> dict:
    """Return {name: processor time of the shortest call [s]}."""
    return times_per_call(functions, 1, rounds, process_time, min)
