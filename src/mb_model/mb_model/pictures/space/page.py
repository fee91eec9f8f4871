"""What a page shows of a run of a mechanism in space.

Numbers of meshes are packed as text: 16 bits each, of vertices and normals as shares of `reach`
and 1, over 32767.
"""

from base64 import b64encode
from math import floor, log10

import numpy as np

from mb_model.pictures.parts.page import numbers, write_page
from mb_model.pictures.space.camera import TILT, azimuth_for, camera_for

_LARGEST = 32767    # number of 16 bits
_MOST = 65535       # corners that 16 bits count
_PRECISION = 4      # digits of places, against the extent of the picture


def write_space_page(scene, file):
    """Write a Scene as an HTML page that turns and zooms it."""
    size = float(np.ptp(scene.corners, axis=0).max())
    digits = _PRECISION - floor(log10(size))
    azimuth = azimuth_for(scene)
    camera = camera_for(scene, azimuth, 1.0, 1.0)
    tracks, parts = {}, []
    for part in scene.parts:
        track = tracks.setdefault(id(part.track), (len(tracks), part.track))[0]
        parts.append({'track': track, 'colour': part.colour, 'name': part.body,
                      **packed(part.mesh)})
    write_page(scene.clip, 'space.js', {
        'parts': parts, 'tracks': [_poses(track, digits) for _, track in tracks.values()],
        'traces': [{'name': name, 'colour': colour, 'path': numbers(path, digits)}
                   for name, (path, colour) in scene.traces.items()],
        'up': numbers(scene.up, 9), 'floor': round(scene.floor, digits + 1),
        'corners': numbers(scene.corners, digits), 'target': numbers(camera.target, digits),
        'size': size, 'azimuth': round(float(azimuth), 4), 'tilt': round(float(TILT), 4)}, file)


def packed(mesh):
    """Return a Mesh with texts instead of arrays; raises ValueError if it is too large."""
    if len(mesh.vertices) > _MOST:
        raise ValueError(f'a body with shapes of {len(mesh.vertices)} corners is too much for a '
                         f'page, {_MOST} are the most')
    reach = float(np.abs(mesh.vertices).max())
    return {'reach': reach,
            'vertices': _text(np.rint(_LARGEST / reach * mesh.vertices), np.int16),
            'normals': _text(np.rint(_LARGEST * mesh.normals), np.int16),
            'triangles': _text(mesh.triangles, np.uint16),
            'edges': _text(mesh.edges, np.uint16)}


def _text(values, dtype):
    return b64encode(values.ravel().astype(np.dtype(dtype).newbyteorder('<')).tobytes()).decode()


def _poses(track, digits):
    """Return origins, x axes and z axes of a track, as rows of nine numbers.

    Its y axis is as long as its x axis, and perpendicular to both.
    """
    axes = [numbers(track.axes[:, :, k], 5) for k in (0, 2)]
    return [place + x + z for place, x, z in zip(numbers(track.origin, digits + 1), *axes,
                                                 strict=True)]
