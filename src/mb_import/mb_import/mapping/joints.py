"""Joints and closures of a Machine as entries of a mechanism file."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_import.machine import LinkJoint, Strut
from mb_import.mapping.lumps import Lumps
from mb_import.notes import Notes
from mb_model.space_api import Pose, across, rotation_vector

_NOISE = 1e-15           # what rotations leave of zeros
_STRUT_SLIP = 0.01       # velocity of the peak of friction between points [m/s]
COORDINATES = {'revolute': ('angle',), 'prismatic': ('slider',), 'screw': ('angle',),
               'cylindrical': ('angle', 'slider'), 'universal': ('angle',), 'planar': ('angle',)}


def listed(values: ArrayLike) -> list[float]:
    """Return numbers for a mechanism file: what rounding leaves of a zero is 0."""
    array = np.asarray(values, float)
    return [float(value) for value in np.where(np.abs(array) < _NOISE, 0.0, array).ravel()]


def joint_entry(joint: LinkJoint, lumps: Lumps, names: dict[str, str]) -> dict[str, Any] | None:
    """Return the entry of a joint, None of a free one; names: root of a body -> its name."""
    if joint.kind == 'free':
        return None
    roots, poses = zip(*(lumps.in_body(link, frame) for link, frame in zip(
        joint.links, joint.frames, strict=True)), strict=True)
    entry: dict[str, Any] = {'kind': joint.kind, 'bodies': [names[root] for root in roots],
                             'at': [listed(pose.at) for pose in poses]}
    if joint.kind == 'weld':
        turn = rotation_vector(poses[0].turn @ poses[1].turn.T)
        return entry | ({'turn': listed(turn)} if any(turn) else {})
    if joint.kind == 'distance':
        return entry | {'length': joint.length}
    if joint.axis is None:
        return entry
    if joint.kind == 'screw':
        entry['pitch'] = joint.pitch
    if joint.kind == 'universal':
        directions = [joint.axis, joint.second_axis]
        references = directions[::-1]
    elif (poses[0].turn == poses[1].turn).all():
        return entry | {'axis': listed(poses[0].turn @ joint.axis)}
    else:
        directions, references = [joint.axis] * 2, [across(joint.axis)] * 2
    entry['axes'] = [listed(pose.turn @ one) for pose, one in zip(poses, directions, strict=True)]
    entry['references'] = [listed(pose.turn @ one)
                           for pose, one in zip(poses, references, strict=True)]
    return entry


def coordinate_entries(joint: LinkJoint, ours: str) -> dict[str, dict[str, Any]]:
    """Return the coordinates of a joint, which is called `ours` in the file, by name.

    A single one is called as its joint, others with _angle, _slider, _first or _second behind.
    """
    kinds = COORDINATES.get(joint.kind, ())
    if joint.kind == 'universal':
        return {f'{ours}_{side}': {'kind': 'angle', 'joint': ours, 'of': side}
                for side in ('first', 'second')}
    if len(kinds) == 1:
        return {ours: {'kind': kinds[0], 'joint': ours} | _own_numbers(joint)}
    return {f'{ours}_{kind}': {'kind': kind, 'joint': ours} for kind in kinds}


def _own_numbers(joint: LinkJoint) -> dict[str, Any]:
    limits = {key: value for key, value in (('lower', joint.lower), ('upper', joint.upper))
              if isfinite(value)}
    return (({'limits': limits} if limits else {})
            | ({'armature': joint.armature} if joint.armature else {}))


def force_entries(joint: LinkJoint, ours: str, slip: float,
                  notes: Notes) -> dict[str, dict[str, Any]]:
    """Return springs, dampers and friction of a joint by name; slip: see slip_velocities."""
    forces: dict[str, dict[str, Any]] = {}
    item = f'joint {joint.name}'
    if not joint.is_scalar:
        for key in ('stiffness', 'damping', 'friction', 'armature'):
            if getattr(joint, key):
                notes.left_out(item, f'{key} {getattr(joint, key):g} of a {joint.kind} joint')
        return forces
    if joint.stiffness or joint.damping:
        forces[f'{ours}_spring'] = {
            'kind': 'spring_damper', 'coordinate': ours, 'stiffness': joint.stiffness,
            'rest': joint.rest, 'damping': joint.damping}
    if joint.friction:
        forces[f'{ours}_friction'] = {'coordinate': ours} | _friction(
            joint.friction, item, slip, 'm/s' if joint.kind == 'prismatic' else 'rad/s', notes)
    return forces


def strut_entries(strut: Strut, lumps: Lumps, names: Mapping[str, str], ours: str,
                  notes: Notes) -> dict[str, dict[str, Any]]:
    """Return spring, damper and friction between two points by name; names: root -> body.

    Between points of one body there are none, with a note.
    """
    roots, poses = zip(*(lumps.in_body(link, Pose(point, np.eye(3))) for link, point in zip(
        strut.links, strut.points, strict=True)), strict=True)
    item = f'tendon {strut.name}'
    if roots[0] == roots[1]:
        notes.left_out(item, 'both ends are on one body')
        return {}
    where = {'bodies': [names[root] for root in roots], 'at': [listed(one.at) for one in poses]}
    entries: dict[str, dict[str, Any]] = {}
    if strut.stiffness or strut.damping:
        entries[ours] = {'kind': 'spring_damper', 'stiffness': strut.stiffness,
                         'rest': strut.rest, 'damping': strut.damping} | where
    if strut.friction:
        entries[f'{ours}_friction'] = where | _friction(
            strut.friction, item, _STRUT_SLIP, 'm/s', notes)
    return entries


def _friction(force: float, item: str, slip: float, unit: str, notes: Notes) -> dict[str, Any]:
    """Return the entry of a friction that is full beyond a velocity, which is guessed."""
    notes.guessed(item, f'friction {force:g} is full beyond {slip:.4g} {unit}')
    return {'kind': 'friction', 'coulomb': force, 'transition_velocity': slip}
