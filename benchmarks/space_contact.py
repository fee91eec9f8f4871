"""Contacts of a delta robot, an arm and a Stewart platform: how soon, how surely, of which body.

Direct method on estimates of platform_ekf (encoders and ideal IMUs), momentum observer on the same
estimates and on encoders alone, their differences being the velocities; all with the same torques
of motor_torque sensors, and with models whose masses, inertias and dampers are 5 % wrong.
Thresholds of every method are twice its largest force in half a minute of motion that nothing
touches, with the same wrong model.  Shown: delays from the first touch, over all collisions that
both methods detect, and how many each misses; false contacts in ten minutes of other motions; how
often the body is named rightly 20 ms after the detection, how often it is one of the fewest that
have 85 % together, and, for three degrees of freedom, how often the best classifier names it that
knows the true forces and the true motion; what makes thresholds of the direct method large; how
likely the readings of a motion without contacts are by the noise of the filter; and how often what
is named with about a probability comes true.
In all the rest, jerks of angles are the filter's default.  Two parallel rods of a delta robot count
as one body, as a force on one is the same as on the other; so do barrel and rod of a leg of the
platform: what pushes one sideways, another push on the other does, too.

`--machines`, `--seeds` of the collisions of each kind and `--seconds` of the motion without
contacts, whole minutes or a part of one, make it shorter.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.figures import Figure
from benchmarks.space_collisions import collide
from benchmarks.space_contact_cases import (
    CASES,
    DT,
    Read,
    Sines,
    machine,
    observed,
    readings_of,
    simulate,
    wrong_machine,
)
from benchmarks.space_contact_naming import (
    DIRECT,
    TOGETHER,
    WAIT,
    best_groups,
    group,
    grouped,
    naming_figures,
)
from mb_contact import (
    ContactDetector,
    ContactIsolation,
    DetectionSettings,
    IsolationSettings,
    likeliest,
)

GAINS = (50.0, 100.0, 200.0, 500.0)     # of the momentum observer [1/s]
ON_ESTIMATE, OBSERVER = 'observer on the estimate', 'observer'
METHODS = (DIRECT, *(f'{name}, {gain:g} /s' for name, gain in product((ON_ESTIMATE, OBSERVER),
                                                                      GAINS)))
JUDGED = (DIRECT, f'{ON_ESTIMATE}, 100 /s', f'{OBSERVER}, 100 /s')      # in motion without contacts
SEEDS = range(12)                       # collisions of each kind
MODELS = 4                              # wrong ones, with their thresholds
LONG, PART = 600.0, 60.0                # of the motion without contacts, and its parts [s]
CALIBRATED = 30.0                       # length of the one that thresholds are from [s]
SAFETY, SETTLED = 2.0, 0.1              # factor of thresholds; estimates have settled by then [s]
JERK_PSDS = (1.0, 1e2, 1e4, 6e5)        # the third: the filter's default [m^2/s^5 or rad^2/s^5]
_NO_LIMIT = 1e9


def measure(seeds=SEEDS, machines=tuple(CASES), seconds=LONG):
    """Return the figures of machines.

    seeds: of the collisions of each kind; seconds: of motion without contacts, whole minutes or a
    part of one [s].
    """
    length = min(PART, seconds)
    figures, parts = [], range(round(seconds / length))
    for name in machines:
        for model in {number % MODELS for number in (*seeds, *parts)}:
            calibrated(name, model)      # here, so that processes have them
        rows = list(over_cases(judged, product([name], CASES[name].kinds, seeds)).values())
        found = np.array(list(over_cases(part, product([name], parts, [length])).values()))
        figures += [*delay_figures(name, rows), *false_figures(name, found, length),
                    *naming_figures(name, rows), *cause_figures(name), *noise_figures(name)]
    return figures


def delay_figures(name, rows):
    """Return figures on when collisions were detected."""
    ideal = [row['ideal'] for row in rows if row['ideal'] is not None]
    figures = [Figure(f'{name}: direct, from the first force beyond a threshold: longest',
                      1e3 * max(ideal), 'ms', 1.0, peer='mean',
                      peer_value=1e3 * float(np.mean(ideal))),
               Figure(f'{name}: detected before the first touch, all methods',
                      sum(row['early'] for row in rows), '', 0.0)]
    for method in METHODS:
        both = [(row['delays'][DIRECT], row['delays'][method]) for row in rows
                if None not in (row['delays'][DIRECT], row['delays'][method])]
        missed = sum(row['delays'][method] is None for row in rows)
        if not both:
            figures.append(Figure(f'{name}: {method}, of {len(rows)}: missed', missed, ''))
            continue
        direct, own = (1e3 * float(np.mean(times)) for times in zip(*both, strict=True))
        figures.append(Figure(f'{name}: {method}, {missed} of {len(rows)} missed: mean delay', own,
                              'ms', None if method == DIRECT else (direct, np.inf),
                              peer='direct', peer_value=direct))
    return figures


def false_figures(name, found, length):
    """Return figures on the motion without contacts; found (parts, methods, 2), length [s]."""
    return [figure for column, method in enumerate(JUDGED) for figure in (
        Figure(f'{name}: {method}: false contacts in {length * len(found) / 60:g} minutes',
               found[:, column, 0].sum(), '', 0.0),
        Figure(f'{name}: {method}: largest share of a threshold', found[:, column, 1].max(), ''))]


def cause_figures(name):
    """Return what thresholds are made of, where the direct method's is most above the observer's.

    Largest forces of the motion that thresholds are from, with one error less each.
    """
    read, observer = untouched(name), JUDGED[1]
    run, (z, zd, zdd, covariance) = read.run, read.estimate
    true = run.qdd[-len(z):, run.mechanism.indices(run.mechanism.independent)]
    found = {method: largest(track(name, read, 0, method)) for method in (DIRECT, observer)}
    worst = int(np.argmax(found[DIRECT] / found[observer]))
    title = f'{name}: {run.mechanism.independent[worst]}: largest force without contact'
    peer = {'peer': 'observer on the estimate', 'peer_value': found[observer][worst]}
    wrong, settings = wrong_machine(name, 0), detector(name, 0, DIRECT).settings
    parts = {'with true accelerations': (wrong, true, read.torques),
             'with true torques': (wrong, zdd, run.torques[-len(z):]),
             'with the right model': (run.mechanism, zdd, read.torques)}
    return [Figure(f'{title}, direct', found[DIRECT][worst], 'N or N m', **peer),
            *(Figure(f'  {label}', largest(ContactDetector(model, settings=settings).run(
                run.stamps, z, zd, accelerations, covariance, torques))[worst], 'N or N m')
              for label, (model, accelerations, torques) in parts.items()),
            Figure('  error of the acceleration, RMS', np.sqrt(np.mean(
                (zdd - true)[round(SETTLED / DT):, worst] ** 2)), '1/s^2 or m/s^2')]


def noise_figures(name):
    """Return how likely readings without contacts are, by the noise of platform_ekf."""
    run, found = untouched(name).run, []
    true = run.qdd[:, run.mechanism.indices(run.mechanism.independent)]
    readings, settled = readings_of(name, run, seed=1000), round(SETTLED / DT)
    for psd in JERK_PSDS:
        seen = observed(name, run, readings, jerk_psd=psd, angular_jerk_psd=psd)
        spread, off = seen.innovation_covariance[settled:], (seen.zdd - true)[settled:]
        size = spread.shape[1] * np.log(2.0 * np.pi) + np.linalg.slogdet(spread)[1]
        found.append(Figure(f'{name}: jerks of {psd:g}: log-likelihood of an instant, no contact',
                            -0.5 * float(np.mean(size + seen.nis[settled:])), '',
                            peer='RMS error of the worst acceleration',
                            peer_value=float(np.sqrt(np.mean(off ** 2, axis=0)).max())))
    return found


def detector(name, model, method, limits=None):
    """Return the ContactDetector of one of METHODS; limits: thresholds (g)."""
    kind, _, gain = method.partition(', ')
    limits = tuple(np.full(machine(name).g, _NO_LIMIT) if limits is None else limits)
    settings = {'method': DIRECT, 'direct_threshold': limits} if kind == DIRECT else {
        'method': 'momentum_observer', 'momentum_threshold': limits,
        'gain': (float(gain.split()[0]),), 'largest_deviation': _NO_LIMIT}
    return ContactDetector(wrong_machine(name, model), settings=DetectionSettings(**settings))


def track(name, read, model, method, limits=None):
    """Return the ContactTrack of a method over a Read run."""
    states = read.differences() if method.startswith(f'{OBSERVER},') else read.estimate
    return detector(name, model, method, limits).run(read.run.stamps, *states, read.torques)


def largest(tracked):
    """Return the largest forces (g) of a track once settled, absolute."""
    force, = tracked.force.values()
    return np.nanmax(np.abs(force[round(SETTLED / DT):]), axis=0)


@lru_cache(maxsize=32)
def calibrated(name, model):
    """Return thresholds {method: (g)} of a wrong model, by a motion that nothing touches."""
    read = untouched(name)
    return {method: SAFETY * largest(track(name, read, model, method)) for method in METHODS}


@lru_cache(maxsize=1)
def untouched(name):
    """Return the motion that thresholds are from, Read."""
    seed = 1000
    return Read(name, simulate(name, Sines(name, seed), CALIBRATED), seed)


def part(name, number, length):
    """Return false contacts and the largest share of a threshold, of each of JUDGED, in a part.

    length: of the part [s].
    """
    seed, model = 2000 + number, number % MODELS
    read = Read(name, simulate(name, Sines(name, seed), length), seed)
    found = []
    for method in JUDGED:
        limits = calibrated(name, model)[method]
        tracked = track(name, read, model, method, limits)
        found.append(((tracked.beginnings > SETTLED / DT).sum(),
                      (largest(tracked) / limits).max()))
    return found


def judged(name, kind, seed):
    """Return what was found of one collision."""
    collision, model = collide(name, kind, 3000 + seed), seed % MODELS
    run, limits = collision.run, calibrated(name, model)
    read, row = Read(name, run, seed), {'kind': kind, 'delays': {}, 'early': 0, 'ideal': None}
    touch = run.first_touch()
    row['best'] = best_groups(name, collision)
    for method in METHODS:
        tracked = track(name, read, model, method, limits[method])
        settled = tracked.beginnings[tracked.beginnings > SETTLED / DT]
        later = settled[DT * settled >= touch]
        row['early'] += int((DT * settled < touch).sum())
        row['delays'][method] = after(touch, later[0]) if len(later) else None
        if method == DIRECT:
            beyond = run.first_touch(limits[DIRECT])
            if beyond is not None:
                row['ideal'] = max(0.0, after(beyond, later[0])) if len(later) else np.inf
            row |= named(name, read, model, limits[DIRECT], collision,
                         int(later[0]) if len(later) else None)
    return row


def after(time, row):
    """Return how long after a time of the simulation a row is [s], without rounding errors."""
    return round(DT * float(row) - time, 9)


def named(name, read, model, limits, collision, begin):
    """Return the body named 20 ms after the detection at row `begin`, and how far off its place."""
    row = {'true': group(collision.bodies), 'named': None, 'claimed': 0.0, 'possible': [],
           'place': None}
    if begin is None:
        return row
    judge, watched = detector(name, model, DIRECT, limits), read.run
    isolation = ContactIsolation(wrong_machine(name, model), IsolationSettings())
    z, zd, zdd, covariance = read.estimate
    last, right = begin + round(WAIT / DT), machine(name)
    for k in range(min(last + 1, len(z))):
        stamp = int(watched.stamps[k])
        contact = judge.update(stamp, z[k], zd[k], zdd[k], covariance[k], read.torques[k])
        if k > SETTLED / DT:
            isolation.update(stamp, zd[k], contact, right.assemble(z[k], watched.q[k]))
    found = isolation.hypotheses(z[last], watched.q[last]) if last < len(z) else []
    if not found:
        return row
    shares = grouped((one.bodies, one.probability) for one in found)
    row['named'], row['claimed'] = shares[0]
    row['possible'] = likeliest(shares, TOGETHER)
    best = next(one for one in found if group(one.bodies) == row['named'])
    if row['named'] == row['true']:
        row['place'] = float(np.linalg.norm(best.touches[0].point - collision.point))
    return row
