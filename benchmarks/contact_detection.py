"""How long after the first contact force collisions of the 3-RRR robot are detected.

First a platform at 0.45 m/s, an ideal IMU, thresholds 7.5 N and 0.5 N m: time after the first force
beyond a threshold.  Then the table of Mohammad et al. 2025 (Table II): random collisions of every
kind, the IMU 3 to 4 ms late, all parameters of the dynamics 5 % wrong, thresholds twice the largest
force of the contact-free rectangle; the mean over 20 seeds and start poses of what was detected,
counted until the reading that showed it has arrived, and how many were missed.  In every row
the direct method is to be faster than the best gain that misses no more.  Writes
contact_detection.png: forces of the first collision of every kind, as known over time.
"""

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    METHODS,
    OBSERVER,
    ON_AND_ON,
    SETTLED,
    Read,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.figures import Figure
from benchmarks.pictures import plain, plt, save
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import simulate_robot

SEEDS = range(20)
PAPER_SPEED = 0.45                    # m/s
PAPER_THRESHOLDS = 7.5, 7.5, 0.5      # N, N m
DRAWN = {DIRECT: '#1f77b4', f'{OBSERVER}, 100 /s': '#d95f02'}
EARLY = 'early'
BEFORE, AFTER = 0.01, 0.05            # drawn, from the first touch [s]


def measure():
    """Return the times."""
    rows = list(over_cases(delays, [(seed,) for seed in SEEDS]).values())
    ideal = list(over_cases(ideal_delay, [(seed,) for seed in SEEDS]).values())
    draw()
    figures = [
        Figure('platform, 0.45 m/s, ideal IMU, 7.5 N and 0.5 N m: direct, longest',
               1e3 * max(ideal), 'ms', 1.0, peer='mean', peer_value=1e3 * float(np.mean(ideal))),
        Figure('detections before the first touch, all kinds and methods',
               sum(row[EARLY] for row in rows), '', 0.0)]
    for kind in KINDS:
        figures += kind_figures(kind, {method: [row[kind][method] for row in rows]
                                       for method in METHODS})
    return figures


def kind_figures(kind, found):
    """Return the figures of a kind of collisions; found: {method: [delay or None of a seed]}."""
    means = {method: 1e3 * float(np.mean([delay for delay in row if delay is not None]))
             for method, row in found.items()}
    missed = {method: row.count(None) for method, row in found.items()}
    figures = []
    for method in METHODS:
        target, peer = None, None
        if method == DIRECT:
            rivals = [other for other in METHODS if missed[other] <= missed[DIRECT]
                      and other.startswith(f'{OBSERVER},')]
            peer = min(rivals, key=means.get, default=None)
            target = peer and means[peer]
        figures.append(Figure(
            f'{kind}: {method}' + f', {missed[method]} missed' * bool(missed[method]),
            means[method], 'ms', target, peer=peer, peer_value=target))
    return figures


def delays(seed):
    """Return {kind: {method: time from first touch to detection [s], None if missed}}.

    And under EARLY, how often something was detected before.
    """
    model, found = wrong_robot(seed), {EARLY: 0}
    for kind in KINDS:
        read, found[kind] = read_collision(kind, seed), {}
        touch = read.run.first_touch()
        for method in METHODS:
            detections = read.detections(method, model, thresholds(seed, method))
            found[kind][method] = detections.delay(touch)
            found[EARLY] += ((detections.times > SETTLED) & (detections.times < touch)).sum()
    return found


def read_collision(kind, seed):
    """Return a random collision, Read."""
    collision, = random_collisions(robot(), 1, 1000 + seed, kinds=(kind,))
    return Read(collided(collision), seed)


def ideal_delay(seed):
    """Return the time from the first force beyond a threshold to detection, by an ideal IMU [s]."""
    collision, = random_collisions(robot(), 1, 2000 + seed, kinds=('platform',),
                                   speed=(PAPER_SPEED, PAPER_SPEED))
    read = Read(collided(collision), seed, late=False)
    delay = read.detections(DIRECT, robot(), PAPER_THRESHOLDS).delay(
        read.run.first_touch(PAPER_THRESHOLDS))
    return np.inf if delay is None else delay


def collided(collision, unmodelled=None):
    """Return the RobotRun of a CollisionRun without any reaction; unmodelled: its settings."""
    return simulate_robot(collision.mechanism, collision.trajectory, collision.duration,
                          collision.obstacles, collision.act, ON_AND_ON, unmodelled=unmodelled)


def draw():
    """Write results/contact_detection.png."""
    figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout='constrained')
    for axis, kind in zip(axes.flat, KINDS, strict=True):
        draw_collision(axis, read_collision(kind, 0))
        axis.set_title(kind.replace('_', ' '), loc='left', fontsize=10)
    axes[0, 0].legend(fontsize=8, frameon=False)
    save(figure, 'contact_detection')


def draw_collision(axis, read):
    """Draw forces where a threshold is exceeded most, as they become known."""
    run, model = read.run, wrong_robot(0)
    touch = run.first_touch()
    limits = {method: thresholds(0, method) for method in DRAWN}
    shown = (run.t > touch - BEFORE) & (run.t < touch + AFTER)
    most = int(np.argmax(np.abs(run.external[shown]).max(axis=0) / limits[DIRECT]))
    axis.plot(1e3 * (run.t[shown] - touch), run.external[shown, most], color='#1a1a1a', lw=1.2,
              ls='--', label='true')
    for method, colour in DRAWN.items():
        found = read.detections(method, model, limits[method])
        force, = found.track.force.values()
        there = (found.known > touch - BEFORE) & (found.known < touch + AFTER) & np.isfinite(
            force[:, most])
        axis.plot(1e3 * (found.known[there] - touch), force[there, most], color=colour, lw=1.3,
                  label=method)
        axis.axhspan(-limits[method][most], limits[method][most], color=colour, alpha=0.12, lw=0.0)
        delay = found.delay(touch)
        if delay is not None:
            axis.axvline(1e3 * delay, color=colour, lw=1.0, ls=':')
    name = run.mechanism.independent[most]
    axis.set_xlabel('time after the first touch [ms]')
    axis.set_ylabel(f'moment ({name}) [N m]' if run.mechanism.unit(name) == 'rad'
                    else f'force ({name}) [N]')
    plain(axis)
