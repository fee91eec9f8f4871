"""MJCF, MuJoCo's model format, written from a mechanism: one description, two simulators.

Every body is a rigid link in the x-y plane; hinges along z join the links to a tree, `connect`
constraints close the loops.

MuJoCo's constraints are springs and dampers (`solref`: time constant, damping ratio) that act with
an impedance below one (`solimp`).  With the explicit Runge-Kutta integrator and a time constant of
five steps the loops of the benchmark linkages stay closed within 1e-6 m and the energy is kept;
MuJoCo's semi-implicit integrators dissipate enough to lose the crank angle within seconds.
"""

from dataclasses import dataclass
from math import atan2
from xml.etree import ElementTree

import numpy as np

from mb_bringup.prototypes.body_tree import span

CLOSURE_TIME_CONSTANT = 5.0      # in integration steps: shorter ones ring in the accelerations
CLOSURE_IMPEDANCE = 0.9999       # the largest that MuJoCo accepts


@dataclass(frozen=True)
class Link:
    """A rigid planar body; its local frame starts at its first point, x towards the second."""

    points: dict[str, np.ndarray]       # name -> local position [m]
    mass: float                         # [kg]
    centre_of_gravity: np.ndarray       # local [m]
    inertia: float                      # about the centre of gravity [kg m^2]


def write_mjcf(name, links, fixed_points, positions, gravity, step):
    """Return the MJCF text of a planar mechanism, and its BodyTree.

    links: name -> Link; fixed_points: names; positions: point -> position at the start [m];
    gravity: (2,) [m/s^2]; step: integration step [s].
    """
    tree = span({body: tuple(link.points) for body, link in links.items()}, fixed_points)
    root = ElementTree.Element('mujoco', model=name)
    ElementTree.SubElement(root, 'compiler', angle='radian', inertiafromgeom='false')
    option = ElementTree.SubElement(
        root, 'option', timestep=_text(step), integrator='RK4', solver='Newton',
        gravity=_text(*gravity, 0.0), iterations='100', tolerance='1e-14')
    ElementTree.SubElement(option, 'flag', contact='disable')
    world = ElementTree.SubElement(root, 'worldbody')
    elements = {None: world}
    anchors = {joint.body: joint.point for joint in tree.joints}
    for joint in tree.joints:
        elements[joint.body] = _add_body(elements[joint.parent], joint, links, anchors, positions)
    equality = ElementTree.SubElement(root, 'equality')
    for closure in tree.closures:
        _add_closure(equality, closure, links, anchors, step)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding='unicode'), tree


def start_angle(link, positions):
    """Return the absolute angle of a link's local x axis [rad], within +-pi."""
    first, second = list(link.points)[:2]
    dx, dy = np.subtract(positions[second], positions[first])
    return atan2(dy, dx)


def _add_body(parent, joint, links, anchors, positions):
    """Add the element of a body whose origin is the joint that holds it; return it."""
    link = links[joint.body]
    angle = start_angle(link, positions)
    if joint.parent is None:
        place = positions[joint.point]
    else:
        holder = links[joint.parent]
        place = holder.points[joint.point] - holder.points[anchors[joint.parent]]
        angle -= start_angle(holder, positions)
    body = ElementTree.SubElement(parent, 'body', name=joint.body, pos=_text(*place, 0.0),
                                  euler=_text(0.0, 0.0, angle))
    ElementTree.SubElement(body, 'joint', name=joint.body, type='hinge', axis='0 0 1')
    origin = link.points[joint.point]
    ElementTree.SubElement(body, 'inertial', mass=_text(link.mass),
                           pos=_text(*(link.centre_of_gravity - origin), 0.0),
                           diaginertia=_text(*[link.inertia] * 3))
    _add_shape(body, joint.body, {p: local - origin for p, local in link.points.items()})
    return body


def _add_shape(body, name, points):
    """Add what one sees: a site at each point and a bar from the first point to each other."""
    first, *others = points.values()
    width = 0.03 * max(np.linalg.norm(other - first) for other in others)
    for point, local in points.items():
        ElementTree.SubElement(body, 'site', name=f'{name}/{point}', pos=_text(*local, 0.0),
                               size=_text(width))
    for other in others:
        ElementTree.SubElement(body, 'geom', type='capsule', size=_text(width), mass='0',
                               fromto=_text(*first, 0.0, *other, 0.0), rgba='.2 .4 .7 .6')


def _add_closure(equality, closure, links, anchors, step):
    """Hold a point of one body on the same point of another one, or of the ground."""
    link = links[closure.body]
    place = link.points[closure.point] - link.points[anchors[closure.body]]
    bodies = {'body1': closure.body}
    if closure.other is not None:
        bodies['body2'] = closure.other
    ElementTree.SubElement(
        equality, 'connect', name=f'{closure.body}/{closure.point}', **bodies,
        anchor=_text(*place, 0.0), solref=_text(CLOSURE_TIME_CONSTANT * step, 1.0),
        solimp=_text(CLOSURE_IMPEDANCE, CLOSURE_IMPEDANCE, 1e-3))


def _text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)
