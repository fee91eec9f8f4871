"""The load of the hydraulic crane: every load of the table over noise seeds, honest intervals.

Readings at 100 Hz as in Pyrhonen et al. 2023b; crane, oil, noise and work cycle of 23.5 s are ours,
as the text does not give theirs.  From five seconds after the first motion to the end the
filtered mass must be within 1 % or 0.5 kg.  Beside the two methods, and readings that are
interpolated to the observer's step of 1 ms.
Writes crane_payload.png: mass over time for every load.
"""

from itertools import product

import numpy as np

from benchmarks.crane_cases import (
    HONEST,
    LOADS,
    SEEDS,
    allowed_error,
    experiment,
    mean,
    mean_held,
    numbers_of,
    over_seeds,
)
from benchmarks.figures import Figure
from benchmarks.pictures import plain, plt, save

WAYS = {'low_pass': {'settings': {'method': 'low_pass'}},
        'window_least_squares': {'settings': {'method': 'window_least_squares'}},
        'low_pass, interpolated readings': {'interpolated': True}}
PLAIN = 'low_pass'
JUDGED = ('z s', 'zd s', 'pressure v1', 'pressure v2')         # intervals with a target
TRUE, FILTERED, RAW, BAND = '#1a1a1a', '#1f77b4', '#c9c9c9', '#9ecae1'


def measure():
    """Return errors, coverage and updates at rest; draw the masses of the first seed."""
    rows = over_seeds(run_figures, product(LOADS, WAYS), SEEDS)
    figures = [figure for way in WAYS for figure in way_figures(rows, way)]
    draw()
    return figures


def way_figures(rows, way):
    """Return the figures of one way of estimating; targets are the plain one's."""
    plain, after = way == PLAIN, '' if way == PLAIN else f', {way}'
    chosen = {load: rows[load, way] for load in LOADS}
    figures = [Figure(
        f'{load:g} kg: largest error after 5 s{after}', max(row['worst'] for row in runs), 'kg',
        allowed_error(load) if plain else None, peer='claimed 1 sigma, mean',
        peer_value=mean(runs, 'claimed')) for load, runs in chosen.items()]
    every = [row for runs in chosen.values() for row in runs]
    figures.append(Figure(f'updates below the transition velocity{after}',
                          sum(row['slow_updates'] for row in every), '', 0.0 if plain else None))
    return figures + [
        Figure(f'95 % interval of {name} holds the truth{after}', mean_held(every, name), '',
               HONEST if plain and name in JUDGED else None)
        for name in every[0]['held']]


def run_figures(load, way, seed):
    """Return the figures of one run."""
    result = experiment(load).run(seed, **WAYS[way])
    transition = result.mechanism.circuit.transition_velocity
    slow = (np.abs(result.observed.zd) < transition).any(axis=1)
    return numbers_of(result) | {'slow_updates': int((result.payload.updating & slow).sum())}


def draw():
    """Write results/crane_payload.png."""
    figure, axes = plt.subplots(3, 2, figsize=(12, 9), sharex=True, layout='constrained')
    for axis, load in zip(axes.flat, LOADS, strict=True):
        draw_mass(axis, experiment(load).run(0))
        axis.set_title(f'{load:g} kg', loc='left', fontsize=10)
        reach = 6.0 * allowed_error(load)
        axis.set_ylim(load - reach, load + reach)
        for edge in (-1.0, 1.0):
            axis.axhline(load + edge * allowed_error(load), color=TRUE, lw=0.7, ls=':')
    for axis in axes[-1]:
        axis.set_xlabel('time [s]')
    axes[0, 0].legend(fontsize=8, frameon=False, loc='upper right', ncols=2)
    save(figure, 'crane_payload')


def draw_mass(axis, result):
    """Raw, filtered and true mass of a PayloadResult, its interval, and when it is updated."""
    t, mass = result.t, result.payload.mass[:, 0]
    reach = 1.96 * result.payload.deviation[:, 0]
    axis.plot(t, result.payload.raw_mass[:, 0], '.', ms=1.0, color=RAW, label='of each instant')
    axis.fill_between(t, mass - reach, mass + reach, color=BAND, alpha=0.6, lw=0.0)
    axis.plot(t, mass, color=FILTERED, lw=1.5, label='filtered, 95 % interval')
    axis.plot(t, result.true_mass, color=TRUE, lw=1.0, ls='--', label='true, and 1 % or 0.5 kg')
    axis.fill_between(t, 0.0, 0.03, where=result.payload.updating, color=FILTERED, lw=0.0,
                      transform=axis.get_xaxis_transform(), label='updating')
    axis.set_ylabel('mass [kg]')
    plain(axis)
