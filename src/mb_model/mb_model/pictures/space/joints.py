"""Joints and springs in pictures in space: pins, sleeves on rails, balls, crosses, coils."""

from collections.abc import Callable, Iterator

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.forces.acting import Force
from mb_model.pictures.space.mesh import Mesh, box, coil, cone, cylinder, revolved, sphere, tube
from mb_model.pictures.space.part import Part, Poses, Track
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND
from mb_model.space.joint import Joint
from mb_model.space.rotation import across

METAL, DARK, STAND = '#8b8f96', '#4a4d55', '#b9bcc2'
_THICKEST = 3.0         # body that a symbol is fit to, in symbols


def joint_parts(poses: Poses, up: FloatArray) -> Iterator[Part]:
    """Yield the Parts of all joints; up: where stands are not (3)."""
    stands = []
    for joint in poses.mechanism.joints.values():
        yield from SYMBOLS[kind_of(joint).symbol](poses, joint, _thickness(poses, joint))
        if GROUND in joint.bodies:
            position = poses.of(GROUND, joint.offsets[joint.bodies.index(GROUND)])[0]
            if all(np.linalg.norm(position - other) > 1e-9 for other in stands):
                stands.append(position)
                yield _stand(poses, position, up)


def _thickness(poses: Poses, joint: Joint) -> float:
    """Return how thick the thinner body is there [m], 0 if neither has a round shape."""
    thick = [poses.thickness(body, local)
             for body, local in zip(joint.bodies, joint.offsets, strict=True)]
    return min(min((one for one in thick if one > 0.0), default=0.0), _THICKEST * poses.unit)


def _stand(poses: Poses, position: FloatArray, up: FloatArray) -> Part:
    x = across(up)
    track = Track(position[None], np.column_stack([x, np.cross(up, x), up])[None])
    return Part(cone(3.0 * poses.unit, 4.5 * poses.unit), STAND, track)


def _on(poses: Poses, joint: Joint, side: int, mesh: Mesh, colour: str = METAL) -> Part:
    """Return a Part that is fixed to one body of a joint, given in the joint's frame there."""
    body = joint.bodies[side]
    return Part(mesh.moved(joint.offsets[side], joint.frames[side]), colour, poses.tracks[body])


def _pin(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    half = max(2.6 * poses.unit, 1.3 * thickness)
    yield _on(poses, joint, 0, cylinder(1.1 * poses.unit, 2.0 * half), DARK)


def _ball(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    yield _on(poses, joint, 1, sphere(max(1.5 * poses.unit, 1.2 * thickness)))


def _cross(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    half = max(2.4 * poses.unit, 1.3 * thickness)
    for side in (0, 1):
        yield _on(poses, joint, side, cylinder(0.8 * poses.unit, 2.0 * half), DARK)


def _along(poses: Poses, joint: Joint) -> FloatArray:
    """Return how far the second body's position moves in the first one's frame (k, 3) [m]."""
    line = poses.of(joint.bodies[1], joint.offsets[1]) - poses.of(joint.bodies[0], joint.offsets[0])
    axes = poses.tracks[joint.bodies[0]].axes @ joint.frames[0]
    return np.einsum('ki,kij->kj', line, np.broadcast_to(axes, (len(line), 3, 3)))


def _rail(poses: Poses, joint: Joint, radius: float,
          mesh: Callable[[float, float], Mesh] = cylinder) -> Part:
    """Return the line that a sleeve moves along, as long as it needs."""
    travel = _along(poses, joint)[:, 2]
    low = min(travel.min(), 0.0) - 6.0 * poses.unit        # from the first body's position
    high = max(travel.max(), 0.0) + 6.0 * poses.unit
    return _on(poses, joint, 0, mesh(radius, high - low).moved(
        np.array([0.0, 0.0, 0.5 * (low + high)]), np.eye(3)), STAND)


def _is_strut(poses: Poses, joint: Joint) -> bool:
    """Return whether bodies are barrel and rod, which show how they move themselves."""
    return all(body in poses.bodies and poses.bodies[body].slender for body in joint.bodies)


def _sleeve(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    if not _is_strut(poses, joint):
        wide = max(1.4 * poses.unit, 1.25 * thickness)
        yield _rail(poses, joint, 0.6 * poses.unit)
        yield _on(poses, joint, 1, tube(wide, 4.0 * poses.unit, 0.6 * wide))


def _block(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    wide = max(2.8 * poses.unit, 2.5 * thickness)
    yield _rail(poses, joint, 0.6 * poses.unit)
    yield _on(poses, joint, 1, box(wide, wide, 4.4 * poses.unit))


def _thread(radius: float, length: float) -> Mesh:
    """Return a bar with a thread, drawn as grooves."""
    count = max(int(length / radius), 2)
    z = np.linspace(-0.5 * length, 0.5 * length, 2 * count + 1)
    deep = np.where(np.arange(len(z)) % 2, 1.25, 0.85) * radius
    return revolved([(0.0, z[0]), *zip(deep, z, strict=True), (0.0, z[-1])], segments=20)


def _nut(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    wide = max(1.8 * poses.unit, 1.25 * thickness)
    yield _rail(poses, joint, 0.8 * poses.unit, _thread)
    yield _on(poses, joint, 1, revolved([(0.0, -wide), (wide, -wide), (wide, wide), (0.0, wide)],
                                         segments=6))


def _floor(poses: Poses, joint: Joint, thickness: float = 0.0) -> Iterator[Part]:
    moved = _along(poses, joint)[:, :2]
    low, high = moved.min(axis=0) - 5.0 * poses.unit, moved.max(axis=0) + 5.0 * poses.unit
    thin = 0.4 * poses.unit
    yield _on(poses, joint, 0, box(*(high - low), thin).moved(
        np.array([*(0.5 * (low + high)), -0.5 * thin]), np.eye(3)), STAND)


def _table(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    yield from _floor(poses, joint)
    yield _on(poses, joint, 1, cylinder(1.6 * poses.unit, 0.8 * poses.unit))


def _rod(poses: Poses, joint: Joint, thickness: float) -> Iterator[Part]:
    first, second = (poses.of(body, local)
                     for body, local in zip(joint.bodies, joint.offsets, strict=True))
    first, second = np.broadcast_arrays(first, second)
    length = joint.numbers['length']
    yield Part(cylinder(0.7 * poses.unit, length).moved(np.array([0.0, 0.0, 0.5 * length]),
                                                         np.eye(3)),
               METAL, poses.between(first, second))
    yield _on(poses, joint, 1, sphere(1.3 * poses.unit))
    if kind_of(joint).axis:
        yield from _pin(poses, joint, thickness)
    else:
        yield _on(poses, joint, 0, sphere(1.3 * poses.unit))


def _nothing(poses: Poses, joint: Joint, thickness: float) -> tuple[Part, ...]:
    return ()


# What a JointKind may be in pictures, by its `symbol`.
SYMBOLS = {'pin': _pin, 'block': _block, 'sleeve': _sleeve, 'ball': _ball, 'cross': _cross,
           'table': _table, 'nut': _nut, 'rod': _rod, 'floor': _floor, '': _nothing}


SPRING = '#cc7a29'
_TURNS = 9


def spring_parts(poses: Poses) -> Iterator[Part]:
    """Yield the Parts of all springs and dampers that act between two positions."""
    for force in poses.described.forces.values():
        if not isinstance(force, Force) or not (force.stiffness > 0.0 or force.viscous > 0.0):
            continue
        coordinate = poses.described.coordinates.get(force.coordinate)
        if coordinate is None or coordinate.kind != 'distance':
            continue
        first, second = np.broadcast_arrays(*(poses.of(body, local) for body, local in zip(
            coordinate.bodies, coordinate.offsets, strict=True)))
        yield from _between(poses, force, first, second)


def _between(poses: Poses, force: Force, first: FloatArray, second: FloatArray) -> Iterator[Part]:
    lengths = np.linalg.norm(second - first, axis=1)
    usual = float(lengths.mean())
    if force.stiffness > 0.0:
        yield Part(coil(1.9 * poses.unit, 0.4 * poses.unit, usual, _TURNS), SPRING,
                   poses.between(first, second, stretched=usual))
    if force.viscous > 0.0:
        barrel = 0.6 * float(lengths.min())
        rod = float(lengths.max()) - 0.5 * barrel
        for radius, length, colour, track in (
                (0.9, barrel, DARK, poses.between(first, second)),
                (0.45, rod, METAL, poses.between(second, first))):
            yield Part(cylinder(radius * poses.unit, length).moved(
                np.array([0.0, 0.0, 0.5 * length]), np.eye(3)), colour, track)
