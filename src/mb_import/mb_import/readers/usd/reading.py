"""From a USD file to a Machine."""

from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from mb_import.joint_tree import joint_tree
from mb_import.machine import WORLD, Machine, MachineSensor
from mb_import.notes import Notes
from mb_import.options import FLOATING, ImportOptions
from mb_import.readers.usd.articulations import chosen_links, groups_of, ordered
from mb_import.readers.usd.bodies import Body, body_path, link_of, read_bodies
from mb_import.readers.usd.couplings import couplings
from mb_import.readers.usd.joints import ReadJoint, read_joint
from mb_import.readers.usd.stage import Stage, open_stage, pxr, words_of_usd
from mb_import.readers.usd.unread import note_unknown_joints
from mb_import.readers.usd.values import number, vector
from mb_model.arrays import FloatArray

_EARTH = 9.81                # m/s^2, of a scene that does not say


def read(path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of a USD file; raises MechanismError."""
    delegate = pxr('UsdUtils').CoalescingDiagnosticDelegate()
    try:
        with words_of_usd(path.name):
            machine = _machine(open_stage(path, options, notes), options)
    finally:
        said = delegate.TakeUncoalescedDiagnostics()
        del delegate
    for one in said:
        notes.left_out('stage', one.commentary.strip().splitlines()[0][:200])
    return machine


def _machine(stage: Stage, options: ImportOptions) -> Machine:
    """Return the Machine of a stage."""
    bodies = read_bodies(stage)
    joints = _joints(stage, bodies)
    note_unknown_joints(stage)
    by_path = {str(one.prim.GetPath()): one.joint for one in joints}
    relations = [relation for one in joints
                 for relation in couplings(one.prim, one.joint, by_path, stage)]
    roots = _roots(stage)
    by_name = {one.joint.name: one.joint for one in joints}
    ties: list[tuple[str, ...]] = [one.joint.links for one in joints]
    ties += [tuple(link for name in relation.terms for link in by_name[name].links)
             for relation in relations]
    ties += [tuple(_below(root, bodies)) for root in roots]
    every = [body.name for body in bodies.values()]
    groups = groups_of(every, [tie for tie in ties if set(tie) - {WORLD}])
    index, name = chosen_links(groups, [one.joint for one in joints],
                               _names(groups, roots, bodies, joints), options, stage)
    own = set(groups[index])
    joints = [one for one in joints if own.intersection(one.joint.links)]
    floating = [bodies[str(root.GetPath())].name for root in roots if str(root.GetPath()) in bodies]
    inner, order = ordered(joints, [link for link in every if link in own], floating)
    named = {body.name: body for body in bodies.values()}
    links = {link: link_of(named[link], stage) for link in order}
    tree = joint_tree(links, inner, stage.notes, base=options.base, default_base=FLOATING,
                      placed={link: named[link].pose for link in order})
    kept = {*tree.joints, *tree.closures}
    return Machine(name, links, tree.joints, tree.closures,
                   {one.name: one for one in relations if set(one.terms) <= kept},
                   _sensors(stage, bodies, own),
                   {one.drive.name: one.drive for one in joints if one.drive is not None},
                   _frames(stage, bodies, own), _gravity(stage))


def _joints(stage: Stage, bodies: dict[str, Body]) -> list[ReadJoint]:
    """Return all joints of a stage, by short names where these are unique."""
    usd, physics = pxr('Usd'), pxr('UsdPhysics')
    prims = [prim for prim in usd.PrimRange.Stage(stage.usd, usd.TraverseInstanceProxies())
             if prim.IsA(physics.Joint)]
    names = [prim.GetName() for prim in prims]
    read_ = [read_joint(prim, stage, bodies,
                        name if names.count(name) == 1 else str(prim.GetPath())[1:])
             for prim, name in zip(prims, names, strict=True)]
    return [one for one in read_ if one is not None]


def _roots(stage: Stage) -> list[Any]:
    """Return the prims that are roots of articulations."""
    usd, physics = pxr('Usd'), pxr('UsdPhysics')
    return [prim for prim in usd.PrimRange.Stage(stage.usd, usd.TraverseInstanceProxies())
            if prim.HasAPI(physics.ArticulationRootAPI)]


def _below(root: Any, bodies: dict[str, Body]) -> list[str]:
    """Return the names of bodies at a prim and below it."""
    path = root.GetPath()
    return [body.name for body in bodies.values() if body.prim.GetPath().HasPrefix(path)]


def _names(groups: list[list[str]], roots: list[Any], bodies: dict[str, Body],
           joints: list[ReadJoint]) -> list[str]:
    """Return a name of each group: of its articulation's root, else of its first body."""
    names = []
    for group in groups:
        held = {str(one.prim.GetPath()) for one in joints
                if set(group).intersection(one.joint.links)}
        own = [root.GetName() for root in roots if str(root.GetPath()) in held
               or set(_below(root, bodies)).intersection(group)]
        names.append(own[0] if own and own[0] not in names else group[0])
    return names


def _sensors(stage: Stage, bodies: dict[str, Body], own: set[str]) -> dict[str, MachineSensor]:
    """Return the IMUs of the machine: prims of a type such as IsaacImuSensor."""
    sensors = {}
    for body, prim in _fixed(stage, bodies, own):
        if 'ImuSensor' in str(prim.GetTypeName()):
            pose = body.pose.inverse().then(stage.pose(prim)[0])
            name = prim.GetName() if prim.GetName() not in sensors else str(prim.GetPath())[1:]
            sensors[name] = MachineSensor(name, 'imu', link=body.name, pose=pose)
    return sensors


def _frames(stage: Stage, bodies: dict[str, Body], own: set[str]) -> dict[str, tuple[str, Any]]:
    """Return the poses of Xforms that are fixed in bodies, if their names are unique."""
    listed = [(prim.GetName(), body, prim) for body, prim in _fixed(stage, bodies, own)
              if str(prim.GetTypeName()) == 'Xform' and prim is not body.prim
              and str(prim.GetPath()) not in bodies]
    names = [name for name, _, _ in listed]
    return {name: (body.name, body.pose.inverse().then(stage.pose(prim)[0]))
            for name, body, prim in listed if names.count(name) == 1 and name not in own}


def _fixed(stage: Stage, bodies: dict[str, Body], own: set[str]) -> list[tuple[Body, Any]]:
    """Return bodies of the machine with the prims that are fixed in them."""
    usd = pxr('Usd')
    pairs = [(bodies.get(body_path(prim, bodies)), prim) for prim in usd.PrimRange.Stage(
        stage.usd, usd.TraverseInstanceProxies())]
    return [(body, prim) for body, prim in pairs if body is not None and body.name in own]


def _gravity(stage: Stage) -> FloatArray | None:
    """Return the gravity (3) [m/s^2] of the scene in our axes, None if there is none."""
    usd, physics = pxr('Usd'), pxr('UsdPhysics')
    scene = next((prim for prim in usd.PrimRange.Stage(stage.usd) if prim.IsA(physics.Scene)), None)
    if scene is None:
        return None
    direction = vector(scene, 'physics:gravityDirection', stage)
    if direction is None or not direction.any():
        direction = -stage.up
    value = number(scene, 'physics:gravityMagnitude', stage, -1.0, infinite=True)
    if not 0.0 <= value < inf:
        stage.notes.guessed('scene', 'has no gravityMagnitude, taken as 9.81 m/s^2')
        value = _EARTH / stage.metre
    turned: FloatArray = stage.turn @ direction * (
        stage.metre * value / np.linalg.norm(direction))
    return turned
