"""Bodies in pictures in space: their shapes; one without is bars between its points and joints."""

from collections.abc import Iterator
from itertools import cycle

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.pictures.parts.colours import COLOURS
from mb_model.pictures.space.mesh import Mesh, box, cylinder, joined, mesh_of, sphere
from mb_model.pictures.space.part import Part, Poses
from mb_model.space.body import SpatialBody
from mb_model.space.rotation import across
from mb_model.space.shape import Solid
from mb_model.space.spanning_tree import shortest_connections

_PIECES = 16        # of a bar that bends
_BAR = 0.9          # radius of a bar, in symbols
_BRACKET = 0.7      # radius of a bar to a joint or point that no shape reaches
_LEAST = 1.2        # edge of a box that stands for a mass, in symbols


def body_parts(poses: Poses) -> Iterator[Part]:
    """Yield the Parts of all bodies, each in a colour of its own."""
    for (name, body), colour in zip(poses.bodies.items(), cycle(COLOURS)):
        if body.beam is not None:
            yield from _bent(poses, name, colour)
            continue
        meshes = ([*map(mesh_of, body.shapes), *_brackets(poses, name)] if body.shapes
                  else _bars(poses, name))
        yield Part(joined(meshes), colour, poses.tracks[name], name)


def _bent(poses: Poses, name: str, colour: str) -> Iterator[Part]:
    """Yield the Parts of a body that bends: pieces of a bar along its bent axis."""
    size = poses.bodies[name].beam.shape.length / _PIECES
    mesh = bar(np.array([-0.5 * size, 0.0, 0.0]), np.array([0.5 * size, 0.0, 0.0]),
               _BAR * poses.unit)
    for track in poses.sections(name, size * (np.arange(_PIECES) + 0.5)):
        yield Part(mesh, colour, track, name)


def _bars(poses: Poses, name: str) -> list[Mesh]:
    """Return the meshes of a body without shapes."""
    nodes = poses.nodes(name)
    centre = np.array(poses.bodies[name].centre_of_gravity)
    if len(nodes) < 2 and all(np.linalg.norm(centre - node) > 1e-9 for node in nodes):
        nodes.append(centre)
    if len(nodes) < 2:
        return [_as_heavy(poses.bodies[name], poses.unit)]
    radius = _BAR * poses.unit
    return [bar(nodes[i], nodes[j], radius) for i, j in shortest_connections(nodes)] + [
        sphere(1.3 * radius).moved(node, np.eye(3)) for node in nodes]


def _brackets(poses: Poses, name: str) -> Iterator[Mesh]:
    """Yield bars from points and joints of a body to its nearest shape, where none reaches them."""
    radius = _BRACKET * poses.unit
    for node in poses.nodes(name):
        inside = [nearest(solid, node) for solid in poses.bodies[name].shapes]
        gaps = [np.linalg.norm(node - surface) for _, surface in inside]
        if min(gaps) > radius:
            yield bar(inside[int(np.argmin(gaps))][0], node, radius)
            yield sphere(1.3 * radius).moved(node, np.eye(3))


def nearest(solid: Solid, position: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what of a solid is nearest to a position (3): of its middle line, of all of it (3)."""
    local = solid.axes.T @ (position - solid.centre)
    if solid.kind == 'box':
        half = 0.5 * np.array(solid.size)
        surface = np.clip(local, -half, half)
        middle = np.clip(local, *np.array([-1.0, 1.0])[:, None] * (half - half.min()))
    else:
        half = 0.0 if solid.kind == 'sphere' else 0.5 * solid.size[1]
        middle = np.array([0.0, 0.0, np.clip(local[2], -half, half)])
        offset = local - middle
        if half:
            offset[2] = 0.0
        surface = middle + offset * min(1.0, solid.size[0] / max(np.linalg.norm(offset), 1e-300))
    return solid.centre + solid.axes @ middle, solid.centre + solid.axes @ surface


def bar(first: FloatArray, second: FloatArray, radius: float) -> Mesh:
    """Return the mesh of a cylinder between two positions (3)."""
    line = second - first
    length = float(np.linalg.norm(line))
    z, x = line / length, across(line)
    return cylinder(radius, length).moved(0.5 * (first + second),
                                          np.column_stack([x, np.cross(z, x), z]))


def _as_heavy(body: SpatialBody, unit: float) -> Mesh:
    """Return the mesh of a box with the inertia of a body."""
    moments, axes = np.linalg.eigh(body.inertia)
    squares = 6.0 * (moments.sum() - 2.0 * moments) / max(body.mass, 1e-300)
    edges = np.maximum(np.sqrt(np.maximum(squares, 0.0)), _LEAST * unit)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    return box(*edges).moved(np.array(body.centre_of_gravity), axes)
