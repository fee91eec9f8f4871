"""Equations of joints: points that meet, axes and frames that agree, distances."""

from typing import Any

import numpy as np

from mb_model.space.body import GROUND
from mb_model.space.equation import SpatialEquation
from mb_model.space.equations.products import product_equation
from mb_model.space.joint import Joint


def between(layout: Any, joint: Joint) -> dict[int, float]:
    """Return the terms of the vector from the first body's point of a joint to the second one's."""
    first, second = (layout.point(body, offset)
                     for body, offset in zip(joint.bodies, joint.offsets, strict=True))
    return layout.difference(second, first)


def direction(layout: Any, joint: Joint, side: int, axis: str) -> dict[int, float]:
    """Return the terms of an axis ('x', 'y', 'z') of the joint's frame of body `side` (0 or 1)."""
    return layout.direction(joint.bodies[side], joint.frames[side][:, 'xyz'.index(axis)])


def points_meet(layout: Any, joint: Joint, axes: str = 'xyz') -> list[SpatialEquation]:
    """Return the equations that keep the vector between points across axes of the first frame.

    None if both bodies share the point.
    """
    apart = between(layout, joint)
    if not apart:
        return []
    directions = global_axes(layout) if axes == 'xyz' and layout.is_slender(
        joint.bodies[0]) else [direction(layout, joint, 0, axis) for axis in axes]
    return [product_equation(layout.vector(apart), layout.vector(along), 0.0, 1.0,
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
    """Return the equation that keeps the distance of both points at numbers['length']."""
    apart, length = layout.vector(between(layout, joint)), joint.numbers['length']
    return product_equation(apart, apart, length * length, 2.0 * length,
                            f'joints.{joint.name}')


def global_axes(layout: Any) -> list[dict[int, float]]:
    """Return the terms of the three global axes."""
    return [layout.direction(GROUND, axis) for axis in np.eye(3)]
