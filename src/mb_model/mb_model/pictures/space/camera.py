"""The camera of pictures in space, and from where most is seen."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.pictures.space.raster import blank, fill
from mb_model.pictures.space.scene import Scene, vertices
from mb_model.space.rotation import across

TILT = np.radians(24.0)             # how far from above it looks
VIEW = np.tan(np.radians(14.0))     # half of what it sees, across, at distance 1


@dataclass(frozen=True)
class Camera:
    """Axes as rows: right, up, towards the viewer (3, 3); target (3) [m]; distance of it [m]."""

    axes: FloatArray
    target: FloatArray
    distance: float

    def seen(self, positions: FloatArray) -> FloatArray:
        """Return x, y in picture heights from the middle, and depth, larger if nearer (..., 3)."""
        x, y, near = np.moveaxis((positions - self.target) @ self.axes.T, -1, 0)
        away = self.distance - near
        return np.stack([x / away, y / away, 1.0 / away], axis=-1)


def axes_from(up: FloatArray, azimuth: float, tilt: float) -> FloatArray:
    """Return the axes of a camera as rows (3, 3)."""
    first = across(up) if abs(up[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    first = first - up * (up @ first)
    first /= np.linalg.norm(first)
    second = np.cross(up, first)
    level = np.cos(azimuth) * first + np.sin(azimuth) * second
    towards = np.cos(tilt) * level + np.sin(tilt) * up
    right = np.cross(up, level)
    return np.stack([right, np.cross(towards, right), towards])


def camera_for(scene: Scene, azimuth: float, aspect: float, room: float) -> Camera:
    """Return the Camera that sees a whole scene.

    azimuth: from where around [rad]; aspect: width of a picture over its height; room: share of
    it that the scene fills.
    """
    axes = axes_from(scene.up, azimuth, TILT)
    corners = scene.corners
    target = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    reach = room * VIEW * np.array([aspect, 1.0])
    for _ in range(8):
        x, y, near = ((corners - target) @ axes.T).T
        distance = float(max((np.abs(x) / reach[0] + near).max(), (np.abs(y) / reach[1] + near
                                                                   ).max()))
        camera = Camera(axes, target, distance)
        seen = camera.seen(corners)[:, :2]
        middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0)) * distance
        target = target + middle @ axes[:2]
    return camera


def pixels(camera: Camera, positions: FloatArray, width: float, height: float) -> FloatArray:
    """Return x, y [pixels] and depth of positions (..., 3) in a picture of this size."""
    seen = camera.seen(positions)
    scale = 0.5 * height / VIEW
    seen[..., 0] = 0.5 * width + scale * seen[..., 0]
    seen[..., 1] = 0.5 * height - scale * seen[..., 1]
    return seen


_AZIMUTHS = np.radians([-58.0, 32.0, -32.0, 58.0, 122.0, -122.0, 148.0, -148.0])
_HEIGHT = 90            # of pictures that are compared [pixels]
_BETTER = 1.08          # a later one is taken if it is so much better


def best_camera(scene: Scene, aspect: float, room: float) -> Camera:
    """Return the Camera that sees a whole scene best; aspect, room: as of camera_for."""
    return camera_for(scene, azimuth_for(scene, aspect), aspect, room)


def azimuth_for(scene: Scene, aspect: float = 1.5) -> float:
    """Return from where around bodies hide each other least [rad], along y and x first.

    Judged by the sum of the square roots of what is seen of each body in the first frame.
    """
    best, most = 0.0, -1.0
    for azimuth in _AZIMUTHS:
        seen = _seen(scene, camera_for(scene, azimuth, aspect, 1.0), aspect)
        if seen > _BETTER * most:
            best, most = float(azimuth), seen
    return best


def _seen(scene: Scene, camera: Camera, aspect: float) -> float:
    width = int(aspect * _HEIGHT)
    image, depth, owner = blank(_HEIGHT, width)
    for number, part in enumerate(scene.parts):
        positions, _ = vertices(part, 0)
        corners = pixels(camera, positions, width, _HEIGHT)[part.mesh.triangles]
        fill(corners, np.zeros_like(corners), number, image, depth, owner)
    numbers = [number for number, part in enumerate(scene.parts) if part.body]
    return sum(np.sqrt(np.count_nonzero(owner == number)) for number in numbers)
