"""Which body of the 3-RRR robot is touched: named rightly or not in 300 random collisions.

As many on the platform, on a first link, on a second link, and of something clamped in a leg; the
whole chain: sensors with noise, the IMU 3 to 4 ms late, platform_ekf, the direct method with all
parameters of the dynamics 5 % wrong, thresholds twice the largest force of the contact-free
rectangle.  A collision that is not detected counts as named wrongly.  Probabilities are honest
where a share of p comes true of all hypotheses with about the probability p.
Writes contact_isolation.png: what was named for what, and the probabilities that came true.
"""

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
from benchmarks.pictures import plain, plt, save
from mb_contact import Contact, ContactIsolation, Force
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.collisions.posture import Shapes

SEEDS = range(75)                                  # of each kind
MODELS = 20                                        # wrong ones, with their thresholds
WAITS = 0.0, 0.005, 0.01, 0.02, 0.04               # after the detection [s]
JUDGED = 0.04                                      # by then probabilities have settled [s]
BINS = 0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0    # of probabilities
LOCATED = 'platform', 'second_link'                # kinds whose place follows from forces
PLATFORM, OTHER, MISSED = 'platform', 'on another leg', 'not detected'
LIGHT, DARK = '#ffffff', '#1a1a1a'
_ROUNDING = 1e-4                                   # of times [s]


def measure():
    """Return shares of collisions named rightly, errors of probabilities and points; draw them."""
    rows = list(over_cases(judged, product(KINDS, SEEDS)).values())
    figures = [Figure(f'named rightly {1e3 * wait:g} ms after the detection',
                      share(rows, wait), '', 0.85 if wait == JUDGED else None, at_least=True,
                      peer='mean probability', peer_value=claimed(rows, wait)) for wait in WAITS]
    figures += [Figure(f'{kind}: named rightly {1e3 * JUDGED:g} ms after the detection',
                       share([row for row in rows if row['kind'] == kind], JUDGED), '')
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
                      for bodies, probability in row['named'][JUDGED]])
    number = np.digitize(pairs[:, 0], BINS[1:-1], right=True)
    return np.array([pairs[number == k].mean(axis=0) for k in range(len(BINS) - 1)]).T


def judged(kind, seed):
    """Return what was named of one collision after each of WAITS, and about its place."""
    collision, = random_collisions(robot(), 1, 4000 + seed, kinds=(kind,))
    read, model = Read(collided(collision), seed), wrong_robot(seed % MODELS)
    row = {'kind': kind, 'bodies': collision.bodies, 'named': {}, 'missed': True, 'located': None}
    isolation = ContactIsolation(model, isolation_settings())
    touch, begin, found = read.run.first_touch(), None, []
    for t, stamp, z, zd, q, contact in judged_states(read, model, thresholds(seed % MODELS,
                                                                             DIRECT)):
        isolation.update(stamp, zd, contact, q)
        if begin is None:
            if not contact.detected or t < touch:
                continue
            begin, row['missed'] = t, False
        found = isolation.hypotheses(z, q) or found
        for wait in WAITS:
            if t < begin + wait + _ROUNDING:      # the last one until then counts
                row['named'][wait] = [(one.bodies, one.probability) for one in found]
        if t < begin + JUDGED + _ROUNDING:
            row['located'] = located(collision, found[0])
        elif t > begin + WAITS[-1] + _ROUNDING:
            break
    return row


def judged_states(read, model, limits):
    """Yield t [s], stamp [ns], z, zd, q and Contact of every state, by the direct method."""
    observed, track = read.observed, read.detections(DIRECT, model, limits).track
    start = read.experiment.stamps[0]
    for k, stamp in enumerate(track.stamps.tolist()):
        force = Force(DIRECT, track.force[DIRECT][k], track.covariance[DIRECT][k], limits, True)
        forces = (force,) if np.isfinite(force.force).all() else ()
        yield (1e-9 * (stamp - start), stamp, observed.z[k], observed.zd[k], observed.q[k],
               Contact(bool(track.detected[k]), int(track.since[k]), track.method[k], forces,
                       track.reason[k]))


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
    posture = Shapes(collision.mechanism).posture(collision.trajectory, collision.time)
    (start, end), _, radius = posture.of(collision.bodies[0])
    along, to_place = end - start, appearance.place - start
    nearest = start + along * (along @ to_place) / (along @ along) if along.any() else start
    outward = appearance.place - nearest
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
    axis.set_title(f'what was touched (rows), and named {1e3 * JUDGED:g} ms after the detection',
                   loc='left', fontsize=10)


def named(row):
    """Return the column of a collision: the kind that was named, on the same leg."""
    if row['missed']:
        return MISSED
    bodies = best(row, JUDGED)[0]
    legs = {body[-1] for body in (bodies[0], row['bodies'][0]) if body != PLATFORM}
    if len(legs) > 1:
        return OTHER
    return kind_of(bodies)


def kind_of(bodies):
    """Return the kind of collision that touches bodies of the robot."""
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
