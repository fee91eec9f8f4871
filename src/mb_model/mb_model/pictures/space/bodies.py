"""Bodies in pictures in space: their shapes; one without is bars between its points and joints."""

from itertools import cycle

import numpy as np

from mb_model.pictures.parts.colours import COLOURS
from mb_model.pictures.space.mesh import box, cylinder, joined, mesh_of, sphere
from mb_model.pictures.space.part import Part
from mb_model.space.rotation import across
from mb_model.space.spanning_tree import shortest_connections

_PIECES = 16        # of a bar that bends
_BAR = 0.9          # radius of a bar, in symbols
_BRACKET = 0.7      # radius of a bar to a joint or point that no shape reaches
_LEAST = 1.2        # edge of a box that stands for a mass, in symbols


def body_parts(places):
    """Yield the Parts of all bodies, each in a colour of its own."""
    for (name, body), colour in zip(places.bodies.items(), cycle(COLOURS)):
        if body.beam is not None:
            yield from _bent(places, name, colour)
            continue
        meshes = ([*map(mesh_of, body.shapes), *_brackets(places, name)] if body.shapes
                  else _bars(places, name))
        yield Part(joined(meshes), colour, places.tracks[name], name)


def _bent(places, name, colour):
    """Yield the Parts of a body that bends: pieces of a bar along its bent axis."""
    size = places.bodies[name].beam.shape.length / _PIECES
    mesh = bar(np.array([-0.5 * size, 0.0, 0.0]), np.array([0.5 * size, 0.0, 0.0]),
               _BAR * places.unit)
    for track in places.sections(name, size * (np.arange(_PIECES) + 0.5)):
        yield Part(mesh, colour, track, name)


def _bars(places, name):
    """Return the meshes of a body without shapes."""
    nodes = places.nodes(name)
    centre = np.array(places.bodies[name].centre_of_gravity)
    if len(nodes) < 2 and all(np.linalg.norm(centre - node) > 1e-9 for node in nodes):
        nodes.append(centre)
    if len(nodes) < 2:
        return [_as_heavy(places.bodies[name], places.unit)]
    radius = _BAR * places.unit
    return [bar(nodes[i], nodes[j], radius) for i, j in shortest_connections(nodes)] + [
        sphere(1.3 * radius).moved(node, np.eye(3)) for node in nodes]


def _brackets(places, name):
    """Yield bars from points and joints of a body to its nearest shape, where none reaches them."""
    radius = _BRACKET * places.unit
    for node in places.nodes(name):
        inside = [nearest(solid, node) for solid in places.bodies[name].shapes]
        gaps = [np.linalg.norm(node - surface) for _, surface in inside]
        if min(gaps) > radius:
            yield bar(inside[int(np.argmin(gaps))][0], node, radius)
            yield sphere(1.3 * radius).moved(node, np.eye(3))


def nearest(solid, place):
    """Return what of a solid is next to a place (3): of its middle line, and of all of it (3)."""
    local = solid.axes.T @ (place - solid.centre)
    if solid.kind == 'box':
        half = 0.5 * np.array(solid.size)
        surface = np.clip(local, -half, half)
        middle = np.clip(local, *np.array([-1.0, 1.0])[:, None] * (half - half.min()))
    else:
        half = 0.0 if solid.kind == 'sphere' else 0.5 * solid.size[1]
        middle = np.array([0.0, 0.0, np.clip(local[2], -half, half)])
        way = local - middle
        if half:
            way[2] = 0.0
        surface = middle + way * min(1.0, solid.size[0] / max(np.linalg.norm(way), 1e-300))
    return solid.centre + solid.axes @ middle, solid.centre + solid.axes @ surface


def bar(first, second, radius):
    """Return the mesh of a cylinder between two places (3)."""
    way = second - first
    length = float(np.linalg.norm(way))
    z, x = way / length, across(way)
    return cylinder(radius, length).moved(0.5 * (first + second),
                                          np.column_stack([x, np.cross(z, x), z]))


def _as_heavy(body, unit):
    """Return the mesh of a box with the inertia of a body."""
    moments, axes = np.linalg.eigh(body.inertia)
    squares = 6.0 * (moments.sum() - 2.0 * moments) / max(body.mass, 1e-300)
    edges = np.maximum(np.sqrt(np.maximum(squares, 0.0)), _LEAST * unit)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    return box(*edges).moved(np.array(body.centre_of_gravity), axes)
