"""The bodies of a mechanism in MuJoCo, in the plane and in space: a tree of joints, what is seen.

Joints of one, two or three degrees of freedom are hinges, slides and balls, a body without a joint
floats.  A slender body turns about two axes across its line, not about the line.  Bodies that bend
are chains of segments, see beam_chain.
"""

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, Hinge, SpatialTree, across, quaternion, single
from mb_simulation.prototypes.beam_chain import BeamChain
from mb_simulation.prototypes.laws import STOP
from mb_simulation.prototypes.obstacles_in_mujoco import UNTOUCHED
from mb_simulation.prototypes.pushed import joint_name, joint_of
from mb_simulation.prototypes.weightless import weights

_THIN = 1e-3        # inertia of a slender body about its line, of its largest: any will do
_BLUE, _GLASS = (0.3, 0.5, 0.7, 1.0), (0.2, 0.4, 0.7, 0.6)
_HINGE, _SLIDE, _BALL, _FREE = (getattr(mujoco.mjtJoint, f'mjJNT_{name}')
                                for name in ('HINGE', 'SLIDE', 'BALL', 'FREE'))
_GEOM = mujoco.mjtGeom


class MujocoBodies:
    """Bodies by name, and the ground, with the frames of the mechanism file.

    motions: BodyMotions of these where they are; touchable: names of the geoms of their shapes.
    """

    def __init__(self, mechanism: Mechanism, tree: SpatialTree, spec: mujoco.MjSpec,
                 q: FloatArray, springs: bool) -> None:
        """Add them to a spec, where they are at q (n); springs: of the file, on joints."""
        self._mechanism, self._tree, self._q, self._springs = mechanism, tree, q, springs
        self.motions = {name: mechanism.body_motion(name, q)
                         for name in (GROUND, *mechanism.bodies)}
        self._carrying, self._weights = sections_of(mechanism), weights(mechanism, tree)
        self.named: dict[str, Any] = {GROUND: spec.worldbody}
        self._chains: dict[str, Any] = {}
        self.touchable: list[str] = []
        for hinge in tree.hinges:
            self._add(hinge)

    def _add(self, hinge: Hinge) -> None:
        """Add a body on its parent."""
        name = hinge.group
        body, motion = self._tree.description.bodies[name], self.motions[name]
        if body.beam is not None:
            self._add_chain(hinge)
            return
        if hinge.parent in self._chains:
            self._add_section(hinge)
            return
        under = self.motions[hinge.parent]
        element = self.named[name] = self.named[hinge.parent].add_body(
            name=name, pos=under.rotation.T @ (motion.position - under.position),
            quat=quaternion(under.rotation.T @ motion.rotation))
        for joint, kind, axis, position in self._joints(hinge):
            more = {} if axis is None else {'axis': motion.rotation.T @ axis}
            where = {} if position is None else {
                'pos': motion.rotation.T @ (position - motion.position)}
            element.add_joint(name=joint, type=kind, **where, **more, **self._spring(joint))
        if name in self._carrying:
            _set_massless(element)
            return
        mass, inertia = self._weights.get(name, (body.mass, body.inertia))
        if body.slender:        # about its line, nothing turns: any number does
            moments = np.linalg.eigvalsh(inertia)
            inertia = inertia + _THIN * moments[2] * np.outer(body.line, body.line)
        element.explicitinertial, element.mass = True, mass
        element.ipos = body.centre_of_gravity
        if self._mechanism.dimension == 2:      # 0 of what is welded
            element.inertia = np.diag(inertia)
            self._show_in_plane(element, name)
        else:
            element.fullinertia = [*np.diag(inertia), *inertia[[0, 0, 1], [1, 2, 2]]]
        for k, solid in enumerate(body.shapes):
            add_solid(element, geom_name(name, k), solid)
            self.touchable.append(geom_name(name, k))

    def _add_chain(self, hinge: Hinge) -> None:
        """Add the segments of a body that bends, on the section that carries it, if one does."""
        name = hinge.group
        chain, body = BeamChain(self._mechanism, name), self._mechanism.bodies[name]
        start = body.sections[hinge.parent] if hinge.joint else 0.0
        self._chains[name] = chain, chain.write(
            self.named[hinge.parent], start, self._q, floats=hinge.joint is None)

    def _add_section(self, hinge: Hinge) -> None:
        """Add a section on the segment that carries it; it has no mass."""
        chain, segments = self._chains[hinge.parent]
        k, beyond = chain.segment_at(self._mechanism.bodies[hinge.parent].sections[hinge.group])
        element = self.named[hinge.group] = segments[k].add_body(
            name=hinge.group, pos=[beyond, 0.0, 0.0])
        _set_massless(element)

    def _show_in_plane(self, element: Any, name: str) -> None:
        """Add what is seen: a site at each point, and the shape, or bars from the first point on.
        """
        body = self._mechanism.bodies[name]
        first, *others = (np.array([*at, 0.0]) for at in body.points.values())
        width = 0.03 * max(np.linalg.norm(other - first) for other in others)
        for point, position in zip(body.points, (first, *others), strict=True):
            element.add_site(name=f'{name}/{point}', pos=position, size=[width] * 3)
        if body.shape:
            add_planar_shape(element, name, body.shape)
            self.touchable.append(name)
            return
        for other in others:
            if np.linalg.norm(other - first) >= width:
                element.add_geom(type=_GEOM.mjGEOM_CAPSULE, size=[width, 0.0, 0.0], **UNTOUCHED,
                                 rgba=_GLASS, fromto=[*first, *other])

    def _spring(self, joint: str) -> dict[str, Any]:
        """Return the attributes of springs and dampers on MuJoCo's joint of a name.

        Its value is the file's then.
        """
        described, attributes = self._mechanism.described, {}
        for force in described.forces.values() if self._springs else ():
            on = described.coordinates[force.coordinate]
            if force.kind != STOP and joint == joint_of(self._mechanism, self._tree, on.name):
                if attributes:
                    raise ValueError(f'{self._mechanism.file}: forces.{force.name}: for MuJoCo, '
                                     f'{force.coordinate} has one spring and damper')
                start = self._mechanism.q0[self._mechanism.coordinates.index(on.name)]
                attributes = {'ref': start, 'springref': force.rest,
                         'stiffness': [force.stiffness, 0.0, 0.0],
                         'damping': [force.viscous, 0.0, 0.0]}
        return attributes

    def _joints(self, hinge: Hinge) -> Iterator[
            tuple[str, Any, FloatArray | None, FloatArray | None]]:
        """Yield (name, type, axis, position) of MuJoCo's joints, global, where they are zero.

        From the first body of the mechanism's joint to the second, whichever carries the other.
        """
        name = hinge.group if hinge.joint is None else hinge.joint.name
        parent, group = (self.motions[body] for body in (hinge.parent, hinge.group))
        if hinge.joint is None and hinge.ball == 3:
            yield name, _FREE, None, None
            return
        frame, other = hinge.sides
        axes, own_axes = parent.rotation @ frame.axes, group.rotation @ hinge.outer.axes
        first, position = parent.position_of(frame.origin), group.position_of(other.origin)
        if hinge.is_ball and hinge.ball == 3:
            yield name, _BALL, None, position
            return
        motions = single(hinge.motions)
        for k, motion in enumerate(motions[:len(motions) - hinge.ball]):
            # Axes that earlier turns move are where the group has them.
            moved = any(not one.slides for one in motions[:k])
            axis = own_axes @ motion.after.T[:, 2] if moved else axes @ motion.before[:, 2]
            # A turn before slides is about the joint's point on the parent.
            about = first if not motion.slides and any(
                one.slides for one in motions[k + 1:]) else position
            yield (joint_name(hinge, motion), _SLIDE if motion.slides else _HINGE,
                   -axis if motion.backwards else axis, about)
        if hinge.ball:
            line = group.rotation @ self._mechanism.bodies[hinge.group].line
            one = across(line)
            yield f'{name}/first', _HINGE, one, position
            yield f'{name}/second', _HINGE, np.cross(line, one), position

def _set_massless(element: Any) -> None:
    element.explicitinertial, element.mass = True, 0.0
    element.ipos, element.inertia = np.zeros(3), np.zeros(3)


def sections_of(mechanism: Mechanism) -> set[str]:
    """Return the names of the sections of bodies that bend, in space."""
    return {section for body in mechanism.bodies.values() if mechanism.dimension == 3
            for section in body.sections}


def geom_name(body: str, number: int) -> str:
    """Return the name of the geom of a shape of a body, by its number there."""
    return f'{body}/{number}'


def add_solid(element: Any, name: str, solid: Any) -> None:
    """Add the geom of a Solid to its body."""
    kinds = {'box': (_GEOM.mjGEOM_BOX, [0.5 * edge for edge in solid.size]),
             'sphere': (_GEOM.mjGEOM_SPHERE, [solid.size[0], 0.0, 0.0])}
    kind, size = kinds.get(solid.kind, (_GEOM.mjGEOM_CYLINDER, (
        solid.size[0], 0.5 * (*solid.size, 0.0)[1], 0.0)))
    element.add_geom(name=name, type=kind, size=size, pos=solid.centre,
                     quat=quaternion(solid.axes), rgba=_BLUE, **UNTOUCHED)


def add_planar_shape(element: Any, name: str, shape: Any) -> None:
    """Add the geom of a BodyShape to its body."""
    first, second = ([*end, 0.0] for end in shape.ends)
    form = ({'type': _GEOM.mjGEOM_SPHERE, 'pos': first} if shape.is_disc else
            {'type': _GEOM.mjGEOM_CAPSULE, 'fromto': [*first, *second]})
    element.add_geom(name=name, size=[shape.radius, 0.0, 0.0], rgba=_GLASS, **UNTOUCHED, **form)
