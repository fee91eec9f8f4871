"""Observers of forces from outside beside each other, where torques are measured and motions fast.

The 3-RRR robot with the conditions of the test bench of Mohammad et al. 2025: the platform at 0.8
m/s, reached with 25 m/s^2, the IMU 3 to 4 ms late, torques by motor currents, with a gain (2 %) and
an offset (0.5 % of the peak, as deviations) drawn for each drive and noise of 2 % of the peak; all
parameters of the dynamics 5 % wrong.  Direct method, by all of the estimate, and as in the paper by
its accelerations, with pose and velocity by encoders; and three laws of observers of the momentum:
the paper's first-order lag, an extended state, a sliding mode; each on differences of encoder
readings and on the estimate of platform_ekf.  Thresholds are twice the largest force of the
contact-free rectangle, the paper's beside them (Table II).  Shown: the mean time from the first
touch until the reading that showed it has arrived, how many were missed, and the mean force on the
platform then.  In every kind the direct method is to be faster than the best of all observers that
misses no more and has detected nothing before a touch, in any kind.  Then the same for a few
methods, with joints of the prototype that give way, which no model knows, and with pins that are
free in their holes; thresholds are from such a rectangle, too.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    ON_AND_ON,
    ON_ENCODERS,
    SAFETY,
    SETTLED,
    Read,
    measured,
    rectangle,
    robot,
    wrong_robot,
)
from benchmarks.contact_detection import collided
from benchmarks.figures import Figure
from mb_contact import (
    DetectionSettings,
    ExtendedStateObserver,
    ExtendedStateSettings,
    MomentumObserver,
    MomentumObserverSettings,
    SlidingModeObserver,
    SlidingModeSettings,
)
from mb_sensors import NANOSECONDS
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import TrajectorySettings, plan
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

SEEDS = range(12)
SPEED, ACCELERATION = (0.8, 0.8), 25.0              # m/s, m/s^2
TORQUES = {'drawn_scale': 0.02, 'sigma': 0.02, 'drawn_bias': 0.005}     # all but the gain: of peak
ARM = 0.075                                         # of moments beside forces, as thresholds [m]
ON_DIFFERENCES, ON_ESTIMATE = 'encoders', 'estimate'
PAPER = {f'first order, 20 /s, {ON_DIFFERENCES}': (13.0, 0.8),          # Table II [N], [N m]
         f'first order, 100 /s, {ON_DIFFERENCES}': (22.0, 2.0),
         f'first order, 135 /s, {ON_DIFFERENCES}': (29.0, 2.6),
         f'first order, 200 /s, {ON_DIFFERENCES}': (43.0, 3.8),
         f'first order, 500 /s, {ON_DIFFERENCES}': (108.0, 9.2), DIRECT: (29.0, 2.2),
         ON_ENCODERS: (29.0, 2.2)}
PAPER_TIMES = {'platform': (3.0, 6.0), 'first_link': (6.0, 10.0), 'second_link': (17.0, 24.0),
               'clamping': (39.0, 41.0)}            # direct, best observer [ms]
LIMIT = 110.0           # the lowest permissible force that the paper compares with [N]
EARLY = 'early'
CALIBRATION_SEED = 999          # of the noise on the contact-free rectangle


class Law(NamedTuple):
    """An observer and its settings; on: what it gets."""

    kind: type
    settings: object
    on: str


def _laws():
    """Return {method: Law}."""
    found = {}
    for on in (ON_DIFFERENCES, ON_ESTIMATE):
        for gain in (20.0, 100.0, 135.0, 200.0, 500.0):
            found[f'first order, {gain:g} /s, {on}'] = Law(
                MomentumObserver, MomentumObserverSettings((gain,)), on)
        for gain in (100.0, 200.0, 400.0, 800.0):
            found[f'extended state, {gain:g} /s, {on}'] = Law(
                ExtendedStateObserver, ExtendedStateSettings((gain,)), on)
        for rate in (1e3, 3e3, 1e4, 3e4):
            found[f'sliding mode, {rate:g} N/s, {on}'] = Law(
                SlidingModeObserver, SlidingModeSettings((rate, rate, ARM * rate)), on)
    return found


LAWS = _laws()
METHODS = (DIRECT, ON_ENCODERS, *LAWS)
FEW = (DIRECT, f'first order, 100 /s, {ON_DIFFERENCES}', f'first order, 135 /s, {ON_ESTIMATE}',
       f'extended state, 400 /s, {ON_ESTIMATE}')
FEW_SEEDS = range(4)
# N/m, N s/m: 0.1 mm at 20 N.  m: a pin of 12 mm in H8/e8 (ISO 286) has 0.016 to 0.043 mm, this is a
# worn one.
GIVING = {
    'elastic joints': UnmodelledSettings(joint_stiffness=2e5),
    'joints with clearance': UnmodelledSettings(joint_stiffness=2e5, joint_clearance=5e-5)}


def measure():
    """Return the figures."""
    rows = list(over_cases(delays, [(seed,) for seed in SEEDS]).values())
    limits = np.array([[thresholds(seed, method) for method in METHODS] for seed in SEEDS])
    early = {method: sum(row[EARLY][method] for row in rows) for method in METHODS}
    figures = [Figure(f'detected before the first touch: {method}', count, '', 0.0)
               for method, count in early.items() if count or method == DIRECT]
    for column, method in enumerate(METHODS):
        force, moment = limits[:, column, :2].max(axis=1).mean(), limits[:, column, 2].mean()
        paper = PAPER.get(method, (None, None))
        for value, peer, unit in zip((force, moment), paper, ('N', 'N m'), strict=True):
            figures.append(Figure(f'threshold: {method}', value, unit,
                                  peer=None if peer is None else 'paper', peer_value=peer))
    for kind in KINDS:
        figures += kind_figures(kind, [row[kind] for row in rows], early)
    return figures + [figure for name in GIVING for figure in giving_figures(name)]


def giving_figures(name):
    """Return the figures of the prototype with joints that give way; name: in GIVING."""
    rows = list(over_cases(delays, [(seed, name) for seed in FEW_SEEDS]).values())
    figures = []
    for method in FEW:
        limits = np.mean([thresholds(seed, method, name) for seed in FEW_SEEDS], axis=0)
        figures += [
            Figure(f'{name}: threshold: {method}', limits[:2].max(), 'N'),
            Figure(f'{name}: threshold: {method}', limits[2], 'N m'),
            Figure(f'{name}: detected before the first touch: {method}',
                   sum(row[EARLY][method] for row in rows), '', 0.0)]
        for kind in KINDS:
            times = [row[kind][method][0] for row in rows if row[kind][method]]
            missed = len(rows) - len(times)
            figures.append(Figure(
                f'{name}: {kind}: {method}' + f', {missed} missed' * bool(missed),
                1e3 * float(np.mean(times)) if times else np.inf, 'ms'))
    return figures


def kind_figures(kind, rows, early):
    """Return the figures of a kind of collisions.

    rows: {method: (delay, force), or None}; early: {method: how often before a touch}.
    """
    found = {method: [row[method] for row in rows] for method in METHODS}
    missed = {method: row.count(None) for method, row in found.items()}
    means = {method: np.mean([one for one in row if one], axis=0) if missed[method] < len(row)
             else (np.inf, np.nan) for method, row in found.items()}
    rivals = [method for method in LAWS if missed[method] <= missed[DIRECT] and not early[method]]
    best = min(rivals, key=lambda method: means[method][0], default=None)
    figures = []
    for method in METHODS:
        is_direct = method == DIRECT
        figures.append(Figure(
            f'{kind}: {method}' + f', {missed[method]} missed' * bool(missed[method]),
            1e3 * means[method][0], 'ms',
            1e3 * means[best][0] if is_direct and best else None,
            peer=best if is_direct else None,
            peer_value=1e3 * means[best][0] if is_direct and best else None))
    own, other = PAPER_TIMES[kind]
    papers = [means[method][0] for method in PAPER if method in LAWS]
    figures.append(Figure(f"{kind}: {DIRECT}, of the paper's observer at its best gain",
                          means[DIRECT][0] / min(papers), '', peer='paper',
                          peer_value=own / other))
    if kind == 'platform':
        figures.append(Figure(f'{kind}: {DIRECT}, mean of the largest forces until then',
                              means[DIRECT][1], 'N', LIMIT))
    return figures


def delays(seed, joints=None):
    """Return {kind: {method: (time from first touch to detection [s], force [N]), or None}}.

    And under EARLY, how often each method has detected something before.  joints: in GIVING if they
    give way; then of FEW methods.
    """
    methods = FEW if joints else METHODS
    found = {EARLY: dict.fromkeys(methods, 0)}
    for number, kind in enumerate(KINDS):
        collision, = random_collisions(robot(), 1, 4000 + seed, kinds=(kind,), speed=SPEED,
                                       acceleration=ACCELERATION)
        run = collided(collision, GIVING.get(joints))
        noise = 10 * seed + number
        read = measured(Read(run, noise), noise, **TORQUES)
        touch, found[kind] = run.first_touch(), {}
        for method in methods:
            known, force = forces(method, read, wrong_robot(seed))
            beyond = (np.abs(force) > thresholds(seed, method, joints)).any(axis=1) & (
                known > SETTLED)
            found[EARLY][method] += bool((beyond & (known < touch)).any())
            after = known[beyond & (known >= touch)]
            found[kind][method] = (after[0] - touch, push(run, after[0])) if len(after) else None
    return found


def push(run, t):
    """Return the largest force on the platform until a time [N]."""
    there = run.touches <= t
    return np.linalg.norm(run.touch_forces[there, :2], axis=1).max()


@cache
def contact_free(joints):
    """Return the RobotRun of the contact-free rectangle; joints: in GIVING if they give way."""
    run = rectangle().run
    if joints is None:
        return run
    trajectory = plan(robot(), TrajectorySettings(kind='rectangle'))
    return simulate_robot(robot(), trajectory, run.t[-1], control=ON_AND_ON,
                          unmodelled=GIVING[joints])


@cache
def calibration(joints):
    """Return the contact-free rectangle, Read with measured torques."""
    return measured(Read(contact_free(joints), CALIBRATION_SEED), CALIBRATION_SEED, **TORQUES)


@cache
def thresholds(seed, method, joints=None):
    """Return thresholds (g) with a wrong model."""
    return twice_largest(method, calibration(joints), wrong_robot(seed))


def twice_largest(method, read, model):
    """Return twice the largest force (g) of a contact-free motion that is Read."""
    known, force = forces(method, read, model)
    return SAFETY * np.nanmax(np.abs(force[known > SETTLED]), axis=0)


def forces(method, read, model):
    """Return when forces were known (k) [s], and the forces (k, g), NaN where not judged."""
    if method in (DIRECT, ON_ENCODERS):
        observed = read.observed if method == DIRECT else read.with_encoders()
        found = read.experiment.detect(observed, DetectionSettings(method=DIRECT), model)
        return found.known, found.track.force[DIRECT]
    law = LAWS[method]
    observed = read.differences() if law.on == ON_DIFFERENCES else read.observed
    first = np.flatnonzero(np.diff(np.maximum.accumulate(observed.stamps), prepend=-1) > 0)
    stamps = observed.stamps[first]
    experiment = read.experiment
    torques = read.run.torques[np.searchsorted(experiment.stamps, stamps)]
    observer = law.kind(model, settings=law.settings)
    observer.reset(observed.z[first[0]], observed.zd[first[0]])
    steps = np.diff(stamps) / NANOSECONDS
    force = [observer.update(dt, observed.z[row], observed.zd[row], torque)
             for dt, row, torque in zip(steps, first[1:], torques[1:], strict=True)]
    return (observed.known[first[1:]] - experiment.stamps[0]) / NANOSECONDS, np.array(force)
