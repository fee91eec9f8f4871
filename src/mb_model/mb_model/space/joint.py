"""Joints of bodies in space: what a kind of them consists of, and one of a mechanism."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.equation import SpatialEquation
from mb_model.space.rotation import across, frame, shortest, unit


@dataclass(frozen=True)
class Joint:
    """A joint of two bodies: on each one a place and a frame, with z along the joint's axis.

    numbers: what the kind needs beside, by key.
    """

    name: str
    kind: str                                        # name of a JointKind
    bodies: tuple[str, str]
    places: tuple[FloatArray, FloatArray]            # (3), in each body's frame [m]
    frames: tuple[FloatArray, FloatArray]            # (3, 3), columns x, y, z in each body's frame
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Motion:
    """One coordinate of a joint: a turn about the axis z, a way along it, or a screw.

    before, after: matrices (3, 3) from the frame of the motion to the frame before it, and from the
    frame after it.
    """

    slides: bool                                     # a way, else a turn or a screw
    before: FloatArray
    after: FloatArray
    pitch: float = 0.0                               # of a screw, way per radian [m]


_TO_AXIS = {axis: np.roll(np.eye(3), k + 1, axis=0) for k, axis in enumerate('xyz')}


def slide(axis: str) -> Motion:
    """Return the Motion along an axis of the joint's frame, 'x', 'y' or 'z'."""
    return Motion(True, _TO_AXIS[axis], _TO_AXIS[axis].T)


def turn(axis: str, pitch: float = 0.0) -> Motion:
    """Return the Motion about an axis of the joint's frame."""
    return Motion(False, _TO_AXIS[axis], _TO_AXIS[axis].T, pitch)


BALL = turn('x'), turn('y'), turn('z')


def moving_by(*motions: Motion) -> Callable[[Joint], tuple[Motion, ...]]:
    """Return the function `motions` of a kind that are always the same."""
    return lambda joint: motions


@dataclass(frozen=True, eq=False)
class JointKind:
    """A kind of joints.

    schema: JSON schema of an entry: description, and properties beside those of all joints;
    axis: 'common': both bodies have it; 'two': each has one of its own; 'first': the first one has
    one; '': there is none;
    shared: what the bodies have in common, out of 'point', 'axis', 'frame';
    equations(layout, joint): the SpatialEquations of the joint, see points_meet and its like;
    transmits(joint, first, second, way): what it can transmit at the second body's place, rows of
    force (3) and moment (3) in global axes (k, 6), see along_axes; first, second: frames of the
    joint on both bodies (3, 3), way: from place to place (3), in global axes;
    coordinates: kinds of coordinates that it has; own: those that its equations need;
    defines: those that its equations are the equations of;
    rolls: 'disc' or 'ball': the second body, which rolls on a plane of the ground, see
    kernels.rolling; numbers has its radius and decay;
    inner: whether files cannot have it: bodies that bend bring it, see parts.sections;
    motions: by which the second body moves against the first one's frame, one after the other, see
    Motion; None: it is no joint of a tree, its equations close loops.
    """

    name: str
    schema: dict[str, Any]
    equations: Callable[[Any, Joint], list[SpatialEquation]]
    transmits: Callable[[Joint, FloatArray, FloatArray, FloatArray], FloatArray]
    axis: str = 'common'
    shared: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    own: Callable[[Any, Joint], tuple[str, ...]] = lambda bodies, joint: ()
    defines: Callable[[Any, Joint], tuple[str, ...]] = lambda bodies, joint: ()
    motions: Callable[[Joint], tuple[Motion, ...]] | None = None
    rolls: str = ''
    inner: bool = False


def along_axes(forces: str, moments: str = '') -> Callable[..., FloatArray]:
    """Return the function `transmits` of a kind: along axes of the first body's frame."""
    def transmits(joint, first, second, way):
        rows = [np.r_[first[:, 'xyz'.index(axis)], np.zeros(3)] for axis in forces]
        rows += [np.r_[np.zeros(3), first[:, 'xyz'.index(axis)]] for axis in moments]
        return np.array(rows)
    return transmits


def along_way(joint: Joint, first: FloatArray, second: FloatArray,
              between: FloatArray) -> FloatArray:
    """Return what a massless rod between both places transmits, see JointKind (1, 6)."""
    return np.r_[unit(between), np.zeros(3)][None]


def frames_of(axes: Any, references: Any) -> tuple[FloatArray, FloatArray]:
    """Return both frames of a joint from two axes (3) and two reference directions or None.

    Without references the second body's x is that of the first, turned with its axis in the least
    way: bodies with the same frames are at angle 0 then.
    """
    if references is None:
        x = across(axes[0])
        references = x, shortest(axes[0], axes[1]) @ x
    return tuple(frame(axis, reference)
                 for axis, reference in zip(axes, references, strict=True))
