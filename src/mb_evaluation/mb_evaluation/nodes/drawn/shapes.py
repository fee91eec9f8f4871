"""Markers as Rerun's shapes: all of a namespace and a kind as one."""

from collections.abc import Iterable, Iterator
from itertools import groupby
import re
from typing import Any

import numpy as np
from visualization_msgs.msg import Marker

from mb_evaluation.live.server import rerun


def shapes(markers: Iterable[Marker]) -> Iterator[tuple[str, Any]]:
    """Yield (entity, shape) of Markers; entity: the namespace and the kind, as a path.

    Raises ValueError for a kind of marker that is not known.
    """
    def kind(marker):
        return marker.ns, SHAPES.get(marker.type)

    for (namespace, shape), group in groupby(sorted(markers, key=lambda one: (one.ns, one.type)),
                                             kind):
        if shape is None:
            raise ValueError(f'{namespace}: a marker of an unknown kind')
        name = re.sub(r'[^a-z]+', '_', namespace.lower())
        yield f'{name}/{shape.__name__.strip("_")}', shape(list(group))


def _boxes(markers: list[Marker]):
    return rerun().Boxes3D(half_sizes=0.5 * _scales(markers), fill_mode='solid', **_poses(markers))


def _cylinders(markers: list[Marker]):
    scales = _scales(markers)
    return rerun().Cylinders3D(lengths=scales[:, 2], radii=0.5 * scales[:, 0], fill_mode='solid',
                               **_poses(markers))


def _spheres(markers: list[Marker]):
    """Balls, ellipsoids where single ones are not round."""
    scales = _scales([one for one in markers if not one.points])
    if (scales != scales[:, :1]).any():
        return rerun().Ellipsoids3D(half_sizes=0.5 * scales, fill_mode='solid', **_poses(markers))
    positions = np.concatenate([_points(one) if one.points else _position(one)[None]
                                for one in markers])
    radii = [0.5 * one.scale.x for one in markers for _ in one.points or (None,)]
    colours = [_colour(one) for one in markers for _ in one.points or (None,)]
    return rerun().Points3D(positions, radii=radii, colors=colours)


def _arrows(markers: list[Marker]):
    ends = np.array([_points(one) for one in markers])
    return rerun().Arrows3D(origins=ends[:, 0], vectors=ends[:, 1] - ends[:, 0],
                            radii=[one.scale.x for one in markers], colors=_colours(markers))


def _lines(markers: list[Marker]):
    return rerun().LineStrips3D([_points(one) for one in markers],
                                radii=[0.5 * one.scale.x for one in markers],
                                colors=_colours(markers))


def _triangles(markers: list[Marker]):
    """Triangles in the colour of the first marker: only one colour can be translucent."""
    corners = np.concatenate([_turned(one, _points(one)) for one in markers])
    return rerun().Mesh3D(vertex_positions=corners, albedo_factor=_colour(markers[0]),
                          triangle_indices=np.arange(len(corners)).reshape(-1, 3))


def _texts(markers: list[Marker]):
    return rerun().Points3D([_position(one) for one in markers], radii=0.0,
                            labels=[one.text for one in markers], colors=_colours(markers),
                            show_labels=True)


SHAPES = {Marker.ARROW: _arrows, Marker.CUBE: _boxes, Marker.SPHERE: _spheres,
          Marker.SPHERE_LIST: _spheres, Marker.CYLINDER: _cylinders, Marker.LINE_STRIP: _lines,
          Marker.TRIANGLE_LIST: _triangles, Marker.TEXT_VIEW_FACING: _texts}


def _poses(markers: list[Marker]):
    return {'centers': [_position(one) for one in markers], 'quaternions': [
        _turn(one) for one in markers], 'colors': _colours(markers)}


def _position(marker: Marker) -> np.ndarray:
    position = marker.pose.position
    return np.array([position.x, position.y, position.z])


def _turn(marker: Marker) -> tuple[float, float, float, float]:
    turn = marker.pose.orientation
    return turn.x, turn.y, turn.z, turn.w


def _turned(marker: Marker, points: np.ndarray) -> np.ndarray:
    """Return points (k, 3) of a marker's frame in its header's frame."""
    *axis, w = _turn(marker)
    once = np.cross(axis, points)
    return _position(marker) + points + 2.0 * np.cross(axis, once + w * points)


def _points(marker: Marker) -> np.ndarray:
    return np.array([(one.x, one.y, one.z) for one in marker.points])


def _scales(markers: list[Marker]) -> np.ndarray:
    return np.array([(one.scale.x, one.scale.y, one.scale.z) for one in markers]).reshape(-1, 3)


def _colour(marker: Marker) -> list[int]:
    colour = marker.color
    return [round(255.0 * part) for part in (colour.r, colour.g, colour.b, colour.a)]


def _colours(markers: list[Marker]) -> list[list[int]]:
    return [_colour(one) for one in markers]
