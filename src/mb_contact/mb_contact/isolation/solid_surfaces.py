"""Places on the surfaces of the shapes of bodies in space."""

from math import pi, sqrt

import numpy as np

_ROUND = 8             # places around a cylinder
_SPHERE = 4            # times as many places as along a side
_CAP = 2               # likewise on an end of a cylinder
_GOLDEN = pi * (3.0 - sqrt(5.0))      # angle between neighbours of a sunflower
_X, _, _Z = np.eye(3)


def solid_surface(solid, places, joints, line):
    """Return places, inward normals, tangents (k, 3), areas (k), spreads, curvatures (k, 2).

    As those of a Surface, of a Solid.  places: along its longest side; joints (j, 3): of its body;
    line: direction of a slender body.
    """
    make = {'box': _box, 'sphere': _sphere}.get(solid.kind, _cylinder)
    at, outward, tangents, *rest = make(solid, places, joints)
    axes, centre = solid.axes, solid.centre
    if line is not None:
        along = solid.axes[:, 2] @ line
        axes = np.array([[0.0, 0.0, along], [1.0, 0.0, 0.0], [0.0, along, 0.0]])
        centre = np.array([solid.centre @ line, 0.0, 0.0])
    return centre + at @ axes.T, -outward @ axes.T, tangents @ axes.T, *rest


def _spread(size, counts):
    """Return deviations (2) over a patch: a part of a size (2) [m]."""
    return np.asarray(size) / counts / sqrt(12.0)


def _patch(at, outward, tangent, area, spread, curvature=(0.0, 0.0)):
    """Return all of the patches at (k, 3) of a surface of that area [m^2]."""
    rows = len(at)
    return (at, np.broadcast_to(outward, (rows, 3)), np.broadcast_to(tangent, (rows, 3)),
            np.full(rows, area / rows), np.tile(spread, (rows, 1)), np.tile(curvature, (rows, 1)))


def _together(found):
    return [np.concatenate(part) for part in zip(*found, strict=True)]


def _box(solid, places, joints):
    """Return the patches in the axes of a box, outward: a grid on each face."""
    size, found = np.array(solid.size), []
    counts = np.maximum(1, np.round(places * size / size.max())).astype(int)
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        grid = np.stack(np.meshgrid(*((np.arange(counts[k]) + 0.5) / counts[k] - 0.5
                                      for k in (i, j))), axis=-1).reshape(-1, 2)
        for side in (-0.5, 0.5):
            at = np.zeros((len(grid), 3))
            at[:, axis], at[:, i], at[:, j] = side * size[axis], *(grid * size[[i, j]]).T
            found.append(_patch(at, 2.0 * side * np.eye(3)[axis], np.eye(3)[i],
                                size[i] * size[j], _spread(size[[i, j]], counts[[i, j]])))
    return _together(found)


def _sphere(solid, places, joints):
    count, (radius, *_) = _SPHERE * places, solid.size
    z, angle = 1.0 - 2.0 * (np.arange(count) + 0.5) / count, _GOLDEN * np.arange(count)
    across = np.sqrt(1.0 - z * z)
    outward = np.column_stack([across * np.cos(angle), across * np.sin(angle), z])
    around = np.column_stack([-np.sin(angle), np.cos(angle), np.zeros(count)])
    area = 4.0 * pi * radius ** 2
    return _patch(radius * outward, outward, around, area,
                  2 * [sqrt(area / count / 12.0)], 2 * [1.0 / radius])


def _cylinder(solid, places, joints):
    """Return the same of a cylinder, a tube or a rod along z: its side, and its free ends."""
    radius, length = solid.size[:2]
    count = int(np.clip(round(places * length / (2.0 * radius)), 1, places))
    angle = np.tile(2.0 * pi * (np.arange(_ROUND) + 0.5) / _ROUND, count)
    heights = np.repeat(length * ((np.arange(count) + 0.5) / count - 0.5), _ROUND)
    outward = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    found = [_patch(radius * outward + heights[:, None] * _Z, outward, np.cross(_Z, outward),
                    2.0 * pi * radius * length,
                    _spread((2.0 * pi * radius, length), (_ROUND, count)), (1.0 / radius, 0.0))]
    if solid.kind != 'rod':
        found += [_cap(solid, side, _CAP * places) for side in (-0.5, 0.5)
                  if _is_free(solid.centre + side * length * solid.axes[:, 2], joints, radius)]
    return _together(found)


def _is_free(middle, joints, radius):
    """Return whether the end of a cylinder has no joint in its middle."""
    return not len(joints) or np.linalg.norm(joints - middle, axis=1).min() > 0.5 * radius


def _cap(solid, side, count):
    """Return the same of an end of a cylinder."""
    radius, length = solid.size[:2]
    inner = solid.size[2] if solid.kind == 'tube' else 0.0
    away = np.sqrt(inner ** 2 + (radius ** 2 - inner ** 2) * (np.arange(count) + 0.5) / count)
    angle, area = _GOLDEN * np.arange(count), pi * (radius ** 2 - inner ** 2)
    at = np.column_stack([away * np.cos(angle), away * np.sin(angle),
                          np.full(count, side * length)])
    return _patch(at, 2.0 * side * _Z, _X, area, 2 * [sqrt(area / count / 12.0)])
