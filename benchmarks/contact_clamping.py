"""What a robot that stops names as clamped or touched, over poses; and that a seed gives one run.

Random collisions of the 3-RRR robot at 0.2 to 1 m/s, in random poses, of random size, stiffness,
friction and mass; the robot stops 10 ms after the instant that was judged, so that forces turn and
fade.  As many on the platform, a first and a second link as of something clamped in a leg; the
chain is contact_isolation's.  Named is the one hypothesis of a probability of 0.7, or the
likeliest ones that have it together, which is ambiguous.  The peer is the same isolation without
what sets a clamped thing in motion (imbalance and settling 0).

Then the demonstration as users launch it, twice with one seed, the second time on a busy machine:
the digests of all true states are to be the same.
"""

from collections import Counter
from dataclasses import replace
from itertools import product
import os

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    isolation_settings,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from mb_bringup.endurance import busy_loops
from mb_contact import (
    DECIDED,
    Contact,
    ContactIsolation,
    DetectionSettings,
    Force,
    likeliest,
)
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import LATE_IMU, ContactExperiment, simulate_robot
from mb_simulation.control import ControlSettings

SEEDS = range(60)                       # of each kind
SPEED = (0.2, 1.0)                      # of the platform [m/s]
MODELS = 20                             # wrong ones, with their thresholds
REACTION_DELAY = 0.01                   # [s]
WAITS = 0.01, 0.02, 0.04                # after the detection [s]
JUDGED = 0.02                           # by then the report of a run names a body [s]
WAY = {'as it is': {}, 'nothing set in motion': {'imbalance': 0.0, 'settling': 0.0}}
RIGHT, AMBIGUOUS, WRONG = 'named rightly', 'ambiguous, the right one among them', 'named wrongly'
DOMAIN, DURATION, BUSY = '94', 16.0, 3  # of the launched runs; processes that keep it busy
_ROUNDING = 1e-4                        # of times [s]


def measure():
    """Return shares of what was named how, and whether one seed gave one run."""
    rows = list(over_cases(judged, product(KINDS, SEEDS)).values())
    figures = []
    for kind, wait, how in product(('clamping', *KINDS[:-1]), WAITS, (RIGHT, AMBIGUOUS, WRONG)):
        value, peer = (share(rows, kind, way, wait, how) for way in WAY)
        wanted = (kind, wait, how) == ('clamping', JUDGED, WRONG)
        figures.append(Figure(f'{kind}, {1e3 * wait:g} ms after the detection: {how}', value, '',
                              0.05 if wanted else None, peer=list(WAY)[1], peer_value=peer))
    figures.append(Figure('not detected', sum(row is None for row in rows), ''))
    return [*figures, *one_seed_one_run()]


def share(rows, kind, way, wait, how):
    """Return the share of collisions of a kind that were named in a way."""
    outcomes = Counter(outcome(row[way][wait], row['bodies']) for row in rows
                       if row is not None and row['kind'] == kind and wait in row[way])
    return outcomes[how] / max(1, outcomes.total())


def outcome(found, bodies):
    """Return how (bodies, probability) of hypotheses, the likeliest first, name the true bodies."""
    named = likeliest(found, DECIDED)
    if bodies not in named:
        return WRONG
    return RIGHT if len(named) == 1 else AMBIGUOUS


def judged(kind, seed):
    """Return hypotheses on one collision by each WAY after each of WAITS, None if not detected."""
    collision, = random_collisions(robot(), 1, 7000 + seed, kinds=(kind,), speed=SPEED)
    model, limits = wrong_robot(seed % MODELS), tuple(thresholds(seed % MODELS, DIRECT))
    settings = DetectionSettings(method=DIRECT, direct_threshold=limits)
    touch, reactions, begin = None, (), None
    for _ in range(2):          # until it is detected, and the same with the reaction to that
        run, experiment, observed, track = detected(collision, seed, model, settings, reactions)
        touch = run.first_touch()
        times = 1e-9 * (track.stamps - experiment.stamps[0])
        found = times[track.beginnings]
        if not (found >= touch).any():
            return None
        begin = float(found[found >= touch][0])
        reactions = (round(begin + REACTION_DELAY, 6),)
    row = {'kind': kind, 'bodies': collision.bodies}
    for way, changes in WAY.items():
        isolation = ContactIsolation(model, replace(isolation_settings(), **changes))
        row[way] = named_after(isolation, observed, track, times, begin)
    return row


def detected(collision, seed, model, settings, reactions):
    """Return RobotRun, experiment, what is observed and the track of a detector.

    reactions: times at which the robot stops [s].
    """
    collision.begin_anew()
    run = simulate_robot(collision.mechanism, collision.trajectory, collision.duration,
                         collision.obstacles, collision.act, ControlSettings(seed=seed),
                         reactions=reactions)
    experiment = ContactExperiment(run, noise=LATE_IMU)
    observed = experiment.observe(seed, {'reorder_window': 0.3})
    return run, experiment, observed, experiment.detect(observed, settings, model).track


def named_after(isolation, observed, track, times, begin):
    """Return {wait: [(bodies, probability)] at the last state until then} of a contact."""
    named, found = {}, []
    for k, (t, stamp) in enumerate(zip(times.tolist(), track.stamps.tolist(), strict=True)):
        force = track.force[DIRECT][k]
        forces = (Force(DIRECT, force, track.covariance[DIRECT][k], force, True),)
        isolation.update(stamp, observed.zd[k], Contact(
            bool(track.detected[k]), int(track.since[k]), track.method[k],
            forces if np.isfinite(force).all() else (), track.reason[k]), observed.q[k])
        if t < begin:
            continue
        if np.isfinite(force).all():
            found = isolation.hypotheses(observed.z[k], observed.q[k]) or found
        for wait in WAITS:
            if t < begin + wait + _ROUNDING:
                named[wait] = [(one.bodies, one.probability) for one in found]
        if t > begin + WAITS[-1] + _ROUNDING:
            break
    return named


def one_seed_one_run():
    """Return figures on the launched demonstration: does a busy machine change the truth?"""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
    calm = launched('parallel_robot_contact', duration=DURATION)[1]
    with busy_loops(BUSY):
        busy = launched('parallel_robot_contact', duration=DURATION)[1]
    other = launched('parallel_robot_contact', duration=DURATION, seed=1)[1]
    truths = [report['truth_digest'] for report in (calm, busy, other)]
    return [Figure('one seed, a calm and a busy machine: true states the same (1: yes)',
                   truths[0] == truths[1], '', 1.0, at_least=True),
            Figure('another seed: the same (1: yes)', truths[0] == truths[2], '', 0.0),
            Figure('calm: speed reached', calm['real_time_factor'], 'x real time',
                   peer='busy', peer_value=busy['real_time_factor']),
            Figure('calm: contacts named rightly', named_rightly(calm), '', peer='busy',
                   peer_value=named_rightly(busy))]


def named_rightly(report):
    """Return how many contacts of a report were named rightly."""
    return float(sum(one.get('naming') == 'right' for one in report['contacts']))
