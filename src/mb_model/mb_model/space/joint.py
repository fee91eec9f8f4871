"""Joints of bodies in space: what a kind of them consists of, and one of a mechanism."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.equation import SpatialEquation
from mb_model.space.motion import Motion
from mb_model.space.rotation import across, frame, shortest, unit


@dataclass(frozen=True)
class Joint:
    """A joint of two bodies: on each one a point and a frame, with z along the joint's axis.

    numbers: what the kind needs beside, by key; crosses: as its JointKind says; of a mechanism in
    the plane, point: which its bodies share, '' for none, constraints: which ones it stands for.
    """

    name: str
    kind: str                                        # name of a JointKind
    bodies: tuple[str, str]
    offsets: tuple[FloatArray, FloatArray]           # (3) of the points, in each body's frame [m]
    frames: tuple[FloatArray, FloatArray]            # (3, 3), columns x, y, z in each body's frame
    numbers: dict[str, float] = field(default_factory=dict)
    crosses: bool = False
    point: str = ''
    constraints: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class JointKind:
    """A kind of joints.

    schema: JSON schema of an entry: description, and properties that not all joints have;
    axis: 'common': both bodies have it; 'two': each has one of its own; 'first': the first one has
    one; '': there is none;
    shared: what the bodies have in common, out of 'point', 'axis', 'frame';
    equations(layout, joint): the SpatialEquations of the joint, see points_meet and its like;
    transmits(joint, first, second, apart): what it can transmit at the second body's point, rows of
    force (3) and moment (3) in global axes (k, 6), see along_axes; first, second: frames of the
    joint on both bodies (3, 3), apart: from point to point (3), in global axes;
    coordinates: kinds of coordinates that it has: 'angle' about z of the first frame, from x to x,
    'slider' along it, ...; own: the ones that its equations need;
    defines: the ones that its equations define;
    rolls: 'disc' or 'ball': the second body, which rolls on a plane of the ground, see
    kernels.rolling; numbers has its radius and decay;
    inner: whether files cannot have it: bodies that bend bring it, see joints.beam_sections;
    motions: by which the second body moves against the first one's frame, one after the other, see
    Motion; None: it is no joint of a tree, its equations close loops;
    held: 'point': all it says is that its points meet, 'line': others on its axis meet, too;
    'distance': that they stay numbers['length'] apart; '': none of this;
    slender: which of its bodies may be slender: 'first', 'second', 'both';
    along: name of the kind that leaves its bodies free along the axis, too;
    frames(entry): its frames, of an entry that has no axes;
    gap(joint, first, second, apart, size): how far a joint of the kind that closes a loop is open:
    values (k) [m] and their rows (k, 6): rates per velocity of the second body's point (3) and
    angular velocity (3) against the first one; arguments as of transmits, size: of the mechanism
    [m], by which angles count.  None: by what it transmits, see gap_by_axes;
    springs(joint): kind of a coordinate -> what the joint's own force on it has of stiffness, rest,
    viscous, ... (fields of forces.acting.Force: -stiffness (x - rest) - viscous v).  A coordinate
    that the file does not name is added; MuJoCo's joint gets the spring as well;
    symbol: what it is in pictures, see pictures.space.joints;
    adams: words of Adams for it -> axes of the markers I and J that are its own, '' for none.
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
    held: str = ''
    slender: tuple[str, ...] = ()
    along: str = ''
    gap: Callable[..., tuple[FloatArray, FloatArray]] | None = None
    frames: Callable[[dict[str, Any]], tuple[FloatArray, FloatArray]] | None = None
    springs: Callable[[Joint], dict[str, dict[str, float]]] = lambda joint: {}
    symbol: str = ''
    adams: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def folds(self) -> bool:
        """Whether its bodies share a point, and may turn about it."""
        return 'point' in self.shared and not self.inner

    @property
    def crosses(self) -> bool:
        """Whether each body has an axis of its own, from which the other one's angle counts."""
        return self.axis == 'two'

    def chain(self, joint: Joint) -> tuple[Motion, ...]:
        """Return the motions of a joint of the kind; none where its equations close loops."""
        return self.motions(joint) if self.motions else ()

    def rigid(self, joint: Joint) -> bool:
        """Whether a joint of the kind leaves its bodies no motion."""
        return self.motions is not None and not self.chain(joint)


def along_axes(forces: str, moments: str = '') -> Callable[..., FloatArray]:
    """Return the function `transmits` of a kind: along axes of the first body's frame."""
    def transmits(joint: Joint, first: FloatArray, second: FloatArray,
                  apart: FloatArray) -> FloatArray:
        rows = [np.r_[first[:, 'xyz'.index(axis)], np.zeros(3)] for axis in forces]
        rows += [np.r_[np.zeros(3), first[:, 'xyz'.index(axis)]] for axis in moments]
        return np.array(rows)
    return transmits


def gap_by_axes(forces: str, moments: str, first: FloatArray, second: FloatArray,
                apart: FloatArray, size: float) -> tuple[FloatArray, FloatArray]:
    """Return the gap, see JointKind, of a joint that transmits along axes of the first frame.

    Of moments '' (none), 'xy' (the axes z agree) or 'xyz' (the frames agree): differences of unit
    vectors, which are zero at no other position, unlike their products.
    """
    values = [first[:, 'xyz'.index(axis)] @ apart for axis in forces]
    rows = [np.r_[first[:, 'xyz'.index(axis)], np.zeros(3)] for axis in forces]
    for column in {'': (), 'xy': (2,), 'xyz': (2, 0)}[moments]:
        own = second[:, column]
        values += list(size * first.T @ (own - first[:, column]))
        rows += [np.r_[np.zeros(3), size * np.cross(own, axis)] for axis in first.T]
    return np.array(values), np.array(rows).reshape(len(values), 6)


def along_rod(joint: Joint, first: FloatArray, second: FloatArray,
              apart: FloatArray) -> FloatArray:
    """Return what a massless rod between both points transmits, see JointKind (1, 6)."""
    return np.r_[unit(apart), np.zeros(3)][None]


def frames_of(axes: Any, references: Any) -> tuple[FloatArray, FloatArray]:
    """Return both frames of a joint from two axes (3) and two reference directions or None.

    Without references the second body's x is the first one's, turned with its axis by the least
    turn: bodies with the same frames are at angle 0 then.
    """
    if references is None:
        x = across(axes[0])
        references = x, shortest(axes[0], axes[1]) @ x
    first, second = (frame(axis, reference)
                     for axis, reference in zip(axes, references, strict=True))
    return first, second
