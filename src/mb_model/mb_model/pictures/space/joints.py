"""Joints and springs in pictures in space: pins, sleeves on rails, balls, crosses, coils."""

import numpy as np

from mb_model.forces.acting import Force
from mb_model.pictures.space.mesh import box, coil, cone, cylinder, revolved, sphere, tube
from mb_model.pictures.space.part import Part, Track
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND
from mb_model.space.rotation import across

METAL, DARK, STAND = '#8b8f96', '#4a4d55', '#b9bcc2'
_THICKEST = 3.0         # body that a symbol is fit to, in symbols


def joint_parts(places, up):
    """Yield the Parts of all joints; up: where stands are not (3)."""
    stands = []
    for joint in places.mechanism.joints.values():
        yield from SYMBOLS[kind_of(joint).symbol](places, joint, _thickness(places, joint))
        if GROUND in joint.bodies:
            place = places.of(GROUND, joint.offsets[joint.bodies.index(GROUND)])[0]
            if all(np.linalg.norm(place - other) > 1e-9 for other in stands):
                stands.append(place)
                yield _stand(places, place, up)


def _thickness(places, joint):
    """Return how thick the thinner body is there [m], 0 if neither has a round shape."""
    thick = [places.thickness(body, place)
             for body, place in zip(joint.bodies, joint.offsets, strict=True)]
    return min(min((one for one in thick if one > 0.0), default=0.0), _THICKEST * places.unit)


def _stand(places, place, up):
    x = across(up)
    track = Track(place[None], np.column_stack([x, np.cross(up, x), up])[None])
    return Part(cone(3.0 * places.unit, 4.5 * places.unit), STAND, track)


def _on(places, joint, side, mesh, colour=METAL):
    """Return a Part that is fixed to one body of a joint, given in the joint's frame there."""
    body = joint.bodies[side]
    return Part(mesh.moved(joint.offsets[side], joint.frames[side]), colour, places.tracks[body])


def _pin(places, joint, thickness):
    half = max(2.6 * places.unit, 1.3 * thickness)
    yield _on(places, joint, 0, cylinder(1.1 * places.unit, 2.0 * half), DARK)


def _ball(places, joint, thickness):
    yield _on(places, joint, 1, sphere(max(1.5 * places.unit, 1.2 * thickness)))


def _cross(places, joint, thickness):
    half = max(2.4 * places.unit, 1.3 * thickness)
    for side in (0, 1):
        yield _on(places, joint, side, cylinder(0.8 * places.unit, 2.0 * half), DARK)


def _along(places, joint):
    """Return how far the second body's place moves in the first one's frame (k, 3) [m]."""
    way = (places.of(joint.bodies[1], joint.offsets[1])
           - places.of(joint.bodies[0], joint.offsets[0]))
    axes = places.tracks[joint.bodies[0]].axes @ joint.frames[0]
    return np.einsum('ki,kij->kj', way, np.broadcast_to(axes, (len(way), 3, 3)))


def _rail(places, joint, radius, mesh=cylinder):
    """Return the line that a sleeve moves along, as long as it needs."""
    travel = _along(places, joint)[:, 2]
    low = min(travel.min(), 0.0) - 6.0 * places.unit        # from the first body's place
    high = max(travel.max(), 0.0) + 6.0 * places.unit
    return _on(places, joint, 0, mesh(radius, high - low).moved(
        np.array([0.0, 0.0, 0.5 * (low + high)]), np.eye(3)), STAND)


def _is_strut(places, joint):
    """Return whether bodies are barrel and rod, which show how they move themselves."""
    return all(body in places.bodies and places.bodies[body].slender for body in joint.bodies)


def _sleeve(places, joint, thickness):
    if not _is_strut(places, joint):
        wide = max(1.4 * places.unit, 1.25 * thickness)
        yield _rail(places, joint, 0.6 * places.unit)
        yield _on(places, joint, 1, tube(wide, 4.0 * places.unit, 0.6 * wide))


def _block(places, joint, thickness):
    wide = max(2.8 * places.unit, 2.5 * thickness)
    yield _rail(places, joint, 0.6 * places.unit)
    yield _on(places, joint, 1, box(wide, wide, 4.4 * places.unit))


def _thread(radius, length):
    """Return a bar with a thread, drawn as grooves."""
    count = max(int(length / radius), 2)
    z = np.linspace(-0.5 * length, 0.5 * length, 2 * count + 1)
    deep = np.where(np.arange(len(z)) % 2, 1.25, 0.85) * radius
    return revolved([(0.0, z[0]), *zip(deep, z, strict=True), (0.0, z[-1])], segments=20)


def _nut(places, joint, thickness):
    wide = max(1.8 * places.unit, 1.25 * thickness)
    yield _rail(places, joint, 0.8 * places.unit, _thread)
    yield _on(places, joint, 1, revolved([(0.0, -wide), (wide, -wide), (wide, wide), (0.0, wide)],
                                         segments=6))


def _floor(places, joint, thickness=0.0):
    moved = _along(places, joint)[:, :2]
    low, high = moved.min(axis=0) - 5.0 * places.unit, moved.max(axis=0) + 5.0 * places.unit
    thin = 0.4 * places.unit
    yield _on(places, joint, 0, box(*(high - low), thin).moved(
        np.array([*(0.5 * (low + high)), -0.5 * thin]), np.eye(3)), STAND)


def _table(places, joint, thickness):
    yield from _floor(places, joint)
    yield _on(places, joint, 1, cylinder(1.6 * places.unit, 0.8 * places.unit))


def _rod(places, joint, thickness):
    first, second = (places.of(body, place)
                     for body, place in zip(joint.bodies, joint.offsets, strict=True))
    first, second = np.broadcast_arrays(first, second)
    length = joint.numbers['length']
    yield Part(cylinder(0.7 * places.unit, length).moved(np.array([0.0, 0.0, 0.5 * length]),
                                                         np.eye(3)),
               METAL, places.between(first, second))
    yield _on(places, joint, 1, sphere(1.3 * places.unit))
    if kind_of(joint).axis:
        yield from _pin(places, joint, thickness)
    else:
        yield _on(places, joint, 0, sphere(1.3 * places.unit))


def _nothing(places, joint, thickness):
    return ()


# What a JointKind may be in pictures, by its `symbol`.
SYMBOLS = {'pin': _pin, 'block': _block, 'sleeve': _sleeve, 'ball': _ball, 'cross': _cross,
           'table': _table, 'nut': _nut, 'rod': _rod, 'floor': _floor, '': _nothing}


SPRING = '#cc7a29'
_TURNS = 9


def spring_parts(places):
    """Yield the Parts of all springs and dampers that act between two places."""
    for force in places.described.forces.values():
        if not isinstance(force, Force) or not (force.stiffness > 0.0 or force.viscous > 0.0):
            continue
        coordinate = places.described.coordinates.get(force.coordinate)
        if coordinate is None or coordinate.kind != 'distance':
            continue
        first, second = np.broadcast_arrays(*(places.of(body, place) for body, place in zip(
            coordinate.bodies, coordinate.offsets, strict=True)))
        yield from _between(places, force, first, second)


def _between(places, force, first, second):
    lengths = np.linalg.norm(second - first, axis=1)
    usual = float(lengths.mean())
    if force.stiffness > 0.0:
        yield Part(coil(1.9 * places.unit, 0.4 * places.unit, usual, _TURNS), SPRING,
                   places.between(first, second, stretched=usual))
    if force.viscous > 0.0:
        barrel = 0.6 * float(lengths.min())
        rod = float(lengths.max()) - 0.5 * barrel
        for radius, length, colour, track in (
                (0.9, barrel, DARK, places.between(first, second)),
                (0.45, rod, METAL, places.between(second, first))):
            yield Part(cylinder(radius * places.unit, length).moved(
                np.array([0.0, 0.0, 0.5 * length]), np.eye(3)), colour, track)
