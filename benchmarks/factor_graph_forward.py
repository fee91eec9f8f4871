"""Forward dynamics by factor graphs: the table of Blanco-Claraco et al. 2021, Sec. 7.1.

Four-bar linkage of the paper released with its crank level, 5 s in steps of 1 ms, windows of 2 to
10 instants, dependent and independent coordinates, the latter also with the paper's weight of the
soft equality of coordinates (its Table 2): RMSE of positions and velocities of both points (Fig. 7)
against DOP853 on the loop's geometry and Lagrange's equation, which share nothing with mb_model.
The paper's are against MSC Adams.
"""

from functools import cache
from itertools import product
from pathlib import Path
import sys
from time import perf_counter

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.figures import Figure
from mb_estimators import forward
from mb_model import load_mechanism

sys.path.append(str(Path(__file__).parent.parent / 'src/mb_model/test'))
from truth import Linkage

DURATION, STEP = 5.0, 1e-3              # s
WINDOWS = range(2, 11)
PAPER = {'dependent': 0.0024, 'independent': 0.0166}        # m, the best of its Table 1
PAPER_WEIGHT = "independent, the paper's weight of f_eq"
CASES = {'dependent': {'coordinates': 'dependent'},         # label -> settings
         'independent': {'coordinates': 'independent'},
         PAPER_WEIGHT: {'coordinates': 'independent', 'equality_variance': 1e2},
         f'{PAPER_WEIGHT}, oldest marginalised': {
             'coordinates': 'independent', 'equality_variance': 1e2, 'oldest': 'marginalised'}}
LINKAGE = Linkage.four_bar(1.0, 2.0, 13 ** 0.5, 4.0, (1.0, 2.0, 4.0), 1, 9.8)


def measure():
    """Return the error of every window in every case."""
    truth()         # here, so that processes have it
    figures = []
    for (label, window), (rmse, rate_rmse, wall) in over_cases(
            error, product(CASES, WINDOWS)).items():
        figures.append(Figure(f'{label}, window {window}: RMSE of q', rmse, 'm',
                              PAPER[CASES[label]['coordinates']]))
        figures.append(Figure(f'{label}, window {window}: RMSE of qd', rate_rmse, 'm/s'))
        figures.append(Figure(f'{label}, window {window}: time', wall, 's'))
    return figures


@cache
def truth():
    """Return positions of the points (k, 4) [m] and their velocities [m/s]."""
    z, zd = LINKAGE.simulate([0.0], [0.0], STEP * np.arange(round(DURATION / STEP) + 1))
    return (np.array([LINKAGE.points(row)[:2].ravel() for row in z]),
            np.array([(LINKAGE.velocities(row)[:2] @ rate).ravel()
                      for row, rate in zip(z, zd, strict=True)]))


def error(label, window):
    """Return the RMSE of the points [m], of their velocities [m/s], and the wall time [s]."""
    mechanism = load_mechanism('four_bar_fg')
    begin = perf_counter()
    run = forward(mechanism, DURATION, STEP, window=window, **CASES[label])
    wall = perf_counter() - begin
    places = [mechanism.coordinates.index(name) for name in ('P1.x', 'P1.y', 'P2.x', 'P2.y')]
    return (*(float(np.sqrt(np.mean((found[:, places] - true) ** 2)))
              for found, true in zip((run.q, run.qd), truth(), strict=True)), wall)
