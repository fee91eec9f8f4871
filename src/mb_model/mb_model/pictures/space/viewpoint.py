"""From where a scene is seen best."""

import numpy as np

from mb_model.pictures.space.camera import camera_for, pixels
from mb_model.pictures.space.raster import blank, fill
from mb_model.pictures.space.scene import vertices

_AZIMUTHS = np.radians([-58.0, 32.0, -32.0, 58.0, 122.0, -122.0, 148.0, -148.0])
_HEIGHT = 90            # of pictures that are compared [pixels]
_BETTER = 1.08          # a later one is taken if it is so much better


def best_camera(scene, aspect, room):
    """Return the Camera that sees a whole scene best; aspect, room: as of camera_for."""
    return camera_for(scene, azimuth_for(scene, aspect), aspect, room)


def azimuth_for(scene, aspect=1.5):
    """Return from where around bodies hide each other least [rad], along y and x first.

    Judged by the sum of the square roots of what is seen of each body in the first frame.
    """
    best, most = 0.0, -1.0
    for azimuth in _AZIMUTHS:
        seen = _seen(scene, camera_for(scene, azimuth, aspect, 1.0), aspect)
        if seen > _BETTER * most:
            best, most = float(azimuth), seen
    return best


def _seen(scene, camera, aspect):
    width = int(aspect * _HEIGHT)
    image, depth, owner = blank(_HEIGHT, width)
    for number, part in enumerate(scene.parts):
        places, _ = vertices(part, 0)
        corners = pixels(camera, places, width, _HEIGHT)[part.mesh.triangles]
        fill(corners, np.zeros_like(corners), number, image, depth, owner)
    numbers = [number for number, part in enumerate(scene.parts) if part.body]
    return sum(np.sqrt(np.count_nonzero(owner == number)) for number in numbers)
