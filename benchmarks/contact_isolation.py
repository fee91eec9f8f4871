"""Which body of the 3-RRR robot is touched: named rightly or not in random collisions.

The whole chain: sensors with noise, the IMU 3 to 4 ms late, platform_ekf, the direct method with
all parameters of the dynamics 5 % wrong, thresholds twice the largest force of the contact-free
rectangle.
"""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    Read,
    isolation_settings,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.contact_detection import collided
from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from benchmarks.pictures import plain, plt, save
from mb_bringup.endurance import busy_loops
from mb_contact import DECIDED, Contact, ContactIsolation, Force, likeliest
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.collisions.planar_posture import PlanarShapes
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import ControlSettings

SEEDS, CLAMPING_SEEDS = range(75), range(60)       # of each kind
MODELS = 20                                        # wrong ones, with their thresholds
WAITS = 0.0, 0.005, 0.01, 0.02, 0.04               # after the detection [s]
SETTLED, REPORTED = 0.04, 0.02     # probabilities have by then; a report names a body by then [s]
BINS = 0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0    # of probabilities
LOCATED = 'platform', 'second_link'                # kinds whose point follows from forces
PLATFORM, OTHER, MISSED = 'platform', 'on another leg', 'not detected'
LIGHT, DARK = '#ffffff', '#1a1a1a'
SPEED = (0.2, 1.0)                      # of the platform of a robot that stops [m/s]
REACTION_DELAY = 0.01                   # [s]
SETTINGS = {'as it is': {}, 'nothing set in motion': {'imbalance': 0.0, 'settling': 0.0}}
RIGHT, AMBIGUOUS, WRONG = 'named rightly', 'ambiguous, the right one among them', 'named wrongly'
DURATION, BUSY = 16.0, 3                # of the launched runs; processes that keep it busy
_ROUNDING = 1e-4                        # of times [s]


def measure_contact_isolation():
    """Return shares of collisions named rightly, errors of probabilities and points; draw them.

    As many on the platform, on a first link, on a second link, and of something clamped in a leg.
    A collision that is not detected counts as named wrongly.  Probabilities are honest where a
    share of p comes true of all hypotheses with about the probability p.
    Writes contact_isolation.png: what was named for what, and the probabilities that came true.
    """
    rows = list(over_cases(judged, product(KINDS, SEEDS)).values())
    figures = [Figure(f'named rightly {1e3 * wait:g} ms after the detection',
                      share(rows, wait), '', 0.85 if wait == SETTLED else None, at_least=True,
                      peer='mean probability', peer_value=claimed(rows, wait)) for wait in WAITS]
    figures += [Figure(f'{kind}: named rightly {1e3 * SETTLED:g} ms after the detection',
                       share([row for row in rows if row['kind'] == kind], SETTLED), '')
                for kind in KINDS]
    figures.append(Figure('not detected', sum(row['missed'] for row in rows), ''))
    stated, true = reliability(rows)
    figures += [Figure(f'probabilities from {low:g} to {high:g}: came true', came_true, '',
                       peer='mean probability', peer_value=mean)
                for (low, high), mean, came_true in zip(pairwise(BINS), stated, true,
                                                        strict=True)]
    for kind in LOCATED:
        errors, within = np.array([row['located'] for row in rows if row['kind'] == kind
                                   and row['located'] is not None]).T
        figures += [Figure(f'{kind}: error of the point, median', 1e3 * np.median(errors), 'mm'),
                    Figure(f'{kind}: 95 % region holds the point', np.mean(within), '')]
    draw(rows)
    return figures


def share(rows, wait):
    """Return the share of collisions whose most probable hypothesis is right after a wait [s]."""
    return np.mean([not row['missed'] and best(row, wait)[0] == row['bodies'] for row in rows])


def claimed(rows, wait):
    """Return the mean probability of the most probable hypothesis after a wait [s]."""
    return np.mean([best(row, wait)[1] for row in rows if not row['missed']])


def best(row, wait):
    """Return (bodies, probability) of the most probable hypothesis after a wait [s]."""
    return row['named'][wait][0]


def reliability(rows):
    """Return of all hypotheses in each of BINS: mean probability, and the share that is right."""
    pairs = np.array([(probability, bodies == row['bodies']) for row in rows if not row['missed']
                      for bodies, probability in row['named'][SETTLED]])
    number = np.digitize(pairs[:, 0], BINS[1:-1], right=True)
    return np.array([pairs[number == k].mean(axis=0) for k in range(len(BINS) - 1)]).T


def judged(kind, seed):
    """Return what was named of one collision after each of WAITS, and about its point."""
    collision, = random_collisions(robot(), 1, 4000 + seed, kinds=(kind,))
    read, model = Read(collided(collision), seed), wrong_robot(seed % MODELS)
    limits = thresholds(seed % MODELS, DIRECT)
    row = {'kind': kind, 'bodies': collision.bodies, 'named': {}, 'missed': True, 'located': None}
    track = read.detections(DIRECT, model, limits).track
    begin = first_detection(read, track, np.flatnonzero(track.detected))
    if begin is None:
        return row
    found = hypotheses_after(begin, ContactIsolation(model, isolation_settings()), read, track,
                             limits)
    return row | {'missed': False, 'named': named_by(found),
                  'located': located(collision, found[SETTLED][0])}


def first_detection(read, track, rows):
    """Return the first time of rows of a track from the first touch on [s], None without any."""
    times = 1e-9 * (track.stamps[rows] - read.experiment.stamps[0])
    later = times[times >= read.run.first_touch()]
    return float(later[0]) if len(later) else None


def hypotheses_after(begin, isolation, read, track, limits):
    """Return {wait: hypotheses} at the last state until each of WAITS after a detection [s]."""
    after, found, observed = {}, [], read.observed
    times = 1e-9 * (track.stamps - read.experiment.stamps[0])
    for k, (t, stamp) in enumerate(zip(times.tolist(), track.stamps.tolist(), strict=True)):
        force = Force(DIRECT, track.force[DIRECT][k], track.covariance[DIRECT][k], limits, True)
        is_known = np.isfinite(force.force).all()
        isolation.update(stamp, observed.zd[k], Contact(
            bool(track.detected[k]), int(track.since[k]), track.method[k],
            (force,) if is_known else (), track.reason[k]), observed.q[k])
        if t < begin:
            continue
        if is_known:
            found = isolation.hypotheses(observed.z[k], observed.q[k]) or found
        after |= {wait: found for wait in WAITS if t < begin + wait + _ROUNDING}
        if t > begin + WAITS[-1] + _ROUNDING:
            break
    return after


def named_by(after):
    """Return {wait: [(bodies, probability)]} of {wait: hypotheses}."""
    return {wait: [(one.bodies, one.probability) for one in found]
            for wait, found in after.items()}


def located(collision, hypothesis):
    """Return the error of the point [m], and whether its 95 % region holds the true one.

    None unless the kind is one of LOCATED and the body is the one that was touched.
    """
    if collision.kind not in LOCATED or hypothesis.bodies != collision.bodies:
        return None
    touch, grid = hypothesis.touches[0], 0.01 ** 2 * np.eye(2)
    error = touch.point - touched_point(collision)
    distance = error @ np.linalg.solve(touch.point_covariance + grid, error)
    return np.hypot(*error), distance < -2.0 * np.log(0.05)


def touched_point(collision):
    """Return where the surfaces of body and obstacle meet [m]."""
    appearance, = collision.script.appearances
    posture = PlanarShapes(collision.mechanism).posture(collision.trajectory, collision.time)
    (start, end), _, radius = posture.of(collision.bodies[0])
    along, to_centre = end - start, appearance.position - start
    nearest = start + along * (along @ to_centre) / (along @ along) if along.any() else start
    outward = appearance.position - nearest
    return nearest + radius * outward / np.hypot(*outward)


def draw(rows):
    """Write results/contact_isolation.png."""
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.5), layout='constrained')
    draw_confusion(axes[0], rows)
    draw_reliability(axes[1], rows)
    save(figure, 'contact_isolation')


def draw_confusion(axis, rows):
    """Draw how often collisions of a kind were named what."""
    columns = (*KINDS, OTHER, MISSED)
    counts = np.zeros((len(KINDS), len(columns)), int)
    for row in rows:
        counts[KINDS.index(row['kind']), columns.index(named(row))] += 1
    axis.imshow(counts / counts.sum(axis=1, keepdims=True), cmap='Blues', vmin=0.0, vmax=1.0)
    for (i, j), count in np.ndenumerate(counts):
        share = count / counts[i].sum()
        axis.text(j, i, count or '', ha='center', va='center', color=LIGHT if share > 0.6 else DARK)
    axis.set_xticks(range(len(columns)), [name.replace('_', ' ') for name in columns], rotation=20)
    axis.set_yticks(range(len(KINDS)), [name.replace('_', ' ') for name in KINDS])
    axis.set_title(f'what was touched (rows), and named {1e3 * SETTLED:g} ms after the detection',
                   loc='left', fontsize=10)


def named(row):
    """Return the column of a collision: the kind that was named, on the same leg."""
    if row['missed']:
        return MISSED
    bodies = best(row, SETTLED)[0]
    legs = {body[-1] for body in (bodies[0], row['bodies'][0]) if body != PLATFORM}
    if len(legs) > 1:
        return OTHER
    if len(bodies) > 1:
        return 'clamping'
    return {'p': 'platform', 'i': 'first_link', 'o': 'second_link'}[bodies[0][0]]


def draw_reliability(axis, rows):
    """Draw which share of hypotheses was right, over their probability."""
    stated, true = reliability(rows)
    axis.plot([0.0, 1.0], [0.0, 1.0], color='#c9c9c9', lw=1.0)
    axis.plot(stated, true, 'o-', color='#1f77b4')
    axis.set_xlabel('probability of hypotheses')
    axis.set_ylabel('share of them that is right')
    plain(axis)


def measure_contact_clamping():
    """Return shares of what was named how, and whether one seed gave one run.

    Collisions at 0.2 to 1 m/s, in random poses, of random size, stiffness, friction and mass; the
    robot stops 10 ms after the instant that was judged, so that forces turn and fade.  Named is the
    one hypothesis of a probability of 0.7, or the likeliest ones that have it together, which is
    ambiguous.  The peer is the same isolation without what sets a clamped thing in motion
    (imbalance and settling 0).

    Then the demonstration as users launch it, twice with one seed, the second time on a busy
    machine: the digests of all true states are to be the same.
    """
    rows = list(over_cases(judged_stopping, product(KINDS, CLAMPING_SEEDS)).values())
    figures = []
    for kind, wait, how in product(('clamping', *KINDS[:-1]), WAITS[2:],
                                   (RIGHT, AMBIGUOUS, WRONG)):
        value, peer = (share_named(rows, kind, label, wait, how) for label in SETTINGS)
        wanted = (kind, wait, how) == ('clamping', REPORTED, WRONG)
        figures.append(Figure(f'{kind}, {1e3 * wait:g} ms after the detection: {how}', value, '',
                              0.05 if wanted else None, peer=list(SETTINGS)[1], peer_value=peer))
    figures.append(Figure('not detected', sum(row is None for row in rows), ''))
    return [*figures, *one_seed_one_run()]


def share_named(rows, kind, label, wait, how):
    """Return the share of collisions of a kind that were named so, with one of SETTINGS."""
    outcomes = Counter(outcome(row[label][wait], row['bodies']) for row in rows
                       if row is not None and row['kind'] == kind and wait in row[label])
    return outcomes[how] / max(1, outcomes.total())


def outcome(found, bodies):
    """Return how (bodies, probability) of hypotheses, the likeliest first, name the true bodies."""
    likely = likeliest(found, DECIDED)
    if bodies not in likely:
        return WRONG
    return RIGHT if len(likely) == 1 else AMBIGUOUS


def judged_stopping(kind, seed):
    """Return hypotheses on one collision with each of SETTINGS, None if it is not detected."""
    collision, = random_collisions(robot(), 1, 7000 + seed, kinds=(kind,), speed=SPEED)
    model, limits = wrong_robot(seed % MODELS), thresholds(seed % MODELS, DIRECT)
    reactions, begin = (), None
    for _ in range(2):          # until it is detected, and the same with the reaction to that
        collision.begin_anew()
        run = simulate_robot(collision.mechanism, collision.trajectory, collision.duration,
                             collision.obstacles, collision.act, ControlSettings(seed=seed),
                             reactions=reactions)
        read = Read(run, seed, stream={'reorder_window': 0.3})
        track = read.detections(DIRECT, model, limits).track
        begin = first_detection(read, track, track.beginnings)
        if begin is None:
            return None
        reactions = (round(begin + REACTION_DELAY, 6),)
    return {'kind': kind, 'bodies': collision.bodies} | {
        label: named_by(hypotheses_after(
            begin, ContactIsolation(model, replace(isolation_settings(), **changes)), read, track,
            limits))
        for label, changes in SETTINGS.items()}


def one_seed_one_run():
    """Return figures on the launched demonstration: does a busy machine change the truth?"""
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
