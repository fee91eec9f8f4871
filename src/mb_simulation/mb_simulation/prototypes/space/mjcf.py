"""MJCF, MuJoCo's model format, written from a mechanism in space.

Bodies form a tree; joints of one, two or three degrees of freedom are hinges, slides and
balls, a body without a joint floats.  What closes loops are `connect` constraints, and tendons
of constant length for massless rods; loops are as firm as those in the plane, see mjcf.  A
slender body turns about two axes across its line, not about the line.  Bodies that bend are chains
of segments, see beam_chain.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import (
    GROUND,
    JOINTS,
    Hinge,
    SpatialTree,
    across,
    body_tree,
    kind_of,
    quaternion,
    require_space,
    single,
)
from mb_simulation.prototypes.parts.mjcf import add_obstacles, stiffness, text
from mb_simulation.prototypes.parts.obstacle import Obstacle
from mb_simulation.prototypes.space.beam_chain import BeamChain
from mb_simulation.prototypes.space.pushed import Pushed, add_actuators, joint_name, joint_of

_WIDTH = '0.003'        # of tendons as they are seen [m]


def write_spatial_mjcf(mechanism: Mechanism, step: float, loops: bool = True,
                       pushed: Pushed | None = None, q: FloatArray | None = None,
                       obstacles: Sequence[Obstacle] = ()) -> str:
    """Return the MJCF text of a mechanism in space; step: of integration [s].

    loops: False leaves out what closes loops; pushed: coordinates that have actuators in place of
    springs and dampers; q (n): where it is, None: at its start; obstacles: that shapes of bodies
    may touch.  Raises MechanismError in the
    plane, and ValueError for what MuJoCo does not know: constraints, loops closed by joints that
    slide; without `pushed` forces beside gravity and springs, and hydraulics.
    """
    require_space(mechanism, 'write_spatial_mjcf')
    tree = body_tree(mechanism)
    _check(mechanism, tree, loops)
    if pushed is None:
        _check_forces(mechanism, tree)
    root = ElementTree.Element('mujoco', model=mechanism.name)
    # Inertia is exact: neither balanced nor taken from what is seen.
    ElementTree.SubElement(root, 'compiler', angle='radian', inertiafromgeom='false',
                           balanceinertia='false', boundmass='0', boundinertia='0')
    option = ElementTree.SubElement(
        root, 'option', timestep=text(step), integrator='RK4', solver='Newton',
        gravity=text(*mechanism.gravity), iterations='100', tolerance='1e-14')
    ElementTree.SubElement(option, 'flag', contact='enable' if obstacles else 'disable')
    writer = _Writer(mechanism, tree, ElementTree.SubElement(root, 'worldbody'),
                     mechanism.q0 if q is None else q, pushed is None)
    tendons = ElementTree.SubElement(root, 'tendon')
    equality = ElementTree.SubElement(root, 'equality')
    if pushed is None:
        writer.springs(tendons)
    else:
        add_actuators(root, writer.elements, mechanism, pushed)
    for name, motion in ((hinge.joint.name, motion) for hinge in tree.hinges
                         for motion in hinge.chain if motion.pitch):
        (way, turn), lead = single([motion]), motion.pitch
        ElementTree.SubElement(equality, 'joint', joint1=joint_name(name, way.name),
                               joint2=joint_name(name, turn.name),
                               polycoef=text(0.0, lead, 0.0, 0.0, 0.0), **stiffness(step))
    for joint in tree.closures if loops else ():
        writer.close(joint, tendons, equality, stiffness(step))
    if obstacles:
        add_obstacles(root, writer.elements[GROUND], obstacles, [
            geom_name(name, k) for name, body in mechanism.bodies.items()
            for k in range(len(body.shapes))], 3)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding='unicode')


def _check(mechanism, tree, loops):
    """Raise ValueError for what is not written: of bodies and joints."""
    for name in mechanism.described.constraints:
        raise ValueError(f'{mechanism.file}: constraints.{name}: not for MuJoCo')
    for joint in tree.closures if loops else ():
        if not kind_of(joint).held:
            kinds = ', '.join(kind.name for kind in JOINTS.values() if kind.held)
            raise ValueError(f'{mechanism.file}: joints.{joint.name}: in MuJoCo, no {joint.kind} '
                             f'joint closes a loop, expected one of {kinds}')
    for hinge in tree.hinges:
        body = mechanism.bodies[hinge.group]
        if body.beam is not None or body.name in _sections(mechanism):
            continue
        if not body.mass > 0.0:
            raise ValueError(f'{mechanism.file}: bodies.{body.name}.mass: MuJoCo needs one > 0')
        if not body.slender and not np.linalg.eigvalsh(body.inertia)[0] > 0.0:
            raise ValueError(f'{mechanism.file}: bodies.{body.name}.inertia: MuJoCo needs '
                             'principal moments > 0, or slender: true')


def _sections(mechanism):
    """Return the names of the sections of bodies that bend."""
    return {section for body in mechanism.bodies.values() for section in body.sections}


def _check_forces(mechanism, tree):
    """Raise ValueError for forces that are not written."""
    if mechanism.described.hydraulics is not None:
        raise ValueError(f'{mechanism.file}: hydraulics: not for MuJoCo')
    for name, force in mechanism.described.forces.items():
        if name in mechanism.modes:
            continue
        on = mechanism.described.coordinates.get(getattr(force, 'coordinate', ''))
        if not (force.kind == 'spring_damper' and on and (
                on.kind == 'distance' or joint_of(mechanism, tree, on.name))):
            raise ValueError(f'{mechanism.file}: forces.{name}: for MuJoCo, forces are springs and '
                             'dampers between two places, or on an angle or a way of a joint that '
                             f'closes no loop, not {force.kind} elsewhere')


class _Writer:
    """Elements of bodies, which have the frames of the mechanism file, at q."""

    def __init__(self, mechanism: Mechanism, tree: SpatialTree, world: ElementTree.Element,
                 q: FloatArray, springs: bool) -> None:
        self._mechanism, self._springs, self._q = mechanism, springs, q
        self._tree = tree
        self._motions = {name: mechanism.body_motion(name, q)
                         for name in (GROUND, *mechanism.bodies)}
        self._carrying = _sections(mechanism)
        self.elements, self._chains = {GROUND: world}, {}
        for hinge in tree.hinges:
            self._add(hinge)

    def _add(self, hinge: Hinge) -> None:
        """Add the element of a body on its parent."""
        name = hinge.group
        body, motion = self._mechanism.bodies[name], self._motions[name]
        if body.beam is not None:
            self._add_chain(hinge)
            return
        if hinge.parent in self._chains:
            self._add_section(hinge)
            return
        under = self._motions[hinge.parent]
        element = self.elements[name] = ElementTree.SubElement(
            self.elements[hinge.parent], 'body', name=name,
            pos=text(*under.rotation.T @ (motion.position - under.position)),
            quat=text(*quaternion(under.rotation.T @ motion.rotation)))
        place = motion.position if hinge.joint is None else motion.place(
            hinge.joint.places[hinge.joint.bodies.index(name)])
        for joint, kind, axis in self._joints(hinge):
            more = {} if kind in ('ball', 'free') else {'axis': text(*motion.rotation.T @ axis)}
            where = {} if kind == 'free' else {
                'pos': text(*motion.rotation.T @ (place - motion.position))}
            ElementTree.SubElement(element, 'joint', name=joint, type=kind, **where, **more,
                                   **self._spring(joint))
        if name in self._carrying:
            self._massless(element)
            return
        inertia = body.inertia
        if body.slender:        # about its line, nothing turns: any number does
            moments = np.linalg.eigvalsh(inertia)
            inertia = inertia + 1e-3 * moments[2] * np.outer(body.line, body.line)
        ElementTree.SubElement(
            element, 'inertial', mass=text(body.mass), pos=text(*body.centre_of_gravity),
            fullinertia=text(*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]))
        for k, solid in enumerate(body.shapes):
            add_solid(element, geom_name(name, k), solid)

    def _add_chain(self, hinge: Hinge) -> None:
        """Add the segments of a body that bends, on the section that carries it, if one does."""
        name = hinge.group
        chain, body = BeamChain(self._mechanism, name), self._mechanism.bodies[name]
        start = body.sections[hinge.parent] if hinge.joint else 0.0
        self._chains[name] = chain, chain.write(
            self.elements[hinge.parent], start, self._q, floats=hinge.joint is None)

    def _add_section(self, hinge: Hinge) -> None:
        """Add a section on the segment that carries it; it has no mass."""
        chain, segments = self._chains[hinge.parent]
        k, beyond = chain.segment_at(self._mechanism.bodies[hinge.parent].sections[hinge.group])
        element = self.elements[hinge.group] = ElementTree.SubElement(
            segments[k], 'body', name=hinge.group, pos=text(beyond, 0.0, 0.0))
        self._massless(element)

    @staticmethod
    def _massless(element):
        ElementTree.SubElement(element, 'inertial', mass='0', pos='0 0 0', diaginertia='0 0 0')

    def _spring(self, joint: str) -> dict[str, str]:
        """Return the attributes of springs and dampers on MuJoCo's joint of a name.

        Its value is the file's then.
        """
        described, found = self._mechanism.described, {}
        for force in described.forces.values() if self._springs else ():
            on = described.coordinates[force.coordinate]
            if joint == joint_of(self._mechanism, self._tree, on.name):
                if found:
                    raise ValueError(f'{self._mechanism.file}: forces.{force.name}: for MuJoCo, '
                                     f'{force.coordinate} has one spring and damper')
                start = self._mechanism.q0[self._mechanism.coordinates.index(on.name)]
                found = {'ref': text(start), 'springref': text(force.rest),
                         'stiffness': text(force.stiffness), 'damping': text(force.viscous)}
        return found

    def _joints(self, hinge: Hinge) -> Iterator[tuple[str, str, FloatArray | None]]:
        """Yield (name, type, axis) of MuJoCo's joints, in global axes where they are at zero.

        From the first body of the mechanism's joint to the second, whichever carries the other.
        """
        name = hinge.group if hinge.joint is None else hinge.joint.name
        if hinge.joint is None and hinge.ball == 3:
            yield name, 'free', None
            return
        if hinge.is_ball and hinge.ball == 3:
            yield name, 'ball', None
            return
        own = self._motions[hinge.group].rotation @ hinge.outer.axes
        if hinge.joint is None:
            axes = np.eye(3)
        else:
            side = hinge.joint.bodies.index(hinge.parent)
            axes = self._motions[hinge.parent].rotation @ hinge.joint.frames[side]
        motions = single(hinge.motions)
        for k, motion in enumerate(motions[:len(motions) - hinge.ball]):
            # Axes that earlier turns move are where the group has them.
            moved = any(not one.slides for one in motions[:k])
            axis = own @ motion.after.T[:, 2] if moved else axes @ motion.before[:, 2]
            yield (joint_name(name, motion.name), 'slide' if motion.slides else 'hinge',
                   -axis if motion.backwards else axis)
        if hinge.ball:
            line = self._motions[hinge.group].rotation @ self._mechanism.bodies[hinge.group].line
            first = across(line)
            yield joint_name(name, 'first'), 'hinge', first
            yield joint_name(name, 'second'), 'hinge', np.cross(line, first)

    def _site(self, name, body, place):
        ElementTree.SubElement(self.elements[body], 'site', name=name, pos=text(*place))
        return name

    def _rod(self, tendons, name, bodies, places, **more):
        """Add a tendon between two places."""
        tendon = ElementTree.SubElement(tendons, 'spatial', name=name, width=_WIDTH, **more)
        for side, (body, place) in enumerate(zip(bodies, places, strict=True)):
            ElementTree.SubElement(tendon, 'site', site=self._site(f'{name}/{side}', body, place))

    def springs(self, tendons):
        """Add a tendon for each spring or damper."""
        for name, force in self._mechanism.described.forces.items():
            on = self._mechanism.described.coordinates[force.coordinate]
            if on.kind != 'distance':
                continue
            self._rod(tendons, name, on.bodies, on.places, stiffness=text(force.stiffness),
                      damping=text(force.viscous), springlength=text(force.rest))

    def close(self, joint, tendons, equality, firm):
        """Add what closes a loop."""
        held = kind_of(joint).held
        if held == 'distance':
            self._rod(tendons, joint.name, joint.bodies, joint.places)
            ElementTree.SubElement(equality, 'tendon', name=joint.name, tendon1=joint.name, **firm)
            return
        side = int(joint.bodies[0] == GROUND)       # body1 is not the ground
        other = joint.bodies[1 - side]
        pair = {'body1': joint.bodies[side]} | ({} if other == GROUND else {'body2': other})
        place, axis = joint.places[side], joint.frames[side][:, 2]
        size = max(self._mechanism.model['scale'][0, 0], 1e-9)
        for suffix, at in (('', place), ('/axis', place + size * axis)):
            if not suffix or held == 'line':
                ElementTree.SubElement(equality, 'connect', name=f'{joint.name}{suffix}',
                                       anchor=text(*at), **pair, **firm)


def geom_name(body: str, number: int) -> str:
    """Return the name of the geom of a shape of a body, by its number there."""
    return f'{body}/{number}'


def add_solid(element: ElementTree.Element, name: str, solid: Any) -> None:
    """Add the geom of a Solid to the element of its body."""
    kinds = {'box': ('box', [0.5 * edge for edge in solid.size]),
             'sphere': ('sphere', solid.size)}
    kind, size = kinds.get(solid.kind, ('cylinder', (solid.size[0], 0.5 * (*solid.size, 0.0)[1])))
    ElementTree.SubElement(element, 'geom', name=name, type=kind, size=text(*size),
                           pos=text(*solid.centre), quat=text(*quaternion(solid.axes)), mass='0',
                           contype='0', conaffinity='0', rgba='.3 .5 .7 1')
