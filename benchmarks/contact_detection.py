"""The contact detection of the 3-RRR robot: how soon, how rarely wrong, and at what cost."""

from statistics import median
from time import process_time

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    METHODS,
    OBSERVER,
    ON_AND_ON,
    SETTLED,
    Read,
    rectangle,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.figures import Figure
from benchmarks.pictures import plain, plt, save
from mb_contact import ContactDetector, DetectionSettings
from mb_estimators import make_filter
from mb_sensors import RecordedSensor
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import ESTIMATOR, simulate_robot
from mb_simulation.control import TrajectorySettings, plan

SEEDS = range(20)
PAPER_SPEED = 0.45                    # m/s
PAPER_THRESHOLDS = 7.5, 7.5, 0.5      # N, N m
DRAWN = {DIRECT: '#1f77b4', f'{OBSERVER}, 100 /s': '#d95f02'}
EARLY = 'early'
BEFORE, AFTER = 0.01, 0.05            # drawn, from the first touch [s]


def measure_contact_detection():
    """Return the times.

    How long after the first contact force collisions of the 3-RRR robot are detected.

    First a platform at 0.45 m/s, an ideal IMU, thresholds 7.5 N and 0.5 N m: time after the
    first force beyond a threshold.  Then the table of Mohammad et al. 2025 (Table II): random
    collisions of every kind, the IMU 3 to 4 ms late, all parameters of the dynamics 5 % wrong,
    thresholds twice the largest force of the contact-free rectangle; the mean over 20 seeds and
    start poses of what was detected, counted until the reading that showed it has arrived, and
    how many were missed.  In every row the direct method is to be faster than the best gain
    that misses no more.  Writes contact_detection.png: forces of the first collision of every
    kind, as known over time.
    """
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


def draw_collision(axis, read, drawn=DRAWN, model=None, limits=None):
    """Draw forces where a threshold is exceeded most, as they become known.

    drawn: {method: colour}; model: of the detectors, default a wrong one; limits: {method:
    thresholds (g)}, default with that wrong model.  Returns {method: delay [s], None if missed}.
    """
    run, model = read.run, model or wrong_robot(0)
    touch = run.first_touch()
    limits = limits or {method: thresholds(0, method) for method in drawn}
    shown, delays = (run.t > touch - BEFORE) & (run.t < touch + AFTER), {}
    most = int(np.argmax(np.abs(run.external[shown]).max(axis=0) / limits[DIRECT]))
    axis.plot(1e3 * (run.t[shown] - touch), run.external[shown, most], color='#1a1a1a', lw=1.2,
              ls='--', label='true')
    for method, colour in drawn.items():
        found = read.detections(method, model, limits[method])
        force, = found.track.force.values()
        there = (found.known > touch - BEFORE) & (found.known < touch + AFTER) & np.isfinite(
            force[:, most])
        axis.plot(1e3 * (found.known[there] - touch), force[there, most], color=colour, lw=1.3,
                  label=method)
        axis.axhspan(-limits[method][most], limits[method][most], color=colour, alpha=0.12, lw=0.0)
        delays[method] = found.delay(touch)
        if delays[method] is not None:
            axis.axvline(1e3 * delays[method], color=colour, lw=1.0, ls=':')
    name = run.mechanism.independent[most]
    axis.set_xlabel('time after the first touch [ms]')
    axis.set_ylabel(f'moment ({name}) [N m]' if run.mechanism.unit(name) == 'rad'
                    else f'force ({name}) [N]')
    plain(axis)
    return delays


PARTS = range(10)                     # of the motion
PART = 60.0                           # s
MODELS = range(5)                     # seeds of wrong models
JUDGED = (DIRECT, f'{OBSERVER}, 100 /s')


def measure_contact_false_positives():
    """Return alarms and largest shares.

    Ten minutes of random motion of the 3-RRR robot without contacts, models 5 % wrong.

    Up to 1.41 m/s, 12.4 m/s^2, 4 rad/s and 40 rad/s^2 all over the workspace.  Thresholds are
    from the table of detection times: twice the largest force of the contact-free rectangle,
    found with the same wrong model.  An ideal IMU saves minutes: a late one gives the direct
    method the same estimates later.  Shown: how often a contact is detected, and the largest
    share of a threshold reached.
    """
    found = np.array(list(over_cases(part, [(number,) for number in PARTS]).values()))
    figures = []
    for column, method in enumerate(JUDGED):
        alarms, shares = found[:, :, column, 0].sum(axis=0), found[:, :, column, 1].max(axis=0)
        figures += [
            Figure(f'{method}: false contacts in {PART * len(PARTS) / 60:g} minutes, all of '
                   f'{len(MODELS)} wrong models', alarms.sum(), '',
                   0.0 if method == DIRECT else None),
            Figure(f'{method}: largest share of a threshold', shares.max(), '',
                   peer='mean over models', peer_value=shares.mean())]
    return figures


def part(number):
    """Return alarms and largest share of a threshold in a part, [of each model][and method]."""
    settings = TrajectorySettings(kind='random', random_duration=PART, seed=number)
    run = simulate_robot(robot(), plan(robot(), settings), PART, control=ON_AND_ON, step=1e-3)
    read = Read(run, seed=number, late=False)
    return [[judged_part(read, model, method) for method in JUDGED] for model in MODELS]


def judged_part(read, model, method):
    """Return how often a contact was detected, and the largest share of a threshold."""
    limits = thresholds(model, method)
    detections = read.detections(method, wrong_robot(model), limits)
    force, = detections.track.force.values()
    share = np.nanmax(np.abs(force[detections.known > SETTLED]) / limits)
    return int((detections.times > SETTLED).sum()), share


ROUNDS = 7
TARGET = 60.0        # us
DETECTORS = {'direct': 'direct', 'observer': 'momentum_observer', 'both': 'both'}


def measure_contact_cost():
    """Return the times.

    Time of a cycle of the contact detection of the 3-RRR robot at 1 kHz: estimate, both
    methods.

    platform_ekf takes three encoders and the IMU, then direct method and momentum observer
    judge its estimate.  Calls from Python included, processor time; the median of rounds along
    the contact-free rectangle.
    """
    experiment = rectangle().experiment
    readings = np.hstack([RecordedSensor(sensor, experiment.run, experiment.stamps.tolist())
                          .readings(0) for sensor in experiment.sensors])
    rounds = {name: [] for name in ('estimate', *DETECTORS)}
    for _ in range(ROUNDS):
        rounds['estimate'].append(cycle_time(experiment, readings, None))
        for name, method in DETECTORS.items():
            rounds[name].append(cycle_time(experiment, readings, method))
    times = {name: 1e6 * median(row) for name, row in rounds.items()}
    return [Figure('estimate alone', times['estimate'], 'us')] + [
        Figure(f'estimate and {name}', times[name], 'us', TARGET if name == 'both' else None,
               peer='estimate alone', peer_value=times['estimate']) for name in DETECTORS]


def cycle_time(experiment, readings, method):
    """Return the processor time of a cycle [s]; method: of the detector, None for none."""
    observer = make_filter(ESTIMATOR, experiment.mechanism, experiment.sensors, experiment.dt)
    detector = method and ContactDetector(experiment.mechanism,
                                          settings=DetectionSettings(method=method))
    torques, stamps = list(experiment.run.torques), experiment.stamps.tolist()
    begin = process_time()
    for stamp, row, torque in zip(stamps, readings, torques, strict=True):
        observer.predict(experiment.dt)
        observer.correct(row)
        estimate = observer.estimate
        if detector:
            detector.update(stamp, estimate.z, estimate.zd, estimate.zdd, estimate.covariance,
                            torque, estimate.q)
    return (process_time() - begin) / len(stamps)
