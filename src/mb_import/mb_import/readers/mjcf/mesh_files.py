"""Meshes of an MJCF file: needed where the inertia of a body follows from them."""

from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

import mujoco

_GEOM = mujoco.mjtGeom
_INERTIA = mujoco.mjtInertiaFromGeom
_LARGEST = 100_000_000       # bytes
_SPECK = 1e-4                # radius of the sphere without mass that stands for a mesh [m]


@dataclass
class Meshes:
    """Geoms of meshes after their replacement.

    shown: name of a geom -> file or name of its mesh; scales: of it along x, y, z; missing: name of
    a body -> meshes that its inertia follows from and that are not there; all have names, see
    settle_names.
    """

    shown: dict[str, str] = field(default_factory=dict)
    scales: dict[str, list[float]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)


def settle_names(spec: mujoco.MjSpec) -> None:
    """Give bodies and geoms without a name one that no other has: `#` and a number."""
    for kind in (spec.bodies[1:], spec.geoms):
        for k, one in enumerate(kind):
            one.name = one.name or f'#{k}'


def settle_meshes(spec: mujoco.MjSpec, folder: Path) -> Meshes:
    """Read the meshes that inertias follow from, put spheres without mass in place of the others.

    folder: of the file; nothing is read outside.  A body whose inertia cannot be known gets another
    one in the spec, see Meshes.missing.
    """
    given = {mesh.name: mesh for mesh in spec.meshes}
    files: dict[str, bytes] = {}
    kept: set[str] = set()
    meshes = Meshes()
    for body in spec.bodies:
        for geom in body.geoms:
            if geom.type not in (_GEOM.mjGEOM_MESH, _GEOM.mjGEOM_SDF, _GEOM.mjGEOM_HFIELD) \
                    and not geom.meshname:
                continue
            mesh = given.get(geom.meshname)
            meshes.shown[geom.name] = (_file(spec, mesh) or mesh.name) if mesh else 'hfield'
            meshes.scales[geom.name] = [*map(float, mesh.scale)] if mesh else [1.0, 1.0, 1.0]
            if _weighs(spec, body, geom):
                if mesh is not None and _read(spec, mesh, folder, files):
                    kept.add(mesh.name)
                    continue
                meshes.missing.setdefault(body.name, []).append(meshes.shown[geom.name])
            geom.type, geom.meshname, geom.hfieldname = _GEOM.mjGEOM_SPHERE, '', ''
            geom.size, geom.mass, geom.fitscale = [_SPECK, 0.0, 0.0], 0.0, 1.0
    for name in meshes.missing:
        body = spec.body(name)
        body.explicitinertial, body.mass = True, 1.0
        body.inertia, body.ipos = [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]
        if spec.compiler.inertiafromgeom == _INERTIA.mjINERTIAFROMGEOM_TRUE:
            for geom in body.geoms:
                geom.mass = 1.0
    for name, mesh in given.items():
        if name not in kept:
            spec.delete(mesh)
    spec.assets = files
    return meshes


def _weighs(spec: mujoco.MjSpec, body: Any, geom: Any) -> bool:
    """Whether the inertia of a body follows from a geom."""
    law = spec.compiler.inertiafromgeom
    first, last = spec.compiler.inertiagrouprange
    heavy = geom.mass != 0.0 if not isnan(geom.mass) else geom.density != 0.0
    return bool(heavy and first <= geom.group <= last and body.name != 'world' and (
        law == _INERTIA.mjINERTIAFROMGEOM_TRUE
        or (law == _INERTIA.mjINERTIAFROMGEOM_AUTO and not body.explicitinertial)))


def _read(spec: mujoco.MjSpec, mesh: Any, folder: Path, files: dict[str, bytes]) -> bool:
    """Whether a mesh is known: its file is in the folder, and read."""
    if not mesh.file:
        return True
    name = _file(spec, mesh)
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file() \
            or path.stat().st_size > _LARGEST:
        return False
    files[name] = path.read_bytes()
    return True


def _file(spec: mujoco.MjSpec, mesh: Any) -> str:
    """Return the file of a mesh as seen from the folder of the description, '' without."""
    if not mesh.file:
        return ''
    return str(Path(spec.meshdir) / (Path(mesh.file).name if spec.strippath else mesh.file))
