"""Joints of bodies in space: what a kind of them consists of, and one of a mechanism."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.equation import SpatialEquation
from mb_model.space.equations.products import product_equation
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
    coordinates: kinds of coordinates that it has; own: those that its equations need.
    """

    name: str
    schema: dict[str, Any]
    equations: Callable[[Any, Joint], list[SpatialEquation]]
    transmits: Callable[[Joint, FloatArray, FloatArray, FloatArray], FloatArray]
    axis: str = 'common'
    shared: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    own: Callable[[Any, Joint], tuple[str, ...]] = lambda bodies, joint: ()


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


def way(layout: Any, joint: Joint) -> dict[int, float]:
    """Return the terms of the way from the first body's place of a joint to that of the second."""
    first, second = (layout.point(body, place)
                     for body, place in zip(joint.bodies, joint.places, strict=True))
    return layout.difference(second, first)


def direction(layout: Any, joint: Joint, side: int, axis: str) -> dict[int, float]:
    """Return the terms of an axis ('x', 'y', 'z') of the joint's frame of body `side` (0 or 1)."""
    return layout.direction(joint.bodies[side], joint.frames[side][:, 'xyz'.index(axis)])


def points_meet(layout: Any, joint: Joint, axes: str = 'xyz') -> list[SpatialEquation]:
    """Return the equations that keep the way of a joint perpendicular to axes of its first frame.

    None if it is no way at all, since both bodies share the point.
    """
    between = way(layout, joint)
    if not between:
        return []
    directions = global_axes(layout) if axes == 'xyz' and layout.is_slender(
        joint.bodies[0]) else [direction(layout, joint, 0, axis) for axis in axes]
    return [product_equation(layout.vector(between), layout.vector(along), 0.0, 1.0,
                             f'joints.{joint.name}') for along in directions]


def axes_agree(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """Return the equations that keep the axes of both bodies parallel; none if they share it."""
    second = direction(layout, joint, 1, 'z')
    if not layout.difference(second, direction(layout, joint, 0, 'z')):
        return []
    return [perpendicular(layout, joint, direction(layout, joint, 0, axis), second)
            for axis in 'xy']


def perpendicular(layout: Any, joint: Joint, first: Any, second: Any,
                  cosine: float = 0.0) -> SpatialEquation:
    """Return the equation of two unit vectors, given by their terms, at a constant angle."""
    return product_equation(layout.vector(first), layout.vector(second), cosine,
                            1.0 / layout.size, f'joints.{joint.name}')


def frames_agree(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """Return the equations that keep both bodies from turning against each other."""
    equations = axes_agree(layout, joint)
    first, second = direction(layout, joint, 0, 'y'), direction(layout, joint, 1, 'x')
    if layout.difference(second, direction(layout, joint, 0, 'x')):
        equations.append(perpendicular(layout, joint, first, second))
    return equations


def distance_kept(layout: Any, joint: Joint) -> SpatialEquation:
    """Return the equation that keeps the distance of both places at numbers['length']."""
    between, length = layout.vector(way(layout, joint)), joint.numbers['length']
    return product_equation(between, between, length * length, 2.0 * length,
                            f'joints.{joint.name}')


def global_axes(layout: Any) -> list[dict[int, float]]:
    """Return the terms of the three global axes."""
    return [layout.direction('ground', axis) for axis in np.eye(3)]
