"""Geoms of an MJCF file as shapes of links."""

from mb_import.machine import Shape
from mb_import.notes import Notes
from mb_import.readers.mjcf.poses import pose_of
from mb_import.readers.mjcf.records import Compiled, GeomRecord


def shapes_of(compiled: Compiled, notes: Notes) -> dict[int, tuple[Shape, ...]]:
    """Return the shapes of bodies by index."""
    shapes: dict[int, tuple[Shape, ...]] = {}
    for k, geom in enumerate(compiled.geoms):
        if (size := _size(geom)) is None:
            notes.left_out(f'geom {geom.name or k}', f'a {geom.kind} is not seen here')
            continue
        shapes[geom.body] = (*shapes.get(geom.body, ()), Shape(
            geom.kind, size, pose_of(geom.pos, geom.quat), geom.mesh))
    if sum(geom.touches for geom in compiled.geoms) > 1:
        notes.changed('geoms', 'bodies do not touch each other: geoms are what is seen')
    return shapes


def _size(geom: GeomRecord) -> tuple[float, ...] | None:
    """Return the size as Shape has it; MuJoCo's are halves."""
    first, second, third = (2.0 * value for value in geom.size)
    sizes = {'box': (first, second, third), 'sphere': (geom.size[0],),
             'cylinder': (geom.size[0], second), 'capsule': (geom.size[0], second),
             'mesh': tuple(geom.size)}
    return sizes.get(geom.kind)
