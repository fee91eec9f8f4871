"""Joints whose points are apart along their axis, as of bodies that are drawn beside each other."""

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from mb_model.assembly.closing import nearest_to_closing
from mb_model.assembly.guess import start_guess
from mb_model.compilation.compilation import compile_model
from mb_model.compilation.layout import layout_of
from mb_model.compilation.spatial.layout import size_of
from mb_model.constraints.relation import Coordinate
from mb_model.kernels import entry_points
from mb_model.mechanism_file.description import Description, MechanismError
from mb_model.record.sparse import work_for
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND, Pose
from mb_model.space.joint import Joint

_MOST = 30              # hinges that are tried
_GAP = 'gap along the axis'     # name of an added coordinate, which no file has
_NEAR = 0.1             # of the gap that is open: by so much more or less bodies are drawn apart
_BESIDE = 0.2           # of the size of the mechanism: farther apart, something else is wrong


def side_by_side(description: Any, closed: float) -> str:
    """Return in words which hinge is open along its axis; empty if that is not why it is open.

    It closes, to `closed` [m], with a sleeve in place of that hinge.  Of several that would do,
    the ones whose bodies are drawn so.
    """
    if description.dimension != 3:
        return ''
    hinges = [name for name, joint in description.joints.items()
              if kind_of(joint).along][:_MOST]
    apart = {name: abs(_drawn_apart(description, name)) for name in hinges}
    drawn = [name for name in hinges if apart[name] > closed]
    for names in (drawn, hinges):
        gaps = {name: gap for name in names for gap in _gaps(description, name, closed)
                 if abs(gap - apart[name]) < _NEAR * gap or (
                     names is not drawn and gap < _BESIDE * size_of(description))}
        if gaps:
            which = ' or '.join(f'joints.{name}, axis {_axis(description.joints[name])}'
                                for name in gaps)
            kinds = dict.fromkeys(kind_of(description.joints[name]).along for name in gaps)
            return (f'{which}: the points are {max(gaps.values()):.4g} m apart along the axis, '
                    f'expected points that meet there, or kind: {" or ".join(kinds)}')
    return ''


def _axis(joint: Joint) -> str:
    """Return the axis of a joint in the first body's frame, as text."""
    numbers = ', '.join(f'{value + 0.0:.4g}' for value in np.round(joint.frames[0][:, 2], 9))
    return f'[{numbers}] of {joint.bodies[0]}'


def _drawn_apart(description: Description, name: str) -> float:
    """Return how far the points of a joint are apart along its axis by the poses of the file."""
    joint = description.joints[name]
    poses = {GROUND: Pose(np.zeros(3), np.eye(3))} | {
        body: one.pose for body, one in description.bodies.items() if one.pose}
    if not all(body in poses for body in joint.bodies):
        return 0.0
    first, second = (poses[body].of(offset)
                     for body, offset in zip(joint.bodies, joint.offsets, strict=True))
    axis = poses[joint.bodies[0]].turn @ joint.frames[0][:, 2]
    return float((second - first) @ axis)


def _gaps(description: Any, name: str, closed: float) -> Iterator[float]:
    """Yield how far a joint is open along its axis [m], if it closes as a sleeve."""
    sleeve = replace(description.joints[name], kind=kind_of(description.joints[name]).along)
    gap = Coordinate(_GAP, 'slider', 'm', name)
    changed = replace(description, independent=(), start={}, start_velocity={},
                      joints=description.joints | {name: sleeve},
                      coordinates=description.coordinates | {_GAP: gap})
    try:
        layout = layout_of(changed)
        model, equations = compile_model(changed, layout=layout)
        guess = start_guess(changed, layout, equations, model)
    except MechanismError:
        return
    work, n = work_for(model), len(guess)
    work['q'][0, :n] = guess
    entry_points.rest_driven(model, work)
    distance, _ = nearest_to_closing(model, work, equations, np.arange(n))
    apart = abs(float(work['q'][0, layout.index(_GAP)]))
    if distance <= closed < apart and isfinite(apart):
        yield apart
