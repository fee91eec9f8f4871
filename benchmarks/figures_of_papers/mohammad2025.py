"""Figs. 4, 5, 7, 8 and 10 of Mohammad et al. 2025: accelerations and forces of a 3-RRR robot."""

from functools import cache, partial

import numpy as np
from scipy.interpolate import CubicSpline

from benchmarks.contact_cases import DIRECT, OBSERVER, Read, robot, thresholds
from benchmarks.contact_detection import (
    PAPER_SPEED,
    PAPER_THRESHOLDS,
    collided,
    draw_collision,
    read_collision,
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
    title,
)
from benchmarks.platform import (
    BIASED,
    DURATION,
    PLACES,
    SETTLED,
    differentiated,
    errors,
    estimated,
    moved_imu,
    recorded,
)
from mb_sensors import (
    NANOSECONDS,
    BodyMotion,
    ImuRecording,
    RecordedMotion,
    fit_mounting,
    mounting_overrides,
    sensors_of,
    true_values,
)
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import IMU, ContactExperiment, simulate_robot
from mb_simulation.control import TrajectorySettings, plan

QUICK = 0.6                                             # s
SHOWN = 1.4                                             # s, of the accelerations
GAIN = f'{OBSERVER}, 135 /s'                            # of Fig. 10
DRAWN = {DIRECT: OURS, GAIN: PEER}
STATED = {'platform': (3, 6), 'first_link': (6, 10), 'second_link': (17, 25), 'clamping': (39, 47)}
PLACE, ORIENTATION = (0.075, 0.054), np.radians(2.8)    # of the second IMU, in the plane
BODY = 'platform'
AXES = (('x', 'm/s$^2$'), ('y', 'm/s$^2$'), ('turn', 'rad/s$^2$'))


@cache
def rectangle(duration, kind='rectangle'):
    """Return the RobotRun of a motion without contacts [s]."""
    return simulate_robot(robot(), plan(robot(), TrajectorySettings(kind=kind)), duration)


def draw_accelerations(asked: Asked) -> Drawn:
    """Draw the accelerations of the platform: true, by the filter, differentiated twice."""
    run = rectangle(QUICK if asked.quick else DURATION)
    experiment = ContactExperiment(run)
    ways = {'EKF': (partial(estimated, experiment, {}), OURS),
            'Num': (partial(differentiated, experiment), PEER)}
    picture, axes = panels(2, 1, (8.0, 5.0), sharex=True)
    for k, (axis, (name, unit)) in enumerate(zip(axes[:, 0], AXES, strict=False)):
        for way, (accelerations, colour) in reversed(ways.items()):
            rows, zdd = accelerations(asked.seeds[0])
            axis.plot(run.t[rows], zdd[:, k], color=colour, lw=1.0, label=way)
        axis.plot(run.t, run.zdd[:, k], color=TRUE, lw=0.8, ls='--', label='true')
        axis.set_xlim(SETTLED, SHOWN if not asked.quick else QUICK)
        reach = 1.5 * np.abs(run.zdd[run.t > SETTLED, k]).max()
        axis.set_ylim(-reach, reach)
        axis.set_ylabel(f'acceleration [{unit}]')
        title(axis, 'ab'[k], f'{name} direction')
    axes[1, 0].set_xlabel('time [s]')
    legend(axes[0, 0], ncols=3, loc='lower right', bbox_to_anchor=(1.0, 1.0))
    found = {way: errors(run, one, asked.seeds) for way, (one, _) in ways.items()}
    stated = {'EKF': 'below .012, at least 25 dB', 'Num': '.09, 8 dB'}
    return Drawn(picture, [f'{way}: NRMSE {found[way][0]:.2g}, SNR {found[way][1]:.0f} dB '
                           f'(paper: {stated[way]})' for way in ways])


def draw_simulated(asked: Asked) -> Drawn:
    """Draw true and direct forces of a collision of the platform and of both links."""
    kinds = KINDS[:1] if asked.quick else [kind for kind in KINDS if kind != 'clamping']
    picture, axes = panels(1, len(kinds), (4.0 * len(kinds), 3.6))
    limits, lines = {DIRECT: np.array(PAPER_THRESHOLDS)}, []
    for axis, kind, letter in zip(axes[0], kinds, 'abc', strict=False):
        read = at_paper_speed(kind, asked.seeds[0])
        delay = draw_collision(axis, read, {DIRECT: OURS}, robot(), limits)[DIRECT]
        title(axis, letter, kind.replace('_', ' '))
        beyond = read.run.first_touch(PAPER_THRESHOLDS)
        lines.append(f'{kind}: ' + ('missed' if delay is None or beyond is None else (
            f'{1e3 * delay:.1f} ms after the touch, '
            f'{1e3 * (delay + read.run.first_touch() - beyond):.1f} ms after the first force '
            'beyond a threshold')))
    legend(axes[0, 0], loc='upper right')
    return Drawn(picture, [*lines, 'paper: 1 ms'])


def at_paper_speed(kind, seed):
    """Return a random collision at the paper's speed, Read with an ideal IMU."""
    collision, = random_collisions(robot(), 1, 2000 + seed, kinds=(kind,),
                                   speed=(PAPER_SPEED, PAPER_SPEED))
    return Read(collided(collision), seed, late=False)


def draw_calibration(asked: Asked) -> Drawn:
    """Draw what an IMU reads and should have read, before and after its calibration."""
    seed = asked.seeds[0]
    run = rectangle(2.0 if asked.quick else 4.0, 'random')
    true = ContactExperiment(moved_imu(run, list(PLACE), ORIENTATION), IMU, noise=BIASED)
    columns = recorded(true, seed)
    believed = ContactExperiment(moved_imu(run, [0.0, 0.0]), IMU)
    readings = np.hstack([columns[sensor.name] for sensor in believed.sensors])
    motion = RecordedMotion(believed.stamps, run.z, run.zd, run.zdd)
    fit = fit_mounting(believed.mechanism, believed.sensors, [ImuRecording(
        BodyMotion(believed.mechanism, BODY, motion), believed.stamps, readings)])
    calibrated = believed.mechanism.replace(**mounting_overrides(
        believed.mechanism, believed.sensors, fit, ('position', 'orientation')))
    picture, axes = panels(readings.shape[1], 1, (8.0, 5.4), sharex=True)
    t = (believed.stamps - believed.stamps[0]) / NANOSECONDS
    late, biases = fit.values('delay')[0], [fit.bias(name) for name in fit.residuals.channels]
    for label, mechanism, colour, shift, bias in (
            ('before', believed.mechanism, PEER, 0.0, 0.0),
            ('after', calibrated, OURS, late, biases)):
        expected = CubicSpline(t, expected_of(mechanism, believed.sensors, motion))(
            t - shift) + bias
        for k, axis in enumerate(axes[:, 0]):
            if label == 'before':
                axis.plot(t, readings[:, k], color=OTHER, lw=2.2, label='read')
            left = np.sqrt(np.nanmean((readings[:, k] - expected[:, k]) ** 2))
            axis.plot(t, expected[:, k], color=colour, lw=0.9, label=f'{label}, {left:.2g} left')
            axis.set_ylabel(('rate [rad/s]', 'x [m/s$^2$]', 'y [m/s$^2$]')[k])
            legend(axis, ncols=3, loc='lower right', bbox_to_anchor=(1.0, 0.98))
    axes[-1, 0].set_xlabel('time [s]')
    (x, y), (turned,) = fit.values('at'), fit.values('orientation')
    return Drawn(picture, [
        f'place [{1e3 * x:.1f}, {1e3 * y:.1f}] mm, truly [{1e3 * PLACE[0]:.0f}, '
        f'{1e3 * PLACE[1]:.0f}]; turned by {np.degrees(turned):.2f} degrees, truly '
        f'{np.degrees(ORIENTATION):.2f}'])


def expected_of(mechanism, sensors, motion):
    """Return what sensors would read at the instants of a RecordedMotion (k, channels)."""
    states = motion.states(mechanism)
    return np.hstack([true_values(mechanism, sensor, *states)
                      for sensor in sensors_of(mechanism, [one.name for one in sensors])])


def draw_places(asked: Asked) -> Drawn:
    """Draw accelerations by an IMU in the platform's centre and by one beside it."""
    run = rectangle(QUICK if asked.quick else DURATION)
    picture, axes = panels(3, 1, (8.0, 7.0), sharex=True)
    lines, nrmses = [], []
    for (name, place), colour in zip(PLACES.items(), (OURS, OTHER), strict=True):
        accelerations = partial(estimated, ContactExperiment(moved_imu(run, place)), {})
        rows, zdd = accelerations(asked.seeds[0])
        for axis, values in zip(axes[:, 0], zdd.T, strict=True):
            axis.plot(run.t[rows], values, color=colour, lw=1.0, label=name)
        nrmse, _, angular = errors(run, accelerations, asked.seeds)
        nrmses.append(nrmse)
        lines.append(f'{name}: NRMSE {nrmse:.2g}, angular acceleration {angular:.2g} rad/s^2 off')
    for axis, (name, unit), truth, letter in zip(axes[:, 0], AXES, run.zdd.T, 'abc', strict=True):
        axis.plot(run.t, truth, color=TRUE, lw=0.8, ls='--', label='true')
        axis.set_ylabel(f'{name} [{unit}]')
        axis.set_xlim(SETTLED, SHOWN if not asked.quick else QUICK)
        reach = max(1.5 * np.abs(truth[run.t > SETTLED]).max(), 10.0)
        axis.set_ylim(-reach, reach)
        title(axis, letter, f'acceleration, {name}')
    axes[2, 0].set_xlabel('time [s]')
    legend(axes[0, 0], ncols=3, loc='lower right', bbox_to_anchor=(1.0, 1.0))
    return Drawn(picture, [*lines, f'NRMSE differ by {abs(np.diff(nrmses)[0]):.2g} (paper: up to '
                           '5 %)'])


def draw_experiments(asked: Asked) -> Drawn:
    """Draw forces of three collisions and a clamping by direct method and observer."""
    kinds = KINDS[:1] if asked.quick else KINDS
    picture, axes = panels(-(-len(kinds) // 2), min(len(kinds), 2), (10.0, 6.5))
    limits = {method: np.array(PAPER_THRESHOLDS) if asked.quick else thresholds(0, method)
              for method in DRAWN}
    lines = []
    for axis, kind, letter in zip(axes.flat, kinds, 'abcd', strict=False):
        delays = draw_collision(axis, read_collision(kind, asked.seeds[0]), DRAWN,
                                limits=limits)
        title(axis, letter, kind.replace('_', ' '))
        lines.append(f'{kind}: ' + ', '.join(
            f'{method} ' + ('missed' if delay is None else f'{1e3 * delay:.1f} ms')
            + f' (paper {stated} ms)'
            for (method, delay), stated in zip(delays.items(), STATED[kind], strict=True)))
    legend(axes[0, 0], loc='upper right')
    lines.append('thresholds: ' + ', '.join(
        f'{method} {limit[:2].max():.0f} N, {limit[2]:.2g} N m'
        for method, limit in limits.items()) + ' (paper 29 N, 2.2 and 2.6 N m)')
    return Drawn(picture, lines)


FIGURES = {
    4: PaperFigure(
        draw_accelerations,
        'The platform on a rectangle without contacts at 1.41 m/s and 12.4 m/s^2, in MuJoCo, with '
        'the noise of their sensors: by the filter, and the pose differentiated twice behind a '
        'low-pass of 20 Hz. The robot is ours.',
        'by the filter NRMSE below .012 and SNR of 25 dB or more, differentiated .09 and 8 dB'),
    5: PaperFigure(
        draw_simulated,
        'Forces of collisions at .45 m/s in MuJoCo, an ideal IMU, their thresholds of 7.5 N and '
        '.5 N m (shaded); dotted: detected. Robot and obstacles are ours.',
        'the direct method detects each after 1 ms'),
    7: PaperFigure(
        draw_calibration,
        'Readings of an IMU beside the centre of the platform, in simulation, and what a model '
        'expects before and after the calibration. Place and angle are theirs.',
        'calibration reduces the errors of the modelled accelerations'),
    8: PaperFigure(
        draw_places,
        'Accelerations on the rectangle by an IMU in the centre and by one at the place of their '
        'second one, in simulation.',
        'the IMU off the centre adds nothing; NRMSE differ by up to 5 %'),
    10: PaperFigure(
        draw_experiments,
        'Forces of collisions and of a clamping, in simulation: the IMU 3 to 4 ms late, models 5 % '
        'wrong, thresholds (shaded) twice the largest force on the rectangle; dotted: detected.',
        'the direct method detects after 3, 6, 17, 39 ms, the observer after 6, 10, 25, 47 ms',
        (1,)),
}
