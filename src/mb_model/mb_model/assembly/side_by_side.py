"""Joints whose places are apart along their axis, as of bodies that are drawn beside each other."""

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from mb_model.assembly.closing import nearest_to_closing
from mb_model.assembly.guess import start_guess
from mb_model.compilation.compilation import compile_model
from mb_model.compilation.equations import equations_of
from mb_model.compilation.layout import layout_of
from mb_model.compilation.spatial.layout import size_of
from mb_model.kernels import entry_points
from mb_model.mechanism_file.description import MechanismError
from mb_model.record.sparse import work_for
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND, Pose
from mb_model.space.coordinate import SpatialCoordinate

_MOST = 30              # hinges that are tried
_WAY = 'way along the axis'     # name of an added coordinate, which no file has
_NEAR = 0.1             # of the way that is open: by so much more or less bodies are drawn apart
_BESIDE = 0.2           # of the size of the mechanism: farther apart, something else is wrong


def side_by_side(description: Any, closed: float) -> str:
    """Return in words which hinge is open along its axis; empty if that is not why it is open.

    It closes, to `closed` [m], with a sleeve in place of that hinge.  Of several that would do,
    those whose bodies are drawn so.
    """
    if description.dimension != 3:
        return ''
    hinges = [name for name, joint in description.joints.items()
              if kind_of(joint).along][:_MOST]
    apart = {name: abs(_drawn_apart(description, name)) for name in hinges}
    drawn = [name for name in hinges if apart[name] > closed]
    for names in (drawn, hinges):
        found = {name: way for name in names for way in _ways(description, name, closed)
                 if abs(way - apart[name]) < _NEAR * way or (
                     names is not drawn and way < _BESIDE * size_of(description))}
        if found:
            which = ' or '.join(f'joints.{name}, axis {_axis(description.joints[name])}'
                                for name in found)
            kinds = dict.fromkeys(kind_of(description.joints[name]).along for name in found)
            return (f'{which}: the places are {max(found.values()):.4g} m apart along the axis, '
                    f'expected places that meet there, or kind: {" or ".join(kinds)}')
    return ''


def _axis(joint):
    """Return the axis of a joint in the first body's frame, as text."""
    numbers = ', '.join(f'{value + 0.0:.4g}' for value in np.round(joint.frames[0][:, 2], 9))
    return f'[{numbers}] of {joint.bodies[0]}'


def _drawn_apart(description, name):
    """Return how far the places of a joint are apart along its axis by the poses of the file."""
    joint = description.joints[name]
    poses = {GROUND: Pose(np.zeros(3), np.eye(3))} | {
        body: one.pose for body, one in description.bodies.items() if one.pose}
    if not all(body in poses for body in joint.bodies):
        return 0.0
    first, second = (poses[body].of(place)
                     for body, place in zip(joint.bodies, joint.places, strict=True))
    axis = poses[joint.bodies[0]].turn @ joint.frames[0][:, 2]
    return float((second - first) @ axis)


def _ways(description: Any, name: str, closed: float) -> Iterator[float]:
    """Yield how far a joint is open along its axis [m], if it closes as a sleeve."""
    sleeve = replace(description.joints[name], kind=kind_of(description.joints[name]).along)
    way = SpatialCoordinate(_WAY, 'slider', 'm', name)
    changed = replace(description, independent=(), start={}, start_velocity={},
                      joints=description.joints | {name: sleeve},
                      coordinates=description.coordinates | {_WAY: way})
    try:
        layout = layout_of(changed)
        guess = start_guess(changed, layout, equations_of(changed, layout))
        model, equations = compile_model(changed, layout=layout)
    except MechanismError:
        return
    work, n = work_for(model), len(guess)
    work['q'][0, :n] = guess
    entry_points.rest_driven(model, work)
    distance, _ = nearest_to_closing(model, work, equations, np.arange(n))
    apart = abs(float(work['q'][0, layout.place(_WAY)]))
    if distance <= closed < apart and isfinite(apart):
        yield apart
