"""Machines of texts, and where their links are at given coordinates: a forward kinematics."""

from math import pi
from pathlib import Path

import numpy as np
import pytest

from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers import reader_of
from mb_model.space_api import Pose, rotation

DESCRIPTIONS = Path(__file__).parent / 'descriptions'
CASES = Path(__file__).resolve().parents[4] / 'shared/cases/public'


def read_file(path, **options):
    """Return the Machine of a file, and its Notes."""
    notes = Notes(path.name, options.get('strict', False))
    return reader_of(path)(path, ImportOptions(**options), notes), notes


def read_case(name, **options):
    """Return the Machine of a file of the public cases, and its Notes."""
    path = CASES / name
    if not path.exists():
        pytest.skip(f'{name} is not here')
    return read_file(path, **options)


def lines(notes):
    """Return notes as texts."""
    return [str(note) for note in notes.notes]


def motion(joint, value):
    """Return the pose of a joint's second frame in its first; value: of its coordinate."""
    turned, moved = np.eye(3), np.zeros(3)
    if joint.kind in ('revolute', 'screw'):
        turned = rotation(value * joint.axis)
    if joint.kind == 'screw':
        moved = value / (2.0 * pi) * joint.pitch * joint.axis
    if joint.kind == 'prismatic':
        moved = value * joint.axis
    return Pose(moved, turned)


def poses(machine, **values):
    """Return where links are: {name: Pose in the world}; values: of coordinates, 0 by default."""
    at = {WORLD: Pose(np.zeros(3), np.eye(3))}
    for joint in machine.joints.values():
        parent, child = joint.links
        at[child] = at[parent].then(joint.frames[0]).then(
            motion(joint, values.get(joint.name, 0.0))).then(joint.frames[1].inverse())
    return at


def gaps(machine, **values):
    """Return the pose of the second frame of each closure in its first: {name: Pose}."""
    at = poses(machine, **values)
    return {joint.name: at[joint.links[0]].then(joint.frames[0]).inverse().then(
        at[joint.links[1]]).then(joint.frames[1]) for joint in machine.closures.values()}
