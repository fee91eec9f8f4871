"""Contacts of the 3-RRR robot of Mohammad et al. 2025, with its published lengths and masses.

The robot as measured (three_rrr_hannover_measured) in MuJoCo, all over its published workspace, a
radius of 0.35 m and 29 degrees, at the speeds of the paper's experiments: 0.8 m/s, reached with 25
m/s^2.  All else is as in contact_observers: the IMU 3 to 4 ms late, measured torques, a model whose
masses, inertias and friction are 5 % wrong, thresholds twice the largest force of the contact-free
rectangle, obstacles of 20 to 75 kN/m, a robot that goes on.  Shown: thresholds beside the paper's;
the mean time from the first touch until a detection, and how many were missed or detected before;
the share of bodies named rightly 20 ms after the detection, by our isolation and by rules of the
authors; the largest force on the platform until a detection, as it is and with the paper's
thresholds.
"""

from dataclasses import replace
from functools import cache

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    ON_AND_ON,
    ON_ENCODERS,
    SAFETY,
    SETTLED,
    WRONG,
    Read,
    isolation_settings,
    motor_torques,
)
from benchmarks.contact_detection import collided
from benchmarks.contact_isolation import (
    REPORTED,
    best,
    first_detection,
    hypotheses_after,
    named_by,
)
from benchmarks.contact_observers import (
    ACCELERATION,
    CALIBRATION_SEED,
    LAWS,
    LIMIT,
    ON_DIFFERENCES,
    ON_ESTIMATE,
    PAPER,
    SPEED,
    TORQUES,
    forces,
    push,
)
from benchmarks.contact_rules import touched_by_rules
from benchmarks.figures import Figure
from mb_contact import ContactIsolation, DetectionSettings
from mb_model import load_mechanism
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import TrajectorySettings, plan

SEEDS = range(12)                                   # of each kind
WORKSPACE = 0.35, np.radians(29.0)                  # m, rad
AFTER = 0.1         # simulated after a collision [s]: a robot that goes on leaves its workspace
PAPER_OBSERVER = f'first order, 135 /s, {ON_DIFFERENCES}'
METHODS = (DIRECT, ON_ENCODERS,
           *(f'first order, {gain} /s, {ON_DIFFERENCES}' for gain in (20, 100)), PAPER_OBSERVER,
           *(f'first order, {gain} /s, {ON_DIFFERENCES}' for gain in (200, 500)),
           f'first order, 135 /s, {ON_ESTIMATE}', f'extended state, 400 /s, {ON_ESTIMATE}')
# Table II [ms]: the observer at each gain, then the direct method, whose motion is by encoders.
PAPER_TIMES = {kind: dict(zip((*METHODS[2:7], ON_ENCODERS), times, strict=True))
               for kind, times in {
                   'platform': (12.0, 6.0, 6.0, 6.0, 6.0, 3.0),
                   'first_link': (14.0, 10.0, 10.0, 11.0, None, 6.0),
                   'second_link': (34.0, 24.0, 25.0, None, None, 17.0),
                   'clamping': (41.0, 41.0, 47.0, None, None, 39.0)}.items()}
PRINTED = (DIRECT, ON_ENCODERS, PAPER_OBSERVER)     # judged by the paper's thresholds, too
NOT_LATE = f'{DIRECT}, IMU not late'
PARTS = 'mass', 'inertia', 'coulomb', 'viscous'     # of names of parameters that are wrong
EARLY, RIGHT, BY_RULES, LARGEST = 'early', 'right', 'by rules', 'forces'


def measure():
    """Return the figures."""
    rows = [row for seed in over_cases(all_kinds, [(seed,) for seed in SEEDS]).values()
            for row in seed]
    figures = []
    for method in METHODS:
        limits = np.mean([thresholds(seed, method) for seed in SEEDS], axis=0)
        for value, peer, unit in zip((limits[:2].max(), limits[2]), PAPER.get(method, (None, None)),
                                     ('N', 'N m'), strict=True):
            figures.append(Figure(f'threshold: {method}', value, unit,
                                  peer=None if peer is None else 'paper', peer_value=peer))
        figures.append(Figure(f'detected before the first touch: {method}',
                              sum(row[EARLY][method] for row in rows), ''))
    for kind in KINDS:
        figures += kind_figures(kind, [row for row in rows if row['kind'] == kind])
    return figures + force_figures([row[LARGEST] for row in rows if row['kind'] == 'platform'])


def kind_figures(kind, rows):
    """Return figures on times and names of a kind of collisions."""
    figures = []
    for method in METHODS:
        times = [row[method] for row in rows if row[method] is not None]
        missed, peer = len(rows) - len(times), PAPER_TIMES[kind].get(method)
        figures.append(Figure(
            f'{kind}: {method}' + f', {missed} missed' * bool(missed),
            1e3 * float(np.mean(times)) if times else np.inf, 'ms',
            peer=None if peer is None else 'paper', peer_value=peer))
    return [*figures, Figure(
        f'{kind}: named rightly {1e3 * REPORTED:g} ms after the detection',
        float(np.mean([row[RIGHT] for row in rows])), '', peer='rules of the authors',
        peer_value=float(np.mean([row[BY_RULES] for row in rows])))]


def force_figures(rows):
    """Return figures on forces until a detection; rows: {case: force or None}."""
    figures = []
    for case in rows[0]:
        found = [row[case] for row in rows if row[case] is not None]
        missed = len(rows) - len(found)
        figures.append(Figure(
            f'largest force on the platform until then: {case}' + f', {missed} missed' * bool(
                missed), float(np.mean(found)), 'N', LIMIT, peer='largest of all',
            peer_value=float(max(found))))
    return figures


@cache
def robot():
    """Return the robot."""
    return load_mechanism('three_rrr_hannover_measured')


@cache
def wrong_robot(seed):
    """Return the robot with every parameter of its dynamics too large or too small at random."""
    names = sorted(name for name in robot().parameters if any(part in name for part in PARTS))
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), len(names))
    return robot().replace(parameters={
        name: robot().parameters[name] * (1.0 + WRONG * sign)
        for name, sign in zip(names, signs, strict=True)})


@cache
def contact_free():
    """Return the RobotRun of the contact-free rectangle."""
    return simulate_robot(robot(), plan(robot(), TrajectorySettings(kind='rectangle')), 4.0,
                          control=ON_AND_ON)


def measured(run, seed, late=True):
    """Return a RobotRun, Read with measured torques."""
    peak = np.abs(contact_free().torques).max(axis=0)
    return Read(run, seed, late).with_torques(
        motor_torques(robot(), run.torques, seed, peak, **TORQUES))


@cache
def calibration(late):
    """Return the contact-free rectangle, Read with measured torques."""
    return measured(contact_free(), CALIBRATION_SEED, late)


@cache
def thresholds(seed, method, late=True):
    """Return thresholds (g) with a wrong model."""
    limits = DetectionSettings().direct_threshold
    for _ in range(1 if method in LAWS else 2):     # which states are certain depends on them
        known, force = judged_forces(method, calibration(late), seed, limits)
        limits = SAFETY * np.nanmax(np.abs(force[known > SETTLED]), axis=0)
    return limits


def judged_forces(method, read, seed, limits):
    """Return when forces were known (k) [s], and the forces (k, g), NaN where not judged.

    limits: thresholds (g), against which the direct method judges whether a state is certain.
    """
    if method in LAWS:
        return forces(method, read, wrong_robot(seed))
    observed = read.with_encoders() if method == ON_ENCODERS else read.observed
    settings = DetectionSettings(method=DIRECT, direct_threshold=tuple(limits))
    found = read.experiment.detect(observed, settings, wrong_robot(seed))
    return found.known, found.track.force[DIRECT]


def all_kinds(seed):
    """Return what judged has of a collision of every kind."""
    return [judged(seed, kind) for kind in KINDS]


def judged(seed, kind):
    """Return {method: time until the detection [s], or None} of a collision; what else was found.

    EARLY: {method: whether it has detected something before}; RIGHT, BY_RULES: whether the body was
    named rightly; LARGEST: {case: force on the platform until the detection [N], or None}.
    """
    collision, = random_collisions(robot(), 1, 4000 + seed, (kind,), SPEED,
                                   acceleration=ACCELERATION, workspace=WORKSPACE)
    collision = replace(collision, duration=collision.time + AFTER)
    run, noise = collided(collision), 10 * seed + KINDS.index(kind)
    read, touch = measured(run, noise), run.first_touch()
    row, early, found = {'kind': kind}, {}, {}
    for method in METHODS:
        limits = thresholds(seed, method)
        detected = detections(*judged_forces(method, read, seed, limits), limits)
        early[method] = bool((detected < touch).any())
        found[method] = first_after(detected, touch)
        row[method] = found[method] and found[method] - touch
        if method in PRINTED:
            largest, moment = PAPER[method]
            limits = largest, largest, moment
            found[f'{method}, thresholds of the paper'] = first_after(
                detections(*judged_forces(method, read, seed, limits), limits), touch)
    if kind == 'platform':
        limits = thresholds(seed, DIRECT, late=False)
        found[NOT_LATE] = first_after(detections(*judged_forces(
            DIRECT, measured(run, noise, late=False), seed, limits), limits), touch)
    right, by_rules = named(read, collision, seed)
    return row | {EARLY: early, RIGHT: right, BY_RULES: by_rules, LARGEST: {
        case: None if t is None else push(run, t) for case, t in found.items()}}


def detections(known, force, limits):
    """Return when forces (k, g) that were known at times (k) [s] are beyond limits (g) [s]."""
    return known[(np.abs(force) > limits).any(axis=1) & (known > SETTLED)]


def first_after(times, touch):
    """Return the first of times from a touch on [s], or None."""
    later = times[times >= touch]
    return float(later[0]) if len(later) else None


def named(read, collision, seed):
    """Return whether a body was named rightly, by our isolation and by the rules.

    Of what is clamped the rules may name either link.
    """
    model, limits = wrong_robot(seed), thresholds(seed, DIRECT)
    settings = DetectionSettings(method=DIRECT, direct_threshold=tuple(limits))
    track = read.experiment.detect(read.observed, settings, model).track
    begin = first_detection(read, track, np.flatnonzero(track.detected))
    if begin is None:
        return False, False
    after = named_by(hypotheses_after(begin, ContactIsolation(model, isolation_settings()), read,
                                      track, limits))
    times = 1e-9 * (track.stamps - read.experiment.stamps[0])
    usable = np.isfinite(track.force[DIRECT]).all(axis=1) & (times < begin + REPORTED + 1e-4)
    last = np.flatnonzero(usable)[-1]
    touched = touched_by_rules(model, read.observed.q[last], track.force[DIRECT][last])
    found = {'named': after}
    return best(found, REPORTED)[0] == collision.bodies, touched in collision.bodies
