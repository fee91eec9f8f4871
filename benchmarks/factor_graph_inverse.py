"""Inverse dynamics by a factor graph: the motion of Blanco-Claraco et al. 2021, Sec. 7.2.

Crank of their four-bar linkage at 1.2 (1 - cos 2t) rad, 10 s in steps of 5 ms, and a linkage of two
loops with a motor at each of its cranks, whose file is written when this runs; a pick-and-place
robot with a constraint too many, 1 s at 1 kHz.  Torques against Lagrange's equations on the loops'
geometry (root mean square of the error over the torque's; the largest error, also at t = 0),
how far the cranks are from where they should be, iterations, and processor time of one core.
Lagrange's equations under the torques of the graph, without feedback, show how soon linkages that
stand up, which is unstable, leave their path; beside it, under exact torques at the same instants.
"""

from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from benchmarks.figures import Figure
from mb_estimators import inverse
from mb_model import load_mechanism

sys.path += [str(Path(__file__).parent.parent / 'src' / name / 'test')
             for name in ('mb_model', 'mb_estimators')]
from pick_and_place import MOTIONS, PICK_AND_PLACE, pick_and_place
from test_graph_inverse import TWO_LOOPS, needed, relative, two_loops
from truth import Linkage

DURATION, STEP, ALONE = 10.0, 5e-3, 2.0             # s
ROBOT_INSTANTS, ROBOT_STEP = 1001, 1e-3             # s
ROBOT_MOTIONS = ('swing', 'other swing', 'fast', 'transfer')
FOUR_BAR = Linkage.four_bar(1.0, 2.0, 13 ** 0.5, 4.0, (1.0, 2.0, 4.0), 1, 9.8)


def measure():
    """Return errors and times of the linkages and the robot."""
    with TemporaryDirectory() as folder:
        several, robot = (_load(folder, text) for text in (TWO_LOOPS, PICK_AND_PLACE))
    return [*_figures('four-bar linkage', load_mechanism('four_bar_fg'), FOUR_BAR,
                      [0.0], [1.2], [2.0]),
            *_figures('two loops, two motors', several, two_loops(),
                      [0.0, np.pi], [0.5, 0.5], [3.0, 2.0]),
            *(figure for motion in ROBOT_MOTIONS for figure in _of_robot(robot, motion))]


def _load(folder, text):
    file = Path(folder) / 'mechanism.yaml'
    file.write_text(text)
    return load_mechanism(file)


def _of_robot(robot, motion):
    """Return the Figures of a motion of the pick-and-place robot."""
    label, t = f'pick and place, {motion}', ROBOT_STEP * np.arange(ROBOT_INSTANTS)
    z, *rates = MOTIONS[motion](t)
    truth = needed(pick_and_place(), z, *rates)
    largest = np.abs(truth).max()
    found, figures = _found(label, robot, z, ROBOT_STEP, truth)
    off = np.abs(found.forces - truth).max(axis=1)
    return [*figures,
            Figure(f'{label}: largest torque', largest, 'N m'),
            Figure(f'{label}: largest error of it', off.max(), 'N m', 0.03 * largest),
            Figure(f'{label}: error of it at t = 0', off[0], 'N m', 0.01 * largest)]


def _found(label, mechanism, z, step, truth):
    """Return the Inverse of a motion, and Figures of its error, its iterations and its time."""
    begin = process_time()
    found = inverse(mechanism, z, step)
    wall = process_time() - begin
    return found, [
        Figure(f'{label}: torque, relative error', relative(found.forces, truth).max(), '', 5e-3),
        Figure(f'{label}: following error', np.abs(found.following_error).max(), 'rad', 1e-3),
        Figure(f'{label}: iterations', found.iterations, ''),
        Figure(f'{label}: time', wall, 's')]


def _figures(label, mechanism, linkage, start, size, rate):
    """Return the Figures of cranks at start + size (1 - cos rate t)."""
    t = STEP * np.arange(round(DURATION / STEP) + 1)
    size, rate, phase = np.array(size), np.array(rate), np.outer(t, rate)
    z = start + size * (1.0 - np.cos(phase))
    truth = needed(linkage, z, size * rate * np.sin(phase), size * rate ** 2 * np.cos(phase))
    found, figures = _found(label, mechanism, z, STEP, truth)
    return [*figures,
            Figure(f'{label}: {ALONE:g} s under its torques alone',
                   _alone(linkage, t, z, found.forces), 'rad', peer='exact torques',
                   peer_value=_alone(linkage, t, z, truth))]


def _alone(linkage, t, z, torques):
    """Return how far the cranks get from z when they move under torques (k, g) alone [rad]."""
    torques, g, until = CubicSpline(t, torques), z.shape[1], round(ALONE / STEP) + 1
    moved = solve_ivp(
        lambda time, x: np.concatenate(
            [x[g:], linkage.acceleration(x[:g], x[g:], torques(time))]),
        (0.0, ALONE), np.concatenate([z[0], np.zeros(g)]), 'DOP853', t[:until], rtol=1e-9,
        atol=1e-10)
    return np.abs(moved.y[:g].T - z[:until]).max()
