"""Factor graphs of the four-bar linkage that simulate, invert and estimate."""

from functools import cache
from itertools import product
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from benchmarks.cases import STEP, over_cases, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.review_reference import SENSORS
from mb_estimators import forward, inverse, make_filter, smooth
from mb_model import load_mechanism

sys.path += [str(Path(__file__).parent.parent / 'src' / name / 'test')
             for name in ('mb_model', 'mb_estimators')]
from pick_and_place import MOTIONS, PICK_AND_PLACE, pick_and_place
from test_graph_inverse import TWO_LOOPS, needed, relative, two_loops
from truth import Linkage

FALL_DURATION, FALL_STEP = 5.0, 1e-3    # s
WINDOWS = range(2, 11)
TABLE = {'dependent': (0.002361, 0.002356, 0.002352, 0.002348, 0.002344, 0.002341, 0.002338,
                       0.002335, 0.002332),         # m, the paper's Table 1
         'independent': (0.023834, 0.019645, 0.020019, 0.016647, 0.016677, 0.016677, 0.016677,
                         0.017056, 0.016677)}
PAPER_WEIGHT = "independent, the paper's weight of f_eq"
CASES = {'dependent': {'coordinates': 'dependent'},         # label -> settings
         'independent': {'coordinates': 'independent'},
         PAPER_WEIGHT: {'coordinates': 'independent', 'equality_variance': 1e2}}
CASES |= {f'{label}, oldest marginalised': CASES[label] | {'oldest': 'marginalised'}
          for label in ('dependent', PAPER_WEIGHT)}
FOUR_BAR = Linkage.four_bar(1.0, 2.0, 13 ** 0.5, 4.0, (1.0, 2.0, 4.0), 1, 9.8)
PATH_DURATION, PATH_STEP, ALONE = 10.0, 5e-3, 2.0       # s
ROBOT_INSTANTS, ROBOT_STEP = 1001, 1e-3                 # s
ROBOT_MOTIONS = ('swing', 'other swing', 'fast', 'transfer')
LAG = 0.25                                      # s
SEEDS = range(10)
EVERY = 10                                      # instants of which one is compared
WARM = 100                                      # steps before the first that is timed


def measure_factor_graph_forward():
    """Return the error of every window in every case.

    The table of Blanco-Claraco et al. 2021, Sec. 7.1: four-bar linkage of the paper released
    with its crank level, 5 s in steps of 1 ms, windows of 2 to 10 instants, dependent and
    independent coordinates, the latter also with the paper's weight of the soft equality of
    coordinates (its Table 2), with the oldest instant of a window known or marginalised, as a
    fixed-lag smoother does: RMSE of positions and velocities of both points (Fig. 7) against
    DOP853 on the loop's geometry and Lagrange's equation, which share nothing with mb_model; beside
    them those of the true motion one step late.  The paper's are against MSC Adams.
    """
    late = [rmse(true[1:], true[:-1]) for true in true_fall()]  # here, so that processes have it
    figures = [Figure(f'true motion, one step late: RMSE of {name}', error, unit)
               for name, unit, error in zip(('q', 'qd'), ('m', 'm/s'), late, strict=True)]
    for (label, window), (error, rate_error, wall) in over_cases(
            error_of_fall, product(CASES, WINDOWS)).items():
        paper = TABLE[CASES[label]['coordinates']][WINDOWS.index(window)]
        figures.append(Figure(f'{label}, window {window}: RMSE of q', error, 'm',
                              peer='paper', peer_value=paper))
        figures.append(Figure(f'{label}, window {window}: RMSE of qd', rate_error, 'm/s'))
        figures.append(Figure(f'{label}, window {window}: time', wall, 's'))
    return figures


@cache
def true_fall():
    """Return positions of the points (k, 4) [m] and their velocities [m/s]."""
    t = FALL_STEP * np.arange(round(FALL_DURATION / FALL_STEP) + 1)
    z, zd = FOUR_BAR.simulate([0.0], [0.0], t)
    return (np.array([FOUR_BAR.points(row)[:2].ravel() for row in z]),
            np.array([(FOUR_BAR.velocities(row)[:2] @ rate).ravel()
                      for row, rate in zip(z, zd, strict=True)]))


def error_of_fall(label, window):
    """Return the RMSE of the points [m], of their velocities [m/s], and the wall time [s]."""
    mechanism = load_mechanism('four_bar_fg')
    begin = perf_counter()
    run = forward(mechanism, FALL_DURATION, FALL_STEP, window=window, **CASES[label])
    wall = perf_counter() - begin
    places = [mechanism.coordinates.index(name) for name in ('P1.x', 'P1.y', 'P2.x', 'P2.y')]
    return (*(rmse(found[:, places], true)
              for found, true in zip((run.q, run.qd), true_fall(), strict=True)), wall)


def rmse(found, true):
    """Return the root mean square of all differences."""
    return float(np.sqrt(np.mean((found - true) ** 2)))


def measure_factor_graph_inverse():
    """Return errors and times of the linkages and the robot.

    The motion of Blanco-Claraco et al. 2021, Sec. 7.2: crank of their four-bar linkage at 1.2
    (1 - cos 2t) rad, 10 s in steps of 5 ms, and a linkage of two loops with a motor at each of
    its cranks, whose file is written when this runs; a pick-and-place robot with a constraint
    too many, 1 s at 1 kHz.  Torques against Lagrange's equations on the loops' geometry (root
    mean square of the error over the torque's; the largest error, also at t = 0), how far the
    cranks are from where they should be, iterations, and processor time of one core. Lagrange's
    equations under the torques of the graph, without feedback, show how soon linkages that
    stand up, which is unstable, leave their path; beside it, under exact torques at the same
    instants.
    """
    with TemporaryDirectory() as folder:
        several, robot = (written(folder, text) for text in (TWO_LOOPS, PICK_AND_PLACE))
    return [*of_linkage('four-bar linkage', load_mechanism('four_bar_fg'), FOUR_BAR,
                      [0.0], [1.2], [2.0]),
            *of_linkage('two loops, two motors', several, two_loops(),
                      [0.0, np.pi], [0.5, 0.5], [3.0, 2.0]),
            *(figure for motion in ROBOT_MOTIONS for figure in of_robot(robot, motion))]


def written(folder, text):
    file = Path(folder) / 'mechanism.yaml'
    file.write_text(text)
    return load_mechanism(file)


def of_robot(robot, motion):
    """Return the Figures of a motion of the pick-and-place robot."""
    label, t = f'pick and place, {motion}', ROBOT_STEP * np.arange(ROBOT_INSTANTS)
    z, *rates = MOTIONS[motion](t)
    truth = needed(pick_and_place(), z, *rates)
    largest = np.abs(truth).max()
    found, figures = inverted(label, robot, z, ROBOT_STEP, truth)
    off = np.abs(found.forces - truth).max(axis=1)
    return [*figures,
            Figure(f'{label}: largest torque', largest, 'N m'),
            Figure(f'{label}: largest error of it', off.max(), 'N m', 0.03 * largest),
            Figure(f'{label}: error of it at t = 0', off[0], 'N m', 0.01 * largest)]


def inverted(label, mechanism, z, step, truth):
    """Return the Inverse of a motion, and Figures of its error, its iterations and its time."""
    begin = process_time()
    found = inverse(mechanism, z, step)
    wall = process_time() - begin
    return found, [
        Figure(f'{label}: torque, relative error', relative(found.forces, truth).max(), '', 5e-3),
        Figure(f'{label}: following error', np.abs(found.following_error).max(), 'rad', 1e-3),
        Figure(f'{label}: iterations', found.iterations, ''),
        Figure(f'{label}: time', wall, 's')]


def of_linkage(label, mechanism, linkage, start, size, rate):
    """Return the Figures of cranks at start + size (1 - cos rate t)."""
    t = PATH_STEP * np.arange(round(PATH_DURATION / PATH_STEP) + 1)
    size, rate, phase = np.array(size), np.array(rate), np.outer(t, rate)
    z = start + size * (1.0 - np.cos(phase))
    truth = needed(linkage, z, size * rate * np.sin(phase), size * rate ** 2 * np.cos(phase))
    found, figures = inverted(label, mechanism, z, PATH_STEP, truth)
    return [*figures,
            Figure(f'{label}: {ALONE:g} s under its torques alone',
                   without_feedback(linkage, t, z, found.forces), 'rad', peer='exact torques',
                   peer_value=without_feedback(linkage, t, z, truth))]


def without_feedback(linkage, t, z, torques):
    """Return how far the cranks get from z when they move under torques (k, g) alone [rad]."""
    torques, g, until = CubicSpline(t, torques), z.shape[1], round(ALONE / PATH_STEP) + 1
    moved = solve_ivp(
        lambda time, x: np.concatenate(
            [x[g:], linkage.acceleration(x[:g], x[g:], torques(time))]),
        (0.0, ALONE), np.concatenate([z[0], np.zeros(g)]), 'DOP853', t[:until], rtol=1e-9,
        atol=1e-10)
    return np.abs(moved.y[:g].T - z[:until]).max()


def measure_factor_graph_estimation():
    """Return the errors of the smoother beside the filter's, and its times.

    Factor graphs that estimate: four-bar linkage, gravity 1 m/s^2 and start pi/16 wrong, 200
    Hz.

    The smoothed estimates of fixed_lag_smoother with a lag of 0.25 s, of position and of the
    unknown force, beside error_ekf_fe's at the same instants, of 10 s and noise seeds; time of
    a step with a lag of 20 steps, and of smoothing 10 s as a whole, in processor time of one
    core.
    """
    found, figures = over_cases(errors, product(SENSORS, SEEDS)), []
    for sensor in SENSORS:
        rows = [found[sensor, seed] for seed in SEEDS]
        filtered, smoothed = np.mean(rows, axis=0)
        better = np.mean(np.array(rows)[:, 1] < np.array(rows)[:, 0], axis=0)
        for text, unit, value, peer_value, share in zip(
                ('position', 'force'), ('rad', 'N m'), smoothed, filtered, better, strict=True):
            figures += [Figure(f'{sensor}: smoothed 0.25 s later, {text}', value, unit, peer_value,
                               peer='error_ekf_fe', peer_value=peer_value),
                        Figure(f'{sensor}: seeds with a smaller error of {text}', share, '')]
    step, whole = times()
    return [*figures,
            Figure('a step at 200 Hz, lag of 20 steps', 1e3 * step, 'ms', 1e3 * STEP),
            Figure('smoothing 10 s at 200 Hz as a whole', whole, 's', 10.0)]


def errors(sensor, seed):
    """Return RMSE of position and force, of error_ekf_fe and of the smoother (2, 2)."""
    experiment = wrong_gravity(sensor)
    filters = [make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors, STEP),
               make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP,
                           lag=LAG)]
    rows, behind = ([], []), round(LAG / STEP)
    kept = []
    for k, readings in enumerate(experiment.readings(seed)):
        for filter_ in filters:
            if k > 0:
                filter_.predict(STEP)
            filter_.correct(readings)
        kept.append(filters[0].estimate)
        if k >= behind and k % EVERY == 0:
            at = k - behind
            force = true_force(experiment, at)
            for row, estimate in zip(rows, (kept[at], filters[1].smoothed[1]), strict=True):
                row.append([(estimate.z - experiment.truth.z[at])[0],
                            (estimate.forces - force)[0]])
    return [np.sqrt(np.mean(np.square(row), axis=0)).tolist() for row in rows]


def true_force(experiment, k):
    """Return the force that makes the wrong model move as the prototype does."""
    truth = experiment.truth
    return experiment.mechanism.inverse_dynamics(
        truth.z[k], truth.zd[k], truth.zdd[k], near=truth.q[k])


def times():
    """Return the mean processor time of a step and of smoothing 10 s [s]."""
    experiment = wrong_gravity('crank_encoder')
    filter_ = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP,
                          lag=20 * STEP)
    for k, readings in enumerate(experiment.readings(0)):
        if k == WARM:
            begin = process_time()
        if k > 0:
            filter_.predict(STEP)
        filter_.correct(readings)
    step = (process_time() - begin) / (k + 1 - WARM)
    filter_ = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP)
    begin = process_time()
    smooth(filter_, experiment.recording(0), STEP)
    return step, process_time() - begin
