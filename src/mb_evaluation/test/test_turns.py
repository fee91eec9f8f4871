"""Errors of bodies that turn freely, more than half a turn: rotation vectors, against rotations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import TORQUE_FREE

from mb_evaluation.accuracy.errors import errors_against
from mb_evaluation.accuracy.track import Track
from mb_evaluation.report_kinds.accuracy_panels import motion_panel
from mb_evaluation.run_log.accuracy_log import AccuracyLog
from mb_model import FreeOrientations, Mechanism, motion_errors, simulate
from mb_simulation.prototypes import make_prototype

FREE = Mechanism(TORQUE_FREE, 'free.yaml')
ORIENTATIONS = FreeOrientations(FREE)
START, DURATION = 1_000_000_000, 3.0
NONE = np.empty((0, 0))
OFF = Rotation.from_rotvec([0.03, -0.02, 0.01])      # about global axes


@pytest.fixture(scope='module')
def run():
    return simulate(FREE, DURATION, 1e-3)


def turned(run, k):
    return Rotation.from_matrix(FREE.body_motion('box', run.q[k]).rotation)


def track_of(run, rows, turn=None, reference=0.0):
    """Return the Track of rows of a run, its q turned about the origin; z counts from anywhere."""
    samples = []
    for k in rows:
        q, qd, qdd = (getattr(run, name)[k].copy() for name in ('q', 'qd', 'qdd'))
        if turn is not None:
            nodes = len(q) - len(FREE.described.coordinates)
            for values in (q, qd, qdd):
                values[:nodes] = turn.apply(values[:nodes].reshape(-1, 3)).ravel()
        z = run.z[k].copy()
        z[3:] += reference
        samples.append((START + round(run.t[k] * 1e9), z, run.zd[k], run.zdd[k], NONE,
                        ORIENTATIONS.frames(q, qd, qdd)))
    return Track(samples, ORIENTATIONS)


def test_the_body_turns_more_than_half_a_turn(run):
    turns = [turned(run, 0).inv() * turned(run, k) for k in range(0, len(run.t), 10)]
    assert max(turn.magnitude() for turn in turns) > 0.9 * np.pi
    assert np.abs(run.zd[:, 3:6]).max() * DURATION > 4.0 * np.pi


def test_errors_are_rotation_vectors_in_the_body_whatever_z_counts_from(run):
    """A turn by a vector e about global axes is one by R^T e about axes of a body turned by R."""
    rows = range(0, len(run.t), 50)
    errors = errors_against(track_of(run, rows), track_of(run, rows, OFF, 0.4), START)
    expected = [turned(run, k).inv().apply(OFF.as_rotvec()) for k in rows]
    np.testing.assert_allclose(errors.position[:, 3:], expected, atol=1e-9)
    assert errors.figures()['position_rmse'][3:] == pytest.approx(
        np.sqrt(np.mean(np.square(expected), axis=0)))
    np.testing.assert_allclose(errors.velocity[:, 3:], 0.0, atol=1e-9)      # in the body: equal
    np.testing.assert_allclose(errors.acceleration[:, 3:], 0.0, atol=1e-9)


def test_between_samples_a_turn_is_as_smooth_as_the_motion(run):
    """Samples every 10 ms at 5 rad/s: an error of fourth order, 100 times less than the chord's."""
    whole, coarse = track_of(run, range(len(run.t))), track_of(run, range(0, len(run.t), 10))
    off = motion_errors(coarse.at(whole.stamps), whole.motion)
    assert np.abs(off[0][:, 3:]).max() < 1e-6
    assert np.abs(off[0][::10, 3:]).max() < 1e-12


def test_a_motion_without_turns_is_not_compared_with_one_that_has_them(run):
    rows = range(3)
    plain = Track(sample[:5] for sample in [
        (k, run.z[k], run.zd[k], run.zdd[k], NONE) for k in rows])
    with pytest.raises(ValueError, match='does not say how bodies are turned'):
        motion_errors(plain.motion, track_of(run, rows).motion)


def filled_log(run):
    """Return an AccuracyLog: MuJoCo's truth, the run as model and as observer, turned by OFF."""
    log = AccuracyLog(START, DURATION, 200.0, orientations=ORIENTATIONS)
    prototype = make_prototype('mujoco', FREE, 5e-3, 1e-3)
    for k in range(round(DURATION * 200) + 1):
        if k:
            prototype.advance()
        stamp, row = START + k * 5_000_000, 5 * k
        for stream, state in (('prototype', prototype.state), ('model', run)):
            arrays = [getattr(state, name) if stream == 'prototype' else getattr(state, name)[row]
                      for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')]
            log.add_state(stream, 0.0, stamp, list(FREE.independent), *arrays[:3], NONE,
                          *arrays[3:])
    return log


def test_a_log_judges_a_model_that_is_right_though_references_differ(run):
    log = filled_log(run)
    truth, model = log.track('prototype'), log.track('model')
    assert np.abs(truth.z - model.z)[:, 3:].max() > 0.1         # as plain differences would be
    found = log.errors()['model']
    assert np.abs(found.position).max() < 2e-4
    assert np.abs(found.velocity).max() < 2e-3
    assert np.abs(log.latest_error('model')).max() < 2e-4


def test_pictures_count_turns_on(run):
    log = filled_log(run)
    curves = motion_panel(log, FREE.independent.index('turn.y')).curves
    first, second = (np.asarray(curve.y) for curve in curves[:2])
    assert np.abs(np.diff(first)).max() < 0.05                  # without leaps of a reference
    assert np.abs(first - second).max() < 1e-3
