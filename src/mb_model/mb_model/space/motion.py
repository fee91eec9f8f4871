"""How a joint in space lets its second body move: turns and slides, one after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class Motion:
    """One coordinate of a joint: a turn about the axis z, a slide along it, or a screw.

    before, after: matrices (3, 3) from the frame of the motion to the frame before it, and from the
    frame after it; name: its own in the joint (MuJoCo: `<joint>/<name>`); backwards: whether it is
    the first body that moves against the second one.
    """

    slides: bool                                     # a slide, else a turn or a screw
    before: FloatArray
    after: FloatArray
    pitch: float = 0.0                               # of a screw, travel per radian [m]
    name: str = ''
    backwards: bool = False


_TO_AXIS = {axis: np.roll(np.eye(3), k + 1, axis=0) for k, axis in enumerate('xyz')}


def slide(axis: str, name: str = 'slide') -> Motion:
    """Return the Motion along an axis of the joint's frame, 'x', 'y' or 'z'."""
    return Motion(True, _TO_AXIS[axis], _TO_AXIS[axis].T, name=name)


def turn(axis: str, name: str = 'turn', pitch: float = 0.0) -> Motion:
    """Return the Motion about an axis of the joint's frame."""
    return Motion(False, _TO_AXIS[axis], _TO_AXIS[axis].T, pitch, name)


BALL = tuple(turn(axis, f'turn_{axis}') for axis in 'xyz')
FREE = (*(slide(axis, axis) for axis in 'xyz'), *BALL)


def moving_by(*motions: Motion) -> Callable[[Any], tuple[Motion, ...]]:
    """Return the function `motions` of a kind that are always the same."""
    return lambda joint: motions


def backwards(motions: Sequence[Motion]) -> tuple[Motion, ...]:
    """Return the motions of the first body of a joint against the second one."""
    return tuple(replace(motion, before=motion.after.T, after=motion.before.T,
                         backwards=not motion.backwards) for motion in reversed(motions))


def is_ball(motions: Sequence[Motion]) -> bool:
    """Whether the turns among motions make a ball joint."""
    return sum(not motion.slides for motion in motions) == 3


def single(motions: Sequence[Motion]) -> tuple[Motion, ...]:
    """Return motions, each screw as the slide and the turn that it couples."""
    return tuple(one for motion in motions for one in (
        (replace(motion, slides=True, pitch=0.0, name='slide'), replace(motion, pitch=0.0))
        if motion.pitch else (motion,)))


def at_zero(motions: Sequence[Motion]) -> FloatArray:
    """Return the matrix (3, 3) from the frame behind motions to that before them, all at zero."""
    turned = np.eye(3)
    for motion in motions:
        turned = turned @ motion.before @ motion.after
    return turned


def about_z(angle: float) -> FloatArray:
    """Return the matrix (3, 3) of a turn about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def first_angle(rest: FloatArray, motions: Sequence[Motion]) -> float:
    """Return the angle of the first of these motions, whose product is `rest` (3, 3)."""
    after, turns = motions[0].after, [one for one in motions[1:] if not one.slides]
    if not turns:
        rest = rest @ after.T
        return float(np.arctan2(rest[1, 0], rest[0, 0]))
    last = turns[-1].after.T[:, 2]      # the axis of the second one, in the last frame
    now, then = rest @ last, after @ turns[0].before[:, 2]
    return float(np.arctan2(now[1], now[0]) - np.arctan2(then[1], then[0]))


def values_of(motions: Sequence[Motion], turned: FloatArray, origin: FloatArray) -> list[float]:
    """Return the values of single motions [rad, m] by which a frame is where it is.

    turned (3, 3), origin (3): of the frame behind them in the one before them; of a body against
    the other one of a joint, even where the motions are backwards.
    """
    values, turn = [], np.eye(3)
    for k, motion in enumerate(motions):
        if not motion.slides and is_ball(motions):
            rest = turn.T @ turned
            values += [float(np.arctan2(-rest[1, 2], rest[2, 2])),
                       float(np.arcsin(np.clip(rest[0, 2], -1.0, 1.0))),
                       float(np.arctan2(-rest[0, 1], rest[0, 0]))]
            break
        turn = turn @ motion.before
        value = (float(origin @ turn[:, 2]) if motion.slides
                 else first_angle(turn.T @ turned, motions[k:]))
        values.append(-value if motion.backwards else value)
        turn = (turn if motion.slides else turn @ about_z(value)) @ motion.after
    return values
