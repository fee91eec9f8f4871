"""From an SDF file to a Machine."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mb_import.joint_tree import joint_tree
from mb_import.machine import WORLD, LinkJoint, Machine
from mb_import.notes import Notes
from mb_import.options import FLOATING, ImportOptions
from mb_import.readers.sdf.frames import Frames
from mb_import.readers.sdf.gathering import Gathered
from mb_import.readers.sdf.names import Names
from mb_import.readers.sdf.worlds import Chosen, chosen_models
from mb_import.xml_text import parse_xml, read_text
from mb_model.space_api import Pose


def read(path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of an SDF file; raises MechanismError."""
    root = parse_xml(read_text(path), path.name)
    if root.tag not in ('sdf', 'gazebo'):
        raise notes.error(f'<{root.tag[:40]}>', 'expected <sdf>')
    chosen = chosen_models(root, path.parent, options, notes)
    gathered = Gathered(notes)
    models = [inner for model in chosen.models for inner in model.all()]
    for model in models:
        gathered.links_of(model)
    for model in models:
        gathered.joints_of(model.parts)
    gathered.joints_of(chosen.joints)
    for model in models:
        gathered.rest_of(model)
    gathered.couple()
    return _machine(chosen, gathered, options, notes)


def _machine(chosen: Chosen, gathered: Gathered, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine: a tree of joints, and joints that close loops."""
    names, frames = Names(chosen.prefix), chosen.scope.frames
    links = {own: replace(link, name=own) for full, link in gathered.links.items()
             for own in [names.own(full)]}
    drawn = {names.own(full): frames.frame(full).pose for full in gathered.links
             if full in frames}
    tree = joint_tree(links, names.joints(gathered.joints), notes, base=options.base,
                      default_base=FLOATING, placed=drawn)
    closures = {joint.name: joint for joint in _met(
        [joint for joint in gathered.joints if names.own(joint.name) in tree.closures],
        gathered, names, notes)}
    return Machine(chosen.name, links, tree.joints, closures,
                   names.relations(gathered.relations.values()),
                   names.sensors(gathered.sensors.values()),
                   names.drives(gathered.drives.values()),
                   _frames(frames, names, set(gathered.links)), chosen.gravity)


def _met(closures: Sequence[LinkJoint], gathered: Gathered, names: Names,
         notes: Notes) -> list[LinkJoint]:
    """Return closures; two frames that one ties, and that are drawn apart, are meant to meet."""
    met = []
    for joint in closures:
        parts = gathered.parts.get(joint.name)
        if parts is not None and parts.meeting is not None:
            notes.changed(f'joint {names.own(joint.name)}', f'its frames are {parts.gap:.6g} m '
                                                            'apart as drawn: they are taken to '
                                                            'meet')
            joint = replace(joint, frames=(parts.meeting, joint.frames[1]))
        met.append(joint)
    return names.joints(met)


def _frames(frames: Frames, names: Names, links: set[str]) -> dict[str, tuple[str, Pose]]:
    """Return the <frame>s of the machine and of the world."""
    listed = {}
    for full in frames.names('frame'):
        frame = frames.frame(full)
        if frame.link in links or (frame.link == WORLD and full.startswith(names.prefix)):
            home = frames.frame(frame.link).pose
            listed[names.own(full)] = names.own(frame.link), home.inverse().then(frame.pose)
    return listed
