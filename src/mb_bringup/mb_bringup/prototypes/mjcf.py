"""MJCF, MuJoCo's model format, written from a mechanism: one description, two simulators.

Every body is a rigid link in the x-y plane; hinges along z join the links to a tree, `connect`
constraints close the loops.

MuJoCo's constraints are springs and dampers (`solref`: time constant, damping ratio) that act with
an impedance below one (`solimp`).  With the explicit Runge-Kutta integrator and a time constant of
five steps the loops of the benchmark linkages stay closed within 1e-6 m and the energy is kept;
MuJoCo's semi-implicit integrators dissipate enough to lose the crank angle within seconds.
"""

from math import atan2
from xml.etree import ElementTree

import numpy as np

from mb_bringup.prototypes.body_tree import span

CLOSURE_TIME_CONSTANT = 5.0      # in integration steps: shorter ones ring in the accelerations
CLOSURE_IMPEDANCE = 0.9999       # the largest that MuJoCo accepts


def write_mjcf(mechanism, positions, step):
    """Return the MJCF text of a planar mechanism, and its BodyTree.

    mechanism: anything with name, points, bodies and gravity as Mechanism has them; positions:
    point -> position at the start [m]; step: integration step [s].  Raises ValueError for what
    MuJoCo cannot simulate.
    """
    bodies = mechanism.bodies
    for body in bodies.values():
        if not (body.mass > 0.0 and body.inertia > 0.0):
            raise ValueError(f'{mechanism.name}: bodies.{body.name}: MuJoCo needs a mass and an '
                             f'inertia > 0, not {body.mass:g} and {body.inertia:g}')
    tree = span({name: tuple(body.points) for name, body in bodies.items()},
                [name for name, point in mechanism.points.items() if point.fixed])
    root = ElementTree.Element('mujoco', model=mechanism.name)
    ElementTree.SubElement(root, 'compiler', angle='radian', inertiafromgeom='false')
    option = ElementTree.SubElement(
        root, 'option', timestep=_text(step), integrator='RK4', solver='Newton',
        gravity=_text(*mechanism.gravity, 0.0), iterations='100', tolerance='1e-14')
    ElementTree.SubElement(option, 'flag', contact='disable')
    world = ElementTree.SubElement(root, 'worldbody')
    elements = {None: world}
    anchors = {joint.body: joint.point for joint in tree.joints}
    for joint in tree.joints:
        elements[joint.body] = _add_body(elements[joint.parent], joint, bodies, anchors, positions)
    equality = ElementTree.SubElement(root, 'equality')
    for closure in tree.closures:
        _add_closure(equality, closure, bodies[closure.body], anchors, step)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding='unicode'), tree


def start_angle(body, positions):
    """Return the absolute angle of a body's x axis at the start [rad], within +-pi."""
    first, second = list(body.points)[:2]
    dx, dy = np.subtract(positions[second], positions[first])
    return atan2(dy, dx)


def _add_body(parent, joint, bodies, anchors, positions):
    """Add the element of a body whose origin is the joint that holds it; return it."""
    body = bodies[joint.body]
    angle = start_angle(body, positions)
    if joint.parent is None:
        place = positions[joint.point]
    else:
        holder = bodies[joint.parent]
        place = np.subtract(holder.points[joint.point], holder.points[anchors[joint.parent]])
        angle -= start_angle(holder, positions)
    element = ElementTree.SubElement(parent, 'body', name=joint.body, pos=_text(*place, 0.0),
                                     euler=_text(0.0, 0.0, angle))
    ElementTree.SubElement(element, 'joint', name=joint.body, type='hinge', axis='0 0 1')
    origin = body.points[joint.point]
    centre = np.subtract(body.centre_of_gravity, origin)
    ElementTree.SubElement(element, 'inertial', mass=_text(body.mass), pos=_text(*centre, 0.0),
                           diaginertia=_text(*[body.inertia] * 3))
    _add_shape(element, joint.body, {p: np.subtract(at, origin) for p, at in body.points.items()})
    return element


def _add_shape(element, name, points):
    """Add what one sees: a site at each point and a bar from the first point to each other."""
    first, *others = points.values()
    width = 0.03 * max(np.linalg.norm(other - first) for other in others)
    for point, place in points.items():
        ElementTree.SubElement(element, 'site', name=f'{name}/{point}', pos=_text(*place, 0.0),
                               size=_text(width))
    for other in others:
        ElementTree.SubElement(element, 'geom', type='capsule', size=_text(width), mass='0',
                               fromto=_text(*first, 0.0, *other, 0.0), rgba='.2 .4 .7 .6')


def _add_closure(equality, closure, body, anchors, step):
    """Hold a point of one body on the same point of another one, or of the ground."""
    place = np.subtract(body.points[closure.point], body.points[anchors[closure.body]])
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
