"""Coordinates on which forces act in space, how MuJoCo pushes there, and names of its joints.

An angle or a slide is the value of a hinge or a slide in MuJoCo, a distance the length of a tendon
between two sites, a position where a site is, the angle of a hinge that closes a loop how far two
sites are turned.  Each has an actuator, whose length MuJoCo follows and whose force is what
`forces` says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.space_api import GROUND, Hinge, SpatialTree, kind_of, quaternion, rotation, single
from mb_simulation.prototypes.laws import CURVES

ORIGIN = 'ground/origin'        # of the ground, a site
_KINDS = 'spring_damper', 'friction', 'constant', 'stop', *CURVES
_BY_SITES = 'distance', 'position'      # kinds of coordinates of which sites are enough


@dataclass(frozen=True)
class Pushed:
    """Coordinates with forces: name -> name of MuJoCo's joint, '' for no joint.

    at_zero: value of the coordinate where its actuator is at zero; turning: angles of hinges that
    close loops, of which actuators count no whole turns.
    """

    joints: dict[str, str]
    at_zero: dict[str, float]
    turning: tuple[str, ...]


def joint_name(hinge: Hinge, motion: Any) -> str:
    """Return what MuJoCo's joint of a motion of a Hinge is called.

    In the plane as the body that it carries, or with /slide behind it; in space as the joint, or
    the body that floats, with the name of the motion.
    """
    joint = hinge.joint
    if joint and (joint.point or joint.constraints):
        return f'{hinge.group}/slide' if motion.slides else hinge.group
    name = joint.name if joint else hinge.group
    return f'{name}/{motion.name}' if motion.name else name


def joint_names(tree: SpatialTree) -> list[str]:
    """Return the names of the joints of a tree, from the ground on."""
    return [joint_name(hinge, motion) for hinge in tree.hinges for motion in single(hinge.chain)]


def joint_of(mechanism: Mechanism, tree: SpatialTree, name: str) -> str:
    """Return the name of MuJoCo's joint that measures a coordinate in space, '' if none does."""
    one = mechanism.described.coordinates[name]
    hinge = next((hinge for hinge in tree.hinges
                  if hinge.joint and hinge.joint.name == one.joint), None)
    own = [joint_name(hinge, motion) for motion in single(hinge.chain)
           if motion.slides == (one.kind == 'slider')] if hinge else []
    return own[0] if len(own) == 1 else ''


def pushed_coordinates(mechanism: Mechanism, tree: SpatialTree) -> Pushed:
    """Return the Pushed of a mechanism; raises ValueError for forces that MuJoCo does not know."""
    described, names = mechanism.described, {}
    for name, force in described.forces.items():
        if name in mechanism.modes:         # chains have their own springs
            continue
        if force.kind not in _KINDS:
            raise ValueError(f'{mechanism.file}: forces.{name}: the MuJoCo prototype in space '
                             f'knows no {force.kind}, expected one of {", ".join(_KINDS)}, or take '
                             'the multibody one')
        where, rubs = names.get(force.coordinate, (f'forces.{name}', False))
        names[force.coordinate] = where, rubs or (
            force.kind == 'friction' and force.static > 0.0)
    cylinders = described.hydraulics.cylinders if described.hydraulics else {}
    for name, cylinder in cylinders.items():
        rub = cylinder.friction
        names[cylinder.coordinate] = f'hydraulics.cylinders.{name}', (
            rub.static + rub.pressure_difference + rub.rod_pressure > 0.0)
    for name in mechanism.drives:
        names.setdefault(name, (f'drives: {name}', False))
    closing = {joint.name for joint in tree.closures if kind_of(joint).held == 'line'}
    turning = {name for name, one in described.coordinates.items()
               if one.kind == 'angle' and one.joint in closing}
    joints = {}
    for name, (where, rubs) in names.items():
        one, joints[name] = described.coordinates[name], joint_of(mechanism, tree, name)
        if not joints[name] and (rubs or not (name in turning or one.kind in _BY_SITES)):
            raise ValueError(f'{mechanism.file}: {where}: acts on {name}; in the MuJoCo prototype '
                             'forces act on angles and travels of joints that close no loop, dry '
                             'friction on no others, and on distances, positions and angles of '
                             'hinges')
    return Pushed(joints, {
        name: float(mechanism.q0[mechanism.coordinates.index(name)])
        if joint or name in turning else 0.0 for name, joint in joints.items()}, tuple(
            name for name in joints if name in turning))


def add_actuators(spec: mujoco.MjSpec, bodies: Mapping[str, Any], mechanism: Mechanism,
                  pushed: Pushed) -> None:
    """Add an actuator for every pushed coordinate; bodies: of the spec by name, and the ground."""
    bodies[GROUND].add_site(name=ORIGIN)
    for name, joint in pushed.joints.items():
        one = mechanism.described.coordinates[name]
        if joint:
            spec.add_actuator(name=name, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            continue
        if name in pushed.turning:
            _add_turning(spec, bodies, mechanism, name, pushed.at_zero[name])
            continue
        sites = [f'{name}/{side}' for side in range(len(one.bodies))]
        for site, body, position in zip(sites, one.bodies, one.offsets, strict=True):
            bodies[body].add_site(name=site, pos=position)
        if one.kind == 'distance':
            tendon = spec.add_tendon(name=name)
            for site in sites:
                tendon.wrap_site(site)
            spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_TENDON)
        else:
            spec.add_actuator(name=name, target=sites[0], refsite=ORIGIN,
                              trntype=mujoco.mjtTrn.mjTRN_SITE,
                              gear=[float(k == one.part) for k in range(6)])


def _add_turning(spec: mujoco.MjSpec, bodies: Mapping[str, Any], mechanism: Mechanism, name: str,
                 start: float) -> None:
    """Add the actuator of the angle of a hinge that closes a loop; it is at zero at the start."""
    one = mechanism.described.coordinates[name]
    joint, back = mechanism.joints[one.joint], rotation([0.0, 0.0, start])
    for side, turn in ((one.part, back), (1 - one.part, np.eye(3))):
        bodies[joint.bodies[side]].add_site(
            name=f'{name}/{side}', pos=joint.offsets[side],
            quat=quaternion(joint.frames[side] @ turn))
    spec.add_actuator(name=name, target=f'{name}/{1 - one.part}', refsite=f'{name}/{one.part}',
                      trntype=mujoco.mjtTrn.mjTRN_SITE, gear=[0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
