"""MJCF, MuJoCo's model format, written from a mechanism: one description, two simulators.

Every body is a rigid link in the x-y plane; hinges along z and slides join the links to a tree, a
pin in a slot is both in one joint; `connect` constraints close the loops, tendons over hinges keep
welded bodies that other joints hold at their angle.  Tendons over all joints rub, see forces.

MuJoCo's constraints are springs and dampers (`solref`: time constant, damping ratio) that act with
an impedance below one (`solimp`).  With the explicit Runge-Kutta integrator and a time constant of
five steps the loops of the benchmark linkages stay closed within 1e-6 m and the energy is kept;
MuJoCo's semi-implicit integrators dissipate enough to lose the crank angle within seconds.
"""

from cmath import exp
from xml.etree import ElementTree

import numpy as np

from mb_model.space_api import require_plane
from mb_simulation.prototypes.body_tree import tree_of
from mb_simulation.prototypes.joint_elasticity import add_clearance
from mb_simulation.prototypes.parts.laws import rubbing_parts
from mb_simulation.prototypes.parts.mjcf import (
    FRICTION_TIME_CONSTANT,
    add_obstacles,
    add_shape,
    stiffness,
    text,
)
from mb_simulation.prototypes.tree_motion import direction_of, joint_names, place_of

# The kinds of entries that have a counterpart here.
_KINDS = {'coordinates': ('angle', 'relative_angle', 'distance', 'slider'),
          'constraints': ('slider', 'welded_angle'),
          'forces': ('spring_damper', 'friction', 'constant', 'load')}
_ORIGIN = (0j, 0.0)              # of the ground's frame: place and angle


def simulated_tree(mechanism):
    """Return the BodyTree of a mechanism; raises ValueError if MuJoCo cannot simulate it."""
    require_plane(mechanism, 'the MuJoCo prototype')
    described = mechanism.described
    for section, kinds in _KINDS.items():
        for name, entry in getattr(described, section).items():
            if entry.kind not in kinds:
                what = 'prescribed motion' if entry.kind == 'prescribed' else entry.kind
                raise ValueError(f'{mechanism.file}: {section}.{name}: the MuJoCo prototype knows '
                                 f'no {what}, take the multibody one')
    tree = tree_of(mechanism)
    for first, second, point in tree.slider_closures:
        raise ValueError(f'{mechanism.file}: MuJoCo prototype: {point} on the line from {first} to '
                         f'{second} closes a loop that other sliders have closed already')
    for joint in tree.joints:
        body = mechanism.bodies[joint.body]
        if joint_names(joint) and not (body.mass > 0.0 and body.inertia > 0.0):
            raise ValueError(f'{mechanism.file}: bodies.{body.name}: MuJoCo needs a mass and an '
                             f'inertia > 0, not {body.mass:g} and {body.inertia:g}')
    return tree


def write_mjcf(mechanism, tree, positions, step, obstacles=(), clearance=0.0):
    """Return the MJCF text of a planar mechanism.

    tree: its BodyTree; positions: point -> position at the start [m]; step: of integration [s];
    obstacles: that its shapes may touch; clearance: of the joints that close loops [m].
    """
    root = ElementTree.Element('mujoco', model=mechanism.name)
    ElementTree.SubElement(root, 'compiler', angle='radian', inertiafromgeom='false')
    option = ElementTree.SubElement(
        root, 'option', timestep=text(step), integrator='RK4', solver='Newton',
        gravity=text(*mechanism.gravity, 0.0), iterations='100', tolerance='1e-14')
    ElementTree.SubElement(option, 'flag', contact='enable' if obstacles else 'disable')
    places = {name: complex(*place) for name, place in positions.items()}
    elements = {None: ElementTree.SubElement(root, 'worldbody')}
    frames = {None: _ORIGIN}
    for joint in tree.joints:
        frames[joint.body] = _frame(joint, mechanism.bodies, places)
        elements[joint.body] = _add_body(elements[joint.parent], joint, mechanism.bodies, places,
                                         frames)
    tendons = ElementTree.SubElement(root, 'tendon')
    equality = ElementTree.SubElement(root, 'equality')
    for closure in tree.closures:
        if clearance:
            sites = (f'{one}/{closure.point}' if one else None
                     for one in (closure.body, closure.other))
            add_clearance(tendons, elements[None], f'{closure.body}/{closure.point}',
                          places[closure.point], tuple(sites), clearance)
            continue
        place = _local(places[closure.point], frames[closure.body])
        names = {'body1': closure.body} | ({'body2': closure.other} if closure.other else {})
        ElementTree.SubElement(
            equality, 'connect', name=f'{closure.body}/{closure.point}', **names,
            anchor=text(place.real, place.imag, 0.0), **stiffness(step))
    for closure in tree.angle_closures:
        _add_angle_closure(tendons, equality, closure, tree, step)
    for name in rubbing_parts(mechanism):
        _add_rubbing(tendons, name, tree, step)
    if obstacles:
        add_obstacles(root, elements[None], obstacles, mechanism.shapes, 2)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding='unicode')


def _frame(joint, bodies, places):
    """Return (place, angle) at the start of the frame that the body of a joint has in MuJoCo."""
    origin, _, angle = place_of(joint, bodies, places)
    first = next(iter(bodies[joint.body].points))
    return places[first] + origin * exp(1j * angle), angle


def _local(place, frame):
    """Return a place in a frame."""
    return (place - frame[0]) * exp(-1j * frame[1])


def _add_body(parent, joint, bodies, places, frames):
    """Add the element of a body; return it."""
    body = bodies[joint.body]
    origin, pin, angle = place_of(joint, bodies, places)
    place = _local(frames[joint.body][0], frames[joint.parent])
    element = ElementTree.SubElement(
        parent, 'body', name=joint.body, pos=text(place.real, place.imag, 0.0),
        euler=text(0.0, 0.0, angle - frames[joint.parent][1]))
    for name in joint_names(joint):
        if name == joint.body:
            about = pin - origin
            ElementTree.SubElement(element, 'joint', name=name, type='hinge', axis='0 0 1',
                                   pos=text(about.real, about.imag, 0.0))
        else:
            axis = direction_of(joint, places) * exp(-1j * angle)
            ElementTree.SubElement(element, 'joint', name=name, type='slide',
                                   axis=text(axis.real, axis.imag, 0.0))
    shift = (origin.real, origin.imag)
    centre = np.subtract(body.centre_of_gravity, shift)
    ElementTree.SubElement(element, 'inertial', mass=text(body.mass), pos=text(*centre, 0.0),
                           diaginertia=text(*[body.inertia] * 3))
    _add_points(element, joint.body, {p: np.subtract(at, shift) for p, at in body.points.items()},
                bars=not body.shape)
    if body.shape:
        add_shape(element, joint.body, body.shape, shift)
    return element


def _add_points(element, name, points, bars):
    """Add visible parts: a site at each point and bars from the first point to the others."""
    first, *others = points.values()
    width = 0.03 * max(np.linalg.norm(other - first) for other in others)
    for point, place in points.items():
        ElementTree.SubElement(element, 'site', name=f'{name}/{point}', pos=text(*place, 0.0),
                               size=text(width))
    for other in others if bars else ():
        if np.linalg.norm(other - first) < width:
            continue
        ElementTree.SubElement(element, 'geom', type='capsule', size=text(width), mass='0',
                               contype='0', conaffinity='0', rgba='.2 .4 .7 .6',
                               fromto=text(*first, 0.0, *other, 0.0))


def _add_angle_closure(tendons, equality, closure, tree, step):
    """Keep the sum of the hinges to one body equal to the sum to another."""
    above = {joint.body: joint for joint in tree.joints}
    shares = dict.fromkeys((joint.body for joint in tree.joints if joint.turns), 0.0)
    for body, sign in ((closure.body, -1.0), (closure.other, 1.0)):
        while body is not None:
            if above[body].turns:
                shares[body] += sign
            body = above[body].parent
    name = f'{closure.body}/{closure.other}'
    tendon = ElementTree.SubElement(tendons, 'fixed', name=name)
    for joint, share in shares.items():
        if share:
            ElementTree.SubElement(tendon, 'joint', joint=joint, coef=text(share))
    ElementTree.SubElement(equality, 'tendon', name=name, tendon1=name, **stiffness(step))


def _add_rubbing(tendons, name, tree, step):
    """Add a tendon over all joints that rubs; forces sets its coefficients and its loss.

    In the file it does not rub: other forces of the mechanism are not in the file either.
    """
    tendon = ElementTree.SubElement(
        tendons, 'fixed', name=name, frictionloss='0', **stiffness(
            step, FRICTION_TIME_CONSTANT, 'solreffriction', 'solimpfriction'))
    for joint in tree.joints:
        for coordinate in joint_names(joint):
            ElementTree.SubElement(tendon, 'joint', joint=coordinate, coef='1')
