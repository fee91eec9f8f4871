"""Errors of angular accelerations, carried over to another reference, by plain rotations."""

import numpy as np
import pytest
from test_chart_errors import from_coordinates, sine

from mb_model.jit import entry
from mb_model.kernels.chart_accelerations import (
    SECOND,
    carry_accelerations,
    new_second_changes,
    write_second_change,
)
from mb_model.kernels.chart_errors import D, N, carry_errors, write_change

TINY, STEP = 1e-30, 2e-3
STENCILS = {0: [0, 0, 1, 0, 0], 1: np.array([1, -8, 0, 8, -1]) / 12.0,
            2: np.array([-1, 16, -30, 16, -1]) / 12.0}      # of fourth order


@entry
def write_changes(s, w, a, change, second):
    write_change(s, w, change)
    write_second_change(s, w, a, change, second)


@entry
def carry(changes, seconds, places, g, rows):
    carry_accelerations(changes[0], seconds[0], places[0], g, rows, rows.shape[1])
    carry_errors(changes, places, g, rows, rows.shape[1])


def turn_of(s):
    """Return the turning matrix of coordinates s (3), which may be complex."""
    cosine = np.sqrt(1.0 - s @ s)
    crossed = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    return cosine * np.eye(3) + crossed + np.outer(s, s) / (1.0 + cosine)


def from_the_body(x, back):
    """Return s, its rate and its acceleration from a reference turned `back`, for these (9)."""
    seen = [sine(back @ turn_of(x[:3] + t * x[3:6] + 0.5 * t * t * x[6:]))
            for t in STEP * np.arange(-2, 3)]
    return np.concatenate([np.tensordot(stencil, seen, 1) / STEP ** order
                           for order, stencil in STENCILS.items()])


def changes_of(x):
    """Return change, second change (1, ...) and turn for s, its rate and its acceleration (9)."""
    turn, w = from_coordinates(x[:6])
    ahead, behind = (from_coordinates(np.concatenate([
        x[:3] + t * x[3:6] + 0.5 * t * t * x[6:], x[3:6] + t * x[6:]]))[1] for t in (1e-4, -1e-4))
    a = (ahead - behind) / 2e-4
    change, second = np.zeros((1, 4, 3, 3)), new_second_changes({'charts': [1]})
    write_changes(x[:3], w, a, change[0], second[0])
    return change, second, turn


@pytest.mark.parametrize('seed', range(4))
def test_errors_are_carried_over_as_derivatives_of_plain_rotations(seed):
    """By the complex step, along the motion by differences."""
    random = np.random.default_rng(seed)
    x = np.concatenate([random.normal(size=3), 2.0 * random.normal(size=3),
                        10.0 * random.normal(size=3)])
    x[:3] *= 0.2 * (seed + 1) / np.linalg.norm(x[:3])
    change, second, turn = changes_of(x)
    expected = np.array([from_the_body(x + 1j * TINY * d, turn.T).imag / TINY
                         for d in np.eye(9)]).T
    np.testing.assert_allclose(second[0, SECOND], expected[6:, :3], atol=2e-4)
    np.testing.assert_allclose(2.0 * change[0, N], expected[6:, 3:6], atol=2e-4)
    np.testing.assert_allclose(change[0, D], expected[6:, 6:], atol=2e-6)
    rows = np.eye(9)
    carry(change, second, np.arange(3)[None], 3, rows)
    np.testing.assert_allclose(rows, expected, atol=2e-4)
