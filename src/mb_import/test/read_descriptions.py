"""Descriptions read in tests: from files of users where they are, and from texts of ours."""

from pathlib import Path

import numpy as np
import pytest

from mb_import.notes import Notes
from mb_import.options import read_options
from mb_import.readers import reader_of
from mb_model.space_api import rotation

PUBLIC = Path(__file__).resolve().parents[4] / 'shared' / 'cases' / 'public'
OURS = Path(__file__).resolve().parent / 'descriptions'
needs_public = pytest.mark.skipif(not PUBLIC.is_dir(), reason='needs ../shared/cases/public')


def read(path, **section):
    """Return (Machine, its notes as texts) of a file; section: as `import` in an overlay."""
    notes = Notes(Path(path).name, section.get('strict', False))
    machine = reader_of(Path(path))(Path(path), read_options(section, 'test'), notes)
    return machine, [str(note) for note in notes.notes]


def read_text(folder, text, suffix='urdf', **section):
    """Return (Machine, its notes as texts) of a text."""
    path = folder / f'robot.{suffix}'
    path.write_text(text, encoding='utf-8')
    return read(path, **section)


def robot(*parts):
    """Return a robot's text with links a, b and c of 1 kg beside its parts."""
    inertial = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
                'iyz="0"/></inertial>')
    return ('<robot name="r">' + ''.join(f'<link name="{name}">{inertial}</link>'
                                         for name in 'abc') + ''.join(parts) + '</robot>')


def joint(name, parent, child, rest='', type_='revolute'):
    """Return the text of a joint."""
    return (f'<joint name="{name}" type="{type_}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{rest}</joint>')


def poses_by_hand(machine, values):
    """Return (4, 4) of each link by homogeneous matrices: another way than `drawn_poses`."""
    found = {'world': np.eye(4)}
    for name, one in machine.joints.items():
        move = np.eye(4)
        if one.kind == 'revolute':
            move[:3, :3] = rotation(values.get(name, 0.0) * one.axis)
        elif one.kind == 'prismatic':
            move[:3, 3] = values.get(name, 0.0) * one.axis
        found[one.links[1]] = (found[one.links[0]] @ matrix(one.frames[0]) @ move
                               @ np.linalg.inv(matrix(one.frames[1])))
    return found


def matrix(pose):
    """Return a Pose as a homogeneous matrix (4, 4)."""
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = pose.turn, pose.at
    return whole
