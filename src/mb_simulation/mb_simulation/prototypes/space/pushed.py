"""Coordinates in space on which forces act, and how MuJoCo pushes there.

An angle or a way is the place of a hinge or a slide in MuJoCo, a distance the length of a tendon
between two sites, a position the place of a site.  Each has an actuator, whose length MuJoCo
follows and whose force is what `forces` says.
"""

from dataclasses import dataclass
from xml.etree import ElementTree

from mb_model import Mechanism
from mb_model.space_api import GROUND, SpatialTree, kind_of, single
from mb_simulation.prototypes.parts.mjcf import text

ORIGIN = 'ground/origin'        # of the ground, a site
_KINDS = 'spring_damper', 'friction', 'constant'


@dataclass(frozen=True)
class Pushed:
    """Coordinates with forces: name -> name of MuJoCo's joint, '' for no joint.

    at_zero: value of the coordinate where MuJoCo's joint is at zero; 0 for no joint.
    """

    joints: dict[str, str]
    at_zero: dict[str, float]


def joint_of(mechanism: Mechanism, tree: SpatialTree, name: str) -> str:
    """Return the name of MuJoCo's joint that a coordinate is the place of, '' if it is of none."""
    one = mechanism.described.coordinates[name]
    if one.joint not in tree.joints:
        return ''
    joint = mechanism.joints[one.joint]
    own = [motion for motion in single(kind_of(joint).chain(joint))
           if motion.slides == (one.kind == 'slider')]
    return joint_name(joint.name, own[0].name) if len(own) == 1 else ''


def joint_name(joint: str, motion: str) -> str:
    """Return what MuJoCo's joint of a motion of a joint, or of a body that floats, is called."""
    return f'{joint}/{motion}' if motion else joint


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
        names[force.coordinate] = where, rubs or force.static > 0.0
    cylinders = described.hydraulics.cylinders if described.hydraulics else {}
    for name, cylinder in cylinders.items():
        rub = cylinder.friction
        names[cylinder.coordinate] = f'hydraulics.cylinders.{name}', (
            rub.static + rub.pressure_difference + rub.rod_pressure > 0.0)
    for name in mechanism.drives:
        names.setdefault(name, (f'drives: {name}', False))
    joints = {}
    for name, (where, rubs) in names.items():
        one, joints[name] = described.coordinates[name], joint_of(mechanism, tree, name)
        if not joints[name] and (rubs or one.kind not in ('distance', 'position')):
            raise ValueError(f'{mechanism.file}: {where}: acts on {name}; in the MuJoCo prototype '
                             'forces act on angles and ways of joints that close no loop, dry '
                             'friction on no others, and on distances and positions')
    return Pushed(joints, {
        name: float(mechanism.q0[mechanism.coordinates.index(name)]) if joint else 0.0
        for name, joint in joints.items()})


def add_actuators(root, elements, mechanism, pushed):
    """Add an actuator for every pushed coordinate; elements: of bodies, by name, and the ground."""
    actuators, tendons = (ElementTree.SubElement(root, kind) for kind in ('actuator', 'tendon'))
    for name, joint in pushed.joints.items():
        one, more = mechanism.described.coordinates[name], {'joint': joint}
        sites = [f'{name}/{side}' for side in range(len(one.bodies))]
        for site, body, place in () if joint else zip(sites, one.bodies, one.places, strict=True):
            ElementTree.SubElement(elements[body], 'site', name=site, pos=text(*place))
        if not joint and one.kind == 'distance':
            tendon = ElementTree.SubElement(tendons, 'spatial', name=name)
            for site in sites:
                ElementTree.SubElement(tendon, 'site', site=site)
            more = {'tendon': name}
        elif not joint:
            more = {'site': sites[0], 'refsite': ORIGIN,
                    'gear': text(*(float(k == one.part) for k in range(3)), 0.0, 0.0, 0.0)}
        ElementTree.SubElement(actuators, 'motor', name=name, **more)
    ElementTree.SubElement(elements[GROUND], 'site', name=ORIGIN)
