"""Bodies of a Machine as entries of a mechanism file: masses, shapes, poses."""

from typing import Any

import numpy as np

from mb_import.machine import Machine, Shape
from mb_import.mapping.joints import listed
from mb_import.mapping.lumps import Lump, lumped_inertial, sound_inertia
from mb_import.notes import Notes
from mb_model.space_api import Pose, rotation_vector


def body_entry(lump: Lump, machine: Machine, pose: Pose, repairs: bool, notes: Notes,
               kinematic: bool) -> dict[str, Any]:
    """Return the entry of a body.

    pose: of its frame in the world; kinematic: no link of the machine has a mass, nor has this one.
    """
    entry = {} if kinematic else _masses(lump, machine, repairs, notes)
    shapes = [one for name, at in lump.links.items()
              for shape in machine.links[name].shapes
              for one in shape_entries(shape, at.then(shape.pose))]
    placed = {'at': listed(pose.at)} | (
        {'turn': turn} if any(turn := listed(rotation_vector(pose.turn))) else {})
    return entry | ({'shapes': shapes} if shapes else {}) | {'pose': placed}


def _masses(lump: Lump, machine: Machine, repairs: bool, notes: Notes) -> dict[str, Any]:
    """Return mass, centre of gravity and inertia of a body, with notes about links without any."""
    for name in lump.links:
        if machine.links[name].inertial is None and len(lump.links) == 1:
            notes.guessed(f'link {name}', 'has no inertial, and is taken as massless')
    inertial = lumped_inertial(lump, machine)
    if inertial is None:
        return {'mass': 0.0, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': [0.0, 0.0, 0.0]}
    inertial = sound_inertia(inertial, f'link {lump.root}', repairs, notes)
    matrix = inertial.inertia
    numbers = listed([*np.diag(matrix), matrix[0, 1], matrix[0, 2], matrix[1, 2]])
    return {'mass': float(inertial.mass), 'centre_of_gravity': listed(inertial.centre),
            'inertia': numbers if any(numbers[3:]) else numbers[:3]}


def shape_entries(shape: Shape, pose: Pose) -> list[dict[str, Any]]:
    """Return what mechanism files have of a shape at a pose in the body's frame; of a mesh none."""
    if shape.kind == 'box':
        turn = listed(rotation_vector(pose.turn))
        return [{'kind': 'box', 'size': list(shape.size), 'at': listed(pose.at)} | (
            {'turn': turn} if any(turn) else {})]
    if shape.kind == 'sphere':
        return [{'kind': 'sphere', 'radius': shape.size[0], 'at': listed(pose.at)}]
    if shape.kind == 'mesh':
        return []
    radius, length = shape.size
    ends = [listed(pose.of((0.0, 0.0, sign * 0.5 * length))) for sign in (-1.0, 1.0)]
    cylinder = [{'kind': 'cylinder', 'from': ends[0], 'to': ends[1], 'radius': radius}
                ] if length else []
    return cylinder + ([{'kind': 'sphere', 'radius': radius, 'at': end} for end in ends]
                       if shape.kind == 'capsule' else [])
