"""How long fits take: a six-axis arm of 10 s at 200 Hz, a seven-axis one of 20,000 instants."""

from time import perf_counter

from benchmarks.figures import Figure
from benchmarks.fit_machines import SETTINGS, STEP, machine, mechanisms
from mb_estimators import fit

_SIX, _SEVEN = 10.0, 20_000 * STEP          # [s] of motion


def measure() -> list[Figure]:
    """Fit masses, inertias and friction of both, after a first one that loads kernels."""
    every, figures = mechanisms(), []
    for name, duration, limit in (('spatial arm of 2', 1.0, None), ('spatial arm of 6', _SIX, 5.0),
                                  ('spatial arm of 7', _SEVEN, 60.0)):
        one = machine(every[name], 0, duration)
        recording, start = one.recording(0), perf_counter()
        found = fit(one.believed, [], [recording], settings=SETTINGS)
        if limit is not None:
            figures.append(Figure(f'{name}, {len(recording.samples)} instants, '
                                  f'{len(found.unknowns)} numbers', perf_counter() - start, 's',
                                  limit))
    return figures
