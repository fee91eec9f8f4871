"""From an MJCF file to a Machine."""

from math import isfinite
from pathlib import Path

import numpy as np

from mb_import.machine import Machine
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.mjcf.devices import (
    driven_joints,
    drives_of,
    sensors_of,
    used_joints,
    with_efforts,
)
from mb_import.readers.mjcf.equalities import drawn_bodies, ties_of
from mb_import.readers.mjcf.names import Names
from mb_import.readers.mjcf.poses import pose_of
from mb_import.readers.mjcf.process import compile_mjcf, require_mujoco
from mb_import.readers.mjcf.records import Compiled
from mb_import.readers.mjcf.source import mjcf_root, mjcf_text
from mb_import.readers.mjcf.struts import struts_of
from mb_import.readers.mjcf.tree import tree_of
from mb_import.xml_text import Element


def read(path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of an MJCF file; raises MechanismError."""
    require_mujoco(notes)
    root = mjcf_root(path, notes)
    compiled = compile_mjcf(mjcf_text(root), path.parent, notes)
    if len(compiled.bodies) < 2:
        raise notes.error('worldbody', 'expected a body')
    names = Names(compiled, notes)
    tree = tree_of(compiled, names, options, used_joints(compiled), driven_joints(compiled), notes)
    ties = ties_of(compiled, tree, names, drawn_bodies(compiled), notes)
    drives = drives_of(compiled, tree, notes)
    struts = struts_of(compiled, names, notes)
    _note_rest(compiled, names, notes)
    return Machine(
        compiled.name or path.stem, tree.links, with_efforts(compiled, tree, tree.joints),
        ties.closures, ties.relations, sensors_of(compiled, tree, names, notes), drives,
        {site.name: (names.bodies[site.body], pose_of(site.pos, site.quat))
         for site in compiled.sites if site.name},
        _gravity(compiled, root, notes), struts)


def _gravity(compiled: Compiled, root: Element, notes: Notes) -> np.ndarray:
    if 'gravity' in compiled.disabled:
        return np.zeros(3)
    if not any(option.get('gravity') for option in root.iter('option')):
        notes.guessed('option', f'gravity {" ".join(f"{one:g}" for one in compiled.gravity)}: '
                                'what MJCF takes where a file says nothing')
    if not all(map(isfinite, compiled.gravity)):
        raise notes.error('option', f'gravity {compiled.gravity} must be three finite numbers')
    return np.array(compiled.gravity)


def _note_rest(compiled: Compiled, names: Names, notes: Notes) -> None:
    """Note what a Machine cannot have."""
    for word in compiled.disabled:
        if word in ('spring', 'damper', 'limit', 'frictionloss'):
            notes.changed('option', f'flag {word}: disabled in the file, on here')
    if compiled.fluid:
        notes.left_out('option', 'forces of a fluid: density, viscosity')
    for key in compiled.keys:
        pose = ', '.join(f'{names.joints[joint]}: {value:g}' for joint, value in key.values)
        notes.left_out(f'keyframe {key.name}'.strip(), 'a pose to start from: import: pose: '
                                                       f'{{{pose}}} takes it')
