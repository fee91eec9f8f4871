"""How long fits take: a six-axis arm of 10 s at 200 Hz, a seven-axis one of 20,000 instants."""

from dataclasses import replace
from time import perf_counter

from benchmarks.figures import Figure
from benchmarks.fit_machines import SETTINGS, STEP, machine, mechanisms
from benchmarks.pictures import save
from mb_estimators import fit, residual_figure

_SIX, _SEVEN = 10.0, 20_000 * STEP          # [s] of motion


def measure() -> list[Figure]:
    """Fit masses, inertias and friction of both, after a first one that loads kernels.

    A picture is of the residuals of a third one.
    """
    every, figures = mechanisms(), []
    for name, duration, limit in (('spatial arm of 2', 1.0, None), ('spatial arm of 6', _SIX, 5.0),
                                  ('spatial arm of 7', _SEVEN, 60.0)):
        one = machine(every[name], 0, duration)
        recording, start = one.recording(0), perf_counter()
        found = fit(one.believed, [], [recording], settings=SETTINGS)
        if limit is not None:
            figures.append(Figure(f'{name}, {len(recording.samples)} instants, '
                                  f'{len(found.numbers)} numbers', perf_counter() - start, 's',
                                  limit))
    seen = machine(every['spatial arm of 3'], 3)
    save(residual_figure(fit(seen.believed, [], [seen.recording(3)],
                             settings=replace(SETTINGS, held_out=1.0 / 3.0))), 'fit_residuals')
    return figures
