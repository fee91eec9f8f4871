"""How long after the first contact force collisions of the 3-RRR robot are detected.

First a platform at 0.45 m/s, an ideal IMU, thresholds 7.5 N and 0.5 N m: time after the first force
beyond a threshold.  Then the table of Mohammad et al. 2025 (Table II): random collisions of every
kind, the IMU 3 to 4 ms late, all parameters of the dynamics 5 % wrong, thresholds twice the largest
force of the contact-free rectangle; the mean over 20 seeds and start poses of what was detected,
counted until the reading that told has arrived, and how many were missed.  In every row the direct
method is to be faster than the best gain that misses no more.
"""

from itertools import product

import numpy as np

from benchmarks.contact_cases import (
    DIRECT,
    METHODS,
    OBSERVER,
    ON_AND_ON,
    Read,
    over_cases,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.figures import Figure
from mb_bringup.collisions import KINDS, random_collisions
from mb_bringup.contact_experiment import simulate_robot

SEEDS = range(20)
PAPER_SPEED = 0.45                    # m/s
PAPER_THRESHOLDS = 7.5, 7.5, 0.5      # N, N m


def measure():
    """Return the times."""
    cases = list(product(KINDS, SEEDS))
    rows = dict(zip(cases, over_cases(delays, cases), strict=True))
    ideal = over_cases(ideal_delay, [(seed,) for seed in SEEDS])
    figures = [Figure('platform, 0.45 m/s, ideal IMU, 7.5 N and 0.5 N m: direct, longest',
                      1e3 * max(ideal), 'ms', 1.0, peer='mean', peer_value=1e3 * np.mean(ideal))]
    for kind in KINDS:
        figures += kind_figures(kind, {method: [rows[kind, seed][method] for seed in SEEDS]
                                       for method in METHODS})
    return figures


def kind_figures(kind, found):
    """Return the figures of a kind of collisions; found: {method: [delay or None of a seed]}."""
    means = {method: 1e3 * np.mean([delay for delay in row if delay is not None])
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


def delays(kind, seed):
    """Return {method: time from first touch to detection [s], None if missed} of one collision."""
    collision, = random_collisions(robot(), 1, 1000 + seed, kinds=(kind,))
    read = Read(collided(collision), seed)
    touch, model = read.run.first_touch(), wrong_robot(seed)
    return {method: read.detections(method, model, thresholds(seed, method)).delay(touch)
            for method in METHODS}


def ideal_delay(seed):
    """Return the time from the first force beyond a threshold to detection, by an ideal IMU [s]."""
    collision, = random_collisions(robot(), 1, 2000 + seed, kinds=('platform',),
                                   speed=(PAPER_SPEED, PAPER_SPEED))
    read = Read(collided(collision), seed, late=False)
    delay = read.detections(DIRECT, robot(), PAPER_THRESHOLDS).delay(
        read.run.first_touch(PAPER_THRESHOLDS))
    return np.inf if delay is None else delay


def collided(collision):
    """Return the RobotRun of a CollisionRun without any reaction."""
    return simulate_robot(collision.mechanism, collision.trajectory, collision.duration,
                          collision.obstacles, collision.act, ON_AND_ON)
