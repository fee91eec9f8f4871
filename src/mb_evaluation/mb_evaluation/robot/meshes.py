"""What the description of a machine shows by meshes: which file, on which body, how placed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mb_import import Shape, lumps_of, mesh_file, read_machine, read_options
from mb_model import Mechanism, MechanismError
from mb_model.file_api import description_of
from mb_model.space_api import Pose

SHOWN = '.stl', '.obj', '.glb'      # that the view in a browser draws
_LARGEST = 100_000_000              # bytes of a file


@dataclass(frozen=True)
class BodyMesh:
    """A mesh on a body ('': what stands still); pose: in the body's frame; scale: along x, y, z.

    name: as the description calls the file; problem: why it is not shown, '' if it is.
    """

    name: str
    body: str
    pose: Pose
    scale: tuple[float, ...]
    file: Path | None = None
    problem: str = ''


def meshes_of(mechanism: Mechanism, name_or_path: str) -> list[BodyMesh]:
    """Return the meshes of the description that a mechanism is made from; of others none.

    Files are looked for beside the description and in packages alone.  Bodies that a file which
    extends the description took away have none.
    """
    described = description_of(name_or_path)
    if described is None:
        return []
    path, section = described
    try:
        options = read_options(section, path.name)
        machine, _ = read_machine(path, options)
    except MechanismError:      # a file put over it has repaired what is wrong in it
        return []
    bodies = mechanism.raw['origin']['names']['links']
    lumps, meshes = lumps_of(machine), list[BodyMesh]()
    for link, root in lumps.of_link.items():
        body = bodies.get(root, '')
        if link in machine.links and (not body or body in mechanism.bodies):
            home = lumps.by_root[root].links[link]
            meshes += [_mesh(shape, body, home.then(shape.pose), path, options.packages)
                       for shape in machine.links[link].shapes if shape.kind == 'mesh']
    return meshes


def _mesh(shape: Shape, body: str, pose: Pose, path: Path,
          packages: Mapping[str, str]) -> BodyMesh:
    file, problem = mesh_file(shape.mesh, path, packages), ''
    if file is None:
        problem = 'no file beside the description or in its packages'
    elif file.suffix.lower() not in SHOWN:
        problem = f'the view draws {", ".join(SHOWN)} alone'
    elif file.stat().st_size > _LARGEST:
        problem = f'longer than {_LARGEST} bytes'
    return BodyMesh(shape.mesh, body, pose, shape.size or (1.0, 1.0, 1.0), file, problem)
