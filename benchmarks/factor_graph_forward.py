"""Forward dynamics by factor graphs: the table of Blanco-Claraco et al. 2021, Sec. 7.1.

Four-bar linkage of the paper released with its crank level, 5 s in steps of 1 ms, windows of 2 to
10 instants, dependent and independent coordinates, the latter also with the paper's weight of the
soft equality of coordinates (its Table 2): RMSE of positions and velocities of both points (Fig. 7)
against DOP853 on the loop's geometry and Lagrange's equation, which share nothing with mb_model.
The paper's are against MSC Adams.
"""

from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
import sys
from time import perf_counter

import numpy as np

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
    z, zd = LINKAGE.simulate([0.0], [0.0], STEP * np.arange(round(DURATION / STEP) + 1))
    truth = np.array([LINKAGE.points(row)[:2].ravel() for row in z])
    rates = np.array([(LINKAGE.velocities(row)[:2] @ rate).ravel()
                      for row, rate in zip(z, zd, strict=True)])
    cases = list(product(CASES, WINDOWS))
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(error, *zip(*cases, strict=True), len(cases) * [truth],
                              len(cases) * [rates]))
    figures = []
    for (label, window), (rmse, rate_rmse, wall) in zip(cases, found, strict=True):
        figures.append(Figure(f'{label}, window {window}: RMSE of q', rmse, 'm',
                              PAPER[CASES[label]['coordinates']]))
        figures.append(Figure(f'{label}, window {window}: RMSE of qd', rate_rmse, 'm/s'))
        figures.append(Figure(f'{label}, window {window}: time', wall, 's'))
    return figures


def error(label, window, truth, rates):
    """Return the RMSE of the points [m], of their velocities [m/s], and the wall time [s]."""
    mechanism = load_mechanism('four_bar_fg')
    begin = perf_counter()
    run = forward(mechanism, DURATION, STEP, window=window, **CASES[label])
    wall = perf_counter() - begin
    places = [mechanism.coordinates.index(name) for name in ('P1.x', 'P1.y', 'P2.x', 'P2.y')]
    return (*(float(np.sqrt(np.mean((found[:, places] - true) ** 2)))
              for found, true in ((run.q, truth), (run.qd, rates))), wall)
