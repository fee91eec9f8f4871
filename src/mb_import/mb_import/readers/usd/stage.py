"""Opening a USD stage: units, the axis that points up, and files that may be read."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
import re
from typing import Any

import numpy as np

from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_model import MechanismError
from mb_model.arrays import FloatArray
from mb_model.space_api import Pose

_MOST = 500                  # layers
_LARGEST = 500_000_000       # bytes of a file


def pxr(module: str) -> Any:
    """Return a module of usd-core, such as Usd; raises MechanismError without it."""
    try:
        return import_module(f'pxr.{module}')
    except ImportError:
        raise MechanismError('USD files need usd-core, which is not installed: '
                             'pip install usd-core') from None


@dataclass(frozen=True)
class Stage:
    """A stage in SI units: `world` is the pose of its frame in ours, whose z points up.

    metre, kilogram: one unit of the stage in each.
    """

    usd: Any
    metre: float
    kilogram: float
    up: FloatArray                # (3), in the stage's frame
    notes: Notes
    transforms: Any               # UsdGeom.XformCache

    def matrix(self, prim: Any) -> FloatArray:
        """Return the matrix (4, 4) from a prim's coordinates to ours [m], with its scales."""
        world = self.transforms.GetLocalToWorldTransform(prim)
        xformable = pxr('UsdGeom').Xformable
        if not prim.IsA(xformable) and prim.HasAttribute('xformOpOrder'):   # of an unknown type
            world = xformable(prim).GetLocalTransformation() * world
        rows = np.array(world, float).T
        if not np.isfinite(rows).all():
            raise self.notes.error(str(prim.GetPath()), 'its transform is not finite')
        whole = np.eye(4)
        whole[:3] = self.metre * rows[:3]
        turned = np.eye(4)
        turned[:3, :3] = self.turn
        return turned @ whole

    @property
    def turn(self) -> FloatArray:
        """The matrix (3, 3) from the stage's axes to ours: up becomes z."""
        if self.up[2]:
            return np.eye(3)
        return np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])

    def pose(self, prim: Any) -> tuple[Pose, FloatArray]:
        """Return the pose of a prim [m], and its scales (3), m to one of its coordinates.

        Raises MechanismError for a sheared or flat one.
        """
        whole = self.matrix(prim)
        scales = np.linalg.norm(whole[:3, :3], axis=0)
        if not scales.min() > 0.0:
            raise self.notes.error(str(prim.GetPath()), 'has a scale of 0')
        turn = whole[:3, :3] / scales
        if np.linalg.det(turn) < 0.0:                 # a mirror
            turn, scales = turn * [1.0, 1.0, -1.0], scales * [1.0, 1.0, -1.0]
        if np.abs(turn.T @ turn - np.eye(3)).max() > 1e-4:
            raise self.notes.error(str(prim.GetPath()), 'is sheared: a rigid body is not')
        left, _, right = np.linalg.svd(turn)          # the nearest rotation
        return Pose(whole[:3, 3], left @ right), scales


def open_stage(path: Path, options: ImportOptions, notes: Notes) -> Stage:
    """Return the Stage of a file; raises MechanismError.

    What it refers to elsewhere than beside it, or in packages of the user, is left out.
    """
    usd, geom, physics = pxr('Usd'), pxr('UsdGeom'), pxr('UsdPhysics')
    _check_file(path)
    homes = [home.resolve() for home in (path.parent, *map(Path, options.packages.values()))]
    root = _layer(path.resolve(), notes)
    _keep_inside(root, homes, notes)
    opened = usd.Stage.Open(root)
    if not geom.StageHasAuthoredMetersPerUnit(opened):
        notes.guessed('stage', 'has no metersPerUnit, taken as 0.01, the default of USD')
    metre, kilogram = geom.GetStageMetersPerUnit(opened), physics.GetStageKilogramsPerUnit(opened)
    for name, value in (('metersPerUnit', metre), ('kilogramsPerUnit', kilogram)):
        if not 1e-9 < value < 1e9:
            raise notes.error('stage', f'{name} {value:g} must be > 0')
    up = 'YZ'.find(str(geom.GetStageUpAxis(opened)))
    return Stage(opened, metre, kilogram, np.eye(3)[1 + max(up, 0)], notes,
                 geom.XformCache(usd.TimeCode.Default()))


def _check_file(path: Path) -> None:
    if not path.exists():
        raise MechanismError(f'{path}: no such file')
    if not path.is_file():
        raise MechanismError(f'{path}: no ordinary file')
    if path.stat().st_size > _LARGEST:
        raise MechanismError(f'{path}: longer than {_LARGEST} bytes')


def _layer(path: Path, notes: Notes) -> Any:
    """Return the layer of a file; raises MechanismError."""
    layer = pxr('Sdf').Layer.FindOrOpen(str(path))
    if layer is None:
        raise notes.error(path.name, 'is no USD file')
    layer.Reload(True)
    return layer


@contextmanager
def words_of_usd(file: str) -> Iterator[None]:
    """Make MechanismErrors of what USD raises, with the message alone."""
    try:
        yield
    except pxr('Tf').ErrorException as error:
        said = re.findall(r"in file \S+ : '(.*?)'(?=\n|$)", str(error), re.DOTALL)
        words = ' '.join((said or [str(error)])[0].split())
        raise MechanismError(f'{file}: is no USD that can be read: {words[:300]}') from None


def _keep_inside(root: Any, homes: Iterable[Path], notes: Notes) -> None:
    """Take references to files out that are elsewhere, of a layer and of all that it refers to."""
    waiting, seen = [root], {root.identifier}
    while waiting:
        layer = waiting.pop()
        for named in layer.GetCompositionAssetDependencies():
            path = _path(layer, named)
            if path is None or not path.is_file() or len(seen) > _MOST or not any(
                    path.is_relative_to(home) for home in homes):
                notes.left_out(f'asset {named[:80]}', 'is neither beside the file nor in a package '
                                                      'of import.packages')
                layer.UpdateCompositionAssetDependency(named, '')
            elif str(path) not in seen:
                seen.add(str(path))
                waiting.append(_layer(path, notes))


def _path(layer: Any, named: str) -> Path | None:
    """Return the file that a layer names, None if no file can have the name."""
    try:
        if '://' in named or '\0' in named:
            return None
        return Path(layer.ComputeAbsolutePath(named)).resolve()
    except (OSError, ValueError, RuntimeError):
        return None
