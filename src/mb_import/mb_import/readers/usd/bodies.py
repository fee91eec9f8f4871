"""Rigid bodies of USD: their poses, masses, inertias and shapes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_import.machine import Inertial, Link
from mb_import.readers.usd.geometry import Solid, read_solid
from mb_import.readers.usd.stage import Stage, pxr
from mb_import.readers.usd.values import number, turn, value_of, vector
from mb_import.solids import combined, solid
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose

_WATER = 1000.0              # kg/m^3, where no density is said


@dataclass
class Body:
    """A rigid body; solids: its colliders with the density that is said of each [kg/m^3].

    seen: what else of it is drawn.
    """

    name: str
    prim: Any
    pose: Pose
    scales: FloatArray
    solids: list[tuple[Any, Solid]] = field(default_factory=list)
    seen: list[Solid] = field(default_factory=list)


def read_bodies(stage: Stage) -> dict[str, Body]:
    """Return the bodies of a stage by path of their prims, with what is fixed in each.

    Raises MechanismError.
    """
    usd, physics, geom = pxr('Usd'), pxr('UsdPhysics'), pxr('UsdGeom')
    bodies: dict[str, Body] = {}
    prims = list(usd.PrimRange.Stage(stage.usd, usd.TraverseInstanceProxies()))
    for prim in prims:
        if prim.HasAPI(physics.RigidBodyAPI):
            if value_of(prim, 'physics:rigidBodyEnabled') is False:
                stage.notes.changed(str(prim.GetPath()), 'is no rigid body at present: a part of '
                                                         'the world')
                continue
            pose, scales = stage.pose(prim)
            bodies[str(prim.GetPath())] = Body('', prim, pose, scales)
    names = _names(list(bodies))
    for path, body in bodies.items():
        body.name = names[path]
    for prim in prims:
        home = bodies.get(body_path(prim, bodies))
        if home is None or not prim.IsA(geom.Gprim):
            continue
        primitive = read_solid(prim, stage, home.pose)
        collides = prim.HasAPI(physics.CollisionAPI) and (
            value_of(prim, 'physics:collisionEnabled') is not False)
        if primitive is None:
            if collides:
                stage.notes.left_out(str(prim.GetPath()), f'a {prim.GetTypeName()} is no solid '
                                                          'that a mechanism has')
            continue
        if collides:
            home.solids.append((prim, primitive))
        if str(geom.Imageable(prim).ComputePurpose()) in ('default', 'render'):
            home.seen.append(primitive)
    return bodies


def body_path(prim: Any, bodies: dict[str, Body]) -> str:
    """Return the path of the body that a prim is fixed in, '' if it is the world."""
    while prim and not prim.IsPseudoRoot():
        if (path := str(prim.GetPath())) in bodies:
            return path
        prim = prim.GetParent()
    return ''


def _names(paths: list[str]) -> dict[str, str]:
    """Return a short name of each path: its last part, or all of it if another ends alike."""
    last = [path.rpartition('/')[2] for path in paths]
    return {path: name if last.count(name) == 1 and name != 'world' else path[1:]
            for path, name in zip(paths, last, strict=True)}


def link_of(body: Body, stage: Stage) -> Link:
    """Return the Link of a body; raises MechanismError."""
    shapes = [primitive.shape for primitive in body.seen or [one for _, one in body.solids]]
    for primitive, shape in zip(body.seen, shapes, strict=False):
        if shape is None:
            stage.notes.left_out(f'link {body.name}', f'a shape {primitive.kind} is not drawn')
    return Link(body.name, _inertial(body, stage),
                tuple(shape for shape in shapes if shape is not None))


def _inertial(body: Body, stage: Stage) -> Inertial | None:
    """Return what MassAPI says, else what colliders and densities make.

    Source: UsdPhysicsMassAPI: a body's mass outweighs all others, a collider's density its
    body's, and a material's is the weakest.
    """
    mass = stage.kilogram * number(body.prim, 'physics:mass', stage, 0.0)
    if mass < 0.0:
        raise stage.notes.error(f'link {body.name}', f'its mass {mass:g} kg must be >= 0')
    moments, centre = _moments(body, stage), _centre(body, stage)
    whole = None
    if not mass or moments is None or centre is None:
        whole = _of_colliders(body, stage, mass > 0.0)
    if whole is not None:
        if moments is None:
            moments = whole.inertia * (mass / whole.mass if mass else 1.0)
        centre = whole.centre if centre is None else centre
    mass = mass or (0.0 if whole is None else whole.mass)
    if not mass:
        stage.notes.guessed(f'link {body.name}', 'has neither mass nor solid collider: taken '
                                                 'without mass')
        return None
    if moments is None:
        stage.notes.guessed(f'link {body.name}', 'has a mass, and no inertia: taken as a point')
        moments = np.zeros((3, 3))
    return Inertial(mass, np.zeros(3) if centre is None else centre, moments)


def _moments(body: Body, stage: Stage) -> FloatArray | None:
    """Return the inertia (3, 3) [kg m^2] in axes of the body, None if it is not said."""
    diagonal = vector(body.prim, 'physics:diagonalInertia', stage)
    if diagonal is None or not diagonal.any():
        return None
    axes = turn(body.prim, 'physics:principalAxes', stage)
    return stage.kilogram * stage.metre ** 2 * axes @ np.diag(diagonal) @ axes.T


def _centre(body: Body, stage: Stage) -> FloatArray | None:
    """Return the centre of gravity (3) [m] in the body's frame, None if it is not said."""
    value = vector(body.prim, 'physics:centerOfMass', stage)
    return None if value is None else body.scales * value


def _of_colliders(body: Body, stage: Stage, weighed: bool) -> Inertial | None:
    """Return what colliders make of their masses and densities, None if they are no solids.

    weighed: whether the mass of the body is said, and shapes give its inertia alone.
    """
    parts = []
    general = number(body.prim, 'physics:density', stage, 0.0) * stage.kilogram / stage.metre ** 3
    for prim, primitive in body.solids:
        if primitive.kind == 'mesh':
            stage.notes.left_out(f'link {body.name}', f'the {"inertia" if weighed else "mass"} of '
                                                      f'mesh {primitive.mesh}: write it in MassAPI')
            continue
        density = (number(prim, 'physics:density', stage, 0.0) * stage.kilogram
                   / stage.metre ** 3 or general or _of_material(prim, stage) or _WATER)
        part = solid(primitive.kind, primitive.size, abs(density), primitive.pose)
        own = abs(number(prim, 'physics:mass', stage, 0.0)) * stage.kilogram
        factor = own / part.mass if own and prim != body.prim else 1.0
        parts.append(Inertial(part.mass * factor, part.centre, part.inertia * factor))
    return combined(parts)


def _of_material(prim: Any, stage: Stage) -> float:
    """Return the density [kg/m^3] of the physics material that is bound to a prim, 0 if none."""
    shade = pxr('UsdShade')
    material, _ = shade.MaterialBindingAPI(prim).ComputeBoundMaterial('physics')
    if not material:
        return 0.0
    return number(material.GetPrim(), 'physics:density', stage, 0.0) * (
        stage.kilogram / stage.metre ** 3)
