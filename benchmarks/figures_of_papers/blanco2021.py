"""Figs. 7 and 8 of Blanco-Claraco et al. 2021: a linkage that falls, and torques for a motion."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from benchmarks.factor_graphs import (
    ALONE,
    FALL_DURATION,
    FALL_STEP,
    FOUR_BAR,
    PATH_DURATION,
    PATH_STEP,
    needed,
    true_fall,
)
from benchmarks.figures_of_papers.drawing import (
    OTHER,
    OURS,
    PEER,
    TRUE,
    Asked,
    Drawn,
    PaperFigure,
    legend,
    panels,
    rms,
    title,
)
from mb_estimators import forward, inverse
from mb_model import load_mechanism

WINDOW = 2                                  # instants, of Fig. 7
SHORT_FALL, SHORT_PATH = 0.2, 2.0           # s
SIZE, RATE = 1.2, 2.0                       # rad, rad/s: crank at 1.2 (1 - cos 2t)
POINTS = ('P1.x', 'P1.y', 'P2.x', 'P2.y')
COLOURS = (OURS, PEER, OTHER, '#8a5fb0')
STATED = {'m': 0.0024, 'm/s': 0.021}        # RMSE in the caption of Fig. 7


def draw_fall(asked: Asked) -> Drawn:
    """Draw coordinates and velocities by the graph and the truth, and below their differences."""
    duration = SHORT_FALL if asked.quick else FALL_DURATION
    mechanism = load_mechanism('four_bar_fg')
    run = forward(mechanism, duration, FALL_STEP, window=WINDOW, coordinates='dependent')
    places = [mechanism.coordinates.index(name) for name in POINTS]
    picture, axes = panels(2, 2, (10.0, 6.0), sharex=True)
    lines = []
    for column, found, truth, what, unit, letters in zip(
            axes.T, (run.q, run.qd), true_fall(), ('coordinates', 'velocities'), STATED,
            ('ac', 'bd'), strict=True):
        truth = truth[:len(run.t)]
        error = found[:, places] - truth
        for k, (name, colour) in enumerate(zip(POINTS, COLOURS, strict=True)):
            column[0].plot(run.t, truth[:, k], color=colour, lw=3.0, alpha=0.25)
            column[0].plot(run.t, found[:, places[k]], color=colour, lw=1.0, label=name)
            column[1].plot(run.t, error[:, k], color=colour, lw=0.8)
        title(column[0], letters[0], f'{what}; pale: DOP853')
        title(column[1], letters[1], f'error of the {what}')
        column[0].set_ylabel(f'{what} [{unit}]')
        column[1].set_ylabel(f'error [{unit}]')
        column[1].set_xlabel('time [s]')
        shifted = rms(np.diff(truth, axis=0))
        lines.append(f'{what}: RMSE {rms(error):.2g} {unit} (paper {STATED[unit]} {unit}); the '
                     f'truth shifted by a step is {shifted:.2g} {unit} off')
    legend(axes[0, 1], loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return Drawn(picture, lines)


def draw_inverse(asked: Asked) -> Drawn:
    """Draw the crank that is wanted and followed, its torque, and how far it is off."""
    t = PATH_STEP * np.arange(round((SHORT_PATH if asked.quick else PATH_DURATION) / PATH_STEP) + 1)
    z = SIZE * (1.0 - np.cos(RATE * t))[:, np.newaxis]
    truth = needed(FOUR_BAR, z, SIZE * RATE * np.sin(RATE * t)[:, np.newaxis],
                   SIZE * RATE ** 2 * np.cos(RATE * t)[:, np.newaxis])
    found = inverse(load_mechanism('four_bar_fg'), z, PATH_STEP)
    picture, axes = panels(3, 1, (8.0, 7.0), sharex=True)
    wanted, torque, off = axes[:, 0]
    alone, moved = moved_alone(t, z, found.forces)
    wanted.plot(t, z[:, 0], color=TRUE, ls='--', lw=1.0, label='wanted')
    wanted.plot(t, z[:, 0] + found.following_error[:, 0], color=OURS, lw=2.5, alpha=0.4,
                label='graph')
    wanted.plot(alone, moved, color=PEER, lw=1.0, label='moved by its torques alone')
    wanted.set_ylabel('crank [rad]')
    title(wanted, 'a', 'motion of the crank')
    torque.plot(t, truth[:, 0], color=TRUE, ls='--', lw=1.0, label="Lagrange's equations")
    torque.plot(t, found.forces[:, 0], color=OURS, lw=2.5, alpha=0.4, label='graph')
    torque.set_ylabel('torque [N m]')
    title(torque, 'b', 'torque at the crank')
    for values, at, colour, label in (
            (found.following_error[:, 0], t, OURS, 'graph'),
            (moved - z[:len(alone), 0], alone, PEER, 'moved by its torques alone')):
        off.semilogy(at, np.maximum(np.abs(values), np.finfo(float).eps), color=colour, lw=1.0,
                     label=label)
    off.axhline(1e-3, color='red', lw=0.8, label='paper: below 1 mrad')
    off.set_ylabel('error [rad]')
    off.set_xlabel('time [s]')
    title(off, 'c', 'following error')
    for axis in (wanted, torque, off):
        legend(axis, loc='upper left', bbox_to_anchor=(1.0, 1.0))
    return Drawn(picture, [
        f'following error at most {np.abs(found.following_error).max():.1e} rad (paper: below '
        '1e-3 rad)',
        f'torque {100.0 * rms(found.forces - truth) / rms(truth):.1e} % RMS off',
        f'moved by its torques alone it is {np.abs(moved - z[:len(alone), 0]).max():.1e} rad off '
        f'within {alone[-1]:g} s'])


def moved_alone(t, z, torques):
    """Return instants up to ALONE [s] and the crank [rad] under torques (k, 1) without feedback."""
    until, given = round(ALONE / PATH_STEP) + 1, CubicSpline(t, torques)
    motion = solve_ivp(
        lambda time, x: [x[1], *FOUR_BAR.acceleration(x[:1], x[1:], given(time))],
        (0.0, t[until - 1]), [z[0, 0], 0.0], 'DOP853', t[:until], rtol=1e-9, atol=1e-10)
    return t[:until], motion.y[0]


FIGURES = {
    7: PaperFigure(
        draw_fall,
        'Their four-bar linkage released with its crank level, by a graph of dependent coordinates '
        'with a window of 2, 1 ms. The truth is DOP853 on equations of Lagrange, theirs Adams.',
        'both coincide; RMSE .0024 m and .021 m/s'),
    8: PaperFigure(
        draw_inverse,
        'Their four-bar linkage; the crank turns by 1.2 (1 - cos 2t) rad, 10 s in steps of 5 ms. '
        'The motion is ours, as the text does not give theirs.',
        'the torque is found, the following error stays below 1 mrad, while the error of Adams '
        'grows'),
}
