"""Figs. 4 to 7 of Pyrhonen et al. 2023a: the energy, the bend of the spring, the time of a step."""

from functools import partial

import numpy as np

from benchmarks.exponential import (
    BEND,
    COLOURS,
    DRAWN,
    DURATION,
    LIMIT,
    MECHANISMS,
    SERIES,
    SHOWN,
    motion,
    step_shares,
    true_bend,
)
from benchmarks.figures_of_papers.drawing import (
    TRUE,
    Asked,
    Drawn,
    PaperFigure,
    legend,
    panels,
    title,
)
from mb_model import load_mechanism

STEPS = (1e-3, 1e-2)            # s
QUICK = 0.2                     # s
EULER = ('forward_euler', 'augmented_euler')
IN_WORDS = {'forward_euler': 'forward Euler', 'augmented_euler': 'augmented Euler',
            **{name: f'series, n = {name[-1]}' for name in SERIES},
            'exponential': 'exponential itself (ours)'}
LINEAR = 1e-3                   # J, within which the scale of Figs. 4 and 5 is linear
TICKS = (*(-10.0 ** k for k in (4, 2, 0, -2)), 0.0, *(10.0 ** k for k in (-2, 0, 2, 4)))
FAR = 1e5                       # J, beyond which a motion leaves these figures


def draw_energy(name: str, integrators: tuple[str, ...], scale: str, asked: Asked) -> Drawn:
    """Draw the energy less its start, of a mechanism by its name, over time by integrators.

    scale: of the time.
    """
    mechanism, lines = load_mechanism(name), []
    duration = QUICK if asked.quick else DURATION
    picture, axes = panels(1, 2, (9.0, 3.6), sharex=True, sharey=True)
    for axis, dt, letter in zip(axes[0], STEPS, 'ab', strict=True):
        for integrator in integrators:
            energies, _ = motion(mechanism, dt, integrator, duration)
            balance = np.clip(energies - energies[0], -FAR, FAR)
            t, done = dt * np.arange(len(balance)), len(balance) - 1
            axis.plot(t[1:], balance[1:], lw=1.1, color=COLOURS[integrator],
                      label=IN_WORDS[integrator])
            if done < round(duration / dt):
                axis.plot(t[-1], balance[-1], 'x', color=COLOURS[integrator], ms=6)
            lines.append(f'{1e3 * dt:g} ms, {IN_WORDS[integrator]}: '
                         + in_words(energies, dt, duration))
        axis.set_yscale('symlog', linthresh=LINEAR)
        axis.set_yticks(TICKS)
        axis.set_xscale(scale)
        axis.axhline(0.0, color='0.6', lw=0.6)
        title(axis, letter, f'{1e3 * dt:g} ms')
        axis.set_xlabel('time [s]')
    axes[0, 0].set_ylabel('energy less its start [J]')
    legend(axes[0, 1], loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return Drawn(picture, lines)


def in_words(energies: np.ndarray, dt: float, duration: float) -> str:
    """Return how far an energy got from its start, or when it blew up."""
    if len(energies) < round(duration / dt) + 1:
        return f'blown up after {len(energies) - 1} steps'
    off = np.abs(energies - energies[0]).max()
    return f'at most {off:.2g} J, {100.0 * off / energies[0]:.2g} % off'


def draw_bend(asked: Asked) -> Drawn:
    """Draw the bend of the spring in the first second, and larger in the first tenth of it."""
    mechanism, step = load_mechanism('four_bar_split'), min(STEPS)
    shown = DRAWN if asked.quick else SHOWN
    truth = true_bend(mechanism, shown, step)
    picture, axes = panels(2, 2, (10.0, 5.5), sharey=True)
    lines = []
    for column, dt in zip(axes.T, STEPS, strict=True):
        every = round(dt / step)
        for axis in column:
            axis.plot(step * np.arange(len(truth)), truth, color=TRUE, lw=2.5, alpha=0.25,
                      label='DOP853')
        for integrator, colour in COLOURS.items():
            _, bend = motion(mechanism, dt, integrator, shown)
            t = dt * np.arange(len(bend))
            for axis in column:
                axis.plot(t, np.clip(bend, -2.0 * LIMIT, 2.0 * LIMIT), color=colour,
                          lw=0.9 if every == 1 else 0.4, marker='.', ms=1.0 if every == 1 else 5.0,
                          label=IN_WORDS[integrator])
            whole = len(bend) == len(truth[::every])
            error = np.sqrt(np.mean((bend - truth[::every]) ** 2)) if whole else np.nan
            lines.append(f'{1e3 * dt:g} ms, {IN_WORDS[integrator]}: '
                         + (f'{error:.2g} rad RMS off' if whole
                            else f'blown up after {len(bend) - 1} steps'))
        column[0].set_title(f'{1e3 * dt:g} ms', fontsize=10, loc='left')
        column[1].set_xlim(0.0, DRAWN)
        column[1].set_xlabel('time [s]')
    for axis in axes[:, 0]:
        axis.set_ylabel(f'{BEND} of the spring [rad]')
        axis.set_ylim(-LIMIT, LIMIT)
    legend(axes[0, 1], loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return Drawn(picture, lines)


def draw_times(asked: Asked) -> Drawn:
    """Draw the time of a step by integrators, and the share of accelerations and Jacobian in it."""
    picture, axes = panels(1, 2, (9.0, 3.6), sharey=True)
    lines, calls = [], 20 if asked.quick else 200
    for axis, name, letter in zip(axes[0], MECHANISMS, 'ab', strict=True):
        shares = step_shares(load_mechanism(name), calls)
        for k, (integrator, (time, _, both)) in enumerate(shares.items()):
            axis.bar(k, 1e6 * time, 0.6, color=COLOURS[integrator])
            axis.bar(k, 1e6 * time * min(both, 1.0), 0.6, color='none', edgecolor=TRUE, hatch='///',
                     lw=0.6, label='accelerations and Jacobian' if k == 0 else None)
            lines.append(f'{name}, {IN_WORDS[integrator]}: {1e6 * time:.2g} us, of which '
                         f'{100.0 * both:.0f} % accelerations and Jacobian')
        axis.set_xticks(range(len(shares)), [IN_WORDS[one] for one in shares], rotation=25,
                        ha='right', fontsize=8)
        title(axis, letter, name.replace('_', ' '))
    axes[0, 0].set_ylabel('time of a step [us]')
    legend(axes[0, 0], loc='upper left')
    return Drawn(picture, lines)


FIGURES = {
    4: PaperFigure(
        partial(draw_energy, 'four_bar', (*EULER, 'exponential_1'), 'linear'),
        'The energy of a four-bar linkage that falls for 10 s, by forward Euler, augmented Euler '
        'and the series of the exponential. The linkage is ours.',
        'the series keeps the energy better than both Euler methods at 1 and at 10 ms'),
    5: PaperFigure(
        partial(draw_energy, 'four_bar_split', (*EULER, *SERIES, 'exponential'), 'log'),
        'The same with the coupler split by a spring of 5e6 N m/rad; the masses and lengths are '
        'ours, so the spring vibrates with 123 Hz. The scale of time is logarithmic; a cross: '
        'blown up.',
        'at 10 ms both Euler methods leave the figure within 10 steps; the series is more stable'),
    6: PaperFigure(
        draw_bend,
        'The bend of that spring in the first second, and below in its first tenth.',
        'by Euler methods it grows from the start, more so at 10 ms; by the series it does not'),
    7: PaperFigure(
        draw_times,
        'The time of a step, of compiled code, without and with the spring; hatched: '
        'accelerations and Jacobian. The exponential itself is timed at 1 ms, which it divides.',
        'accelerations and Jacobian take over 85 % of it; two degrees of freedom take twice the '
        'time of one; Euler methods cost much less'),
}
