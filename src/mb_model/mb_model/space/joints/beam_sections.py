"""Cross sections of bodies that bend: where they are, and how they are turned.

A section is a rigid body without mass.  With U = (B - A) / L + sum_k phi_k'(x) w_k along the beam,
V = v + sum_k psi_k(x) tau_k w across it and the section's own unit vectors b and c along y and z,

    b . U = 0,   c . U = 0,   c . V = 0

see beams.spatial_beam for the rest.
"""

from typing import Any

import numpy as np

from mb_model.space.equation import SpatialEquation
from mb_model.space.equations.products import product_equation
from mb_model.space.joint import Joint, JointKind, along_axes
from mb_model.space.joints.joining import global_axes
from mb_model.space.motion import BALL, FREE, moving_by


def chord(layout: Any, body: str) -> dict[int, float]:
    """Return the terms of the vector between both ends of a flexible body."""
    first, second = ends(layout, body)
    return layout.difference(second, first)


def ends(layout: Any, body: str) -> list[dict[int, float]]:
    """Return the terms of the ends of a flexible body."""
    return [layout.point(section, np.zeros(3))
            for section in list(layout.bodies[body].sections)[:2]]


def _held(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """Return the equations of the position of a section; none at the ends."""
    body, x = layout.bodies[joint.bodies[0]], float(joint.offsets[0][0])
    if joint.bodies[1] in list(body.sections)[:2]:
        return []
    beam, (first, second) = body.beam.shape, ends(layout, body.name)
    share = x / beam.length
    bent = zip(beam.deflection(x) / beam.sizes, layout.mode_vectors(body.name), strict=True)
    gap = layout.total(((1.0 - share, first), (share, second), *bent,
                        (-1.0, layout.point(joint.bodies[1], np.zeros(3)))))
    return [product_equation(layout.vector(gap), layout.vector(axis), 0.0, 1.0,
                             f'joints.{joint.name}') for axis in global_axes(layout)]


def _turned(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """Return the equations of how a section is turned."""
    (name, section), x = joint.bodies, float(joint.offsets[0][0])
    beam = layout.bodies[name].beam
    steep = zip(beam.shape.slope(x) / beam.shape.sizes, layout.mode_vectors(name), strict=True)
    along = layout.total(((1.0 / beam.shape.length, chord(layout, name)), *steep))
    twisted = () if beam.torsion is None else zip(beam.torsion.twist(x), (
        first for first, _ in layout.twist_vectors(name)), strict=True)
    across = layout.total(((1.0, layout.direction(name, (0.0, 1.0, 0.0))), *twisted))
    y, z = (layout.direction(section, axis) for axis in np.eye(3)[1:])
    return [product_equation(layout.vector(own), layout.vector(of_beam), 0.0, 1.0 / layout.size,
                             f'joints.{joint.name}')
            for own, of_beam in ((y, along), (z, along), (z, across))]


FIRST = JointKind('first_section', {
    'description': 'The first section of a body that bends: the origin of its frame is in it.',
}, _turned, along_axes('xyz', 'xyz'), axis='', shared=('point',), inner=True,
    motions=moving_by(*BALL))

SECTION = JointKind('section', {
    'description': 'A section of a body that bends, but for the first one.',
}, lambda layout, joint: _held(layout, joint) + _turned(layout, joint),
    along_axes('xyz', 'xyz'), axis='', inner=True, motions=moving_by(*FREE))

JOINTS = FIRST, SECTION
