"""Wall time per call, of several functions in turn."""

from statistics import median
from time import perf_counter


def times_per_call(functions, calls=2000, rounds=7):
    """Return {name: seconds per call}, the median of rounds in which the functions take turns.

    functions: {name: function without arguments}. Turns make ratios hold when the machine's speed
    drifts.
    """
    for function in functions.values():
        function()
    rows = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            start = perf_counter()
            for _ in range(calls):
                function()
            rows[name].append((perf_counter() - start) / calls)
    return {name: median(row) for name, row in rows.items()}
