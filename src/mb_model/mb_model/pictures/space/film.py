"""A run of a mechanism in space as frames of a film, and as a page that turns and zooms it.

Numbers of meshes are packed as text: 16 bits each, of vertices and normals as shares of `reach`
and 1, over 32767.
"""

from base64 import b64encode
from pathlib import Path
from typing import Any

from matplotlib.font_manager import FontProperties, findfont
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mb_model.pictures.parts.films import Draw
from mb_model.pictures.parts.page import digits_of, numbers, write_page
from mb_model.pictures.space.camera import TILT, azimuth_for, best_camera, camera_for
from mb_model.pictures.space.mesh import Mesh
from mb_model.pictures.space.part import Track
from mb_model.pictures.space.render import Renderer
from mb_model.pictures.space.scene import Scene

_WIDTH, _HEIGHT = 8.0, 6.0      # of a picture [inch]
_ROOM = 0.9                     # of it, that the mechanism fills
_INK, _GREY = (34, 34, 34), (102, 102, 102)
_LARGEST = 32767                # number of 16 bits
_MOST = 65535                   # corners that 16 bits count


def draw_of(scene: Scene, dpi: int) -> Draw:
    """Return the function that draws a frame of the Scene of a Clip, see parts.films."""
    size = int(_WIDTH * dpi), int(_HEIGHT * dpi)
    renderer = Renderer(scene, best_camera(scene, _WIDTH / _HEIGHT, _ROOM), size)
    fonts = [ImageFont.truetype(findfont(FontProperties(**font)), round(10.0 / 72.0 * dpi))
             for font in ({'weight': 'bold'}, {'family': 'monospace'}, {})]
    clip, edge = scene.clip, round(0.2 * dpi)

    def draw(k: int) -> Any:
        picture = Image.fromarray(renderer.frame(k))
        pen = ImageDraw.Draw(picture)
        pen.text((edge, edge), clip.title, _INK, fonts[0])
        pen.text((size[0] - edge, edge), f't = {clip.t[k]:.{clip.time_digits}f} s', _INK, fonts[1],
                 anchor='ra')
        pen.text((edge, size[1] - edge), f'grid {renderer.cell:g} m', _GREY, fonts[2], anchor='ld')
        return np.array(picture)

    return draw


def write_space_page(scene: Scene, file: str | Path) -> None:
    """Write a Scene as an HTML page that turns and zooms it."""
    size = float(np.ptp(scene.corners, axis=0).max())
    digits = digits_of(size)
    azimuth = azimuth_for(scene)
    camera = camera_for(scene, azimuth, 1.0, 1.0)
    tracks, parts = {}, []
    for part in scene.parts:
        track = tracks.setdefault(id(part.track), (len(tracks), part.track))[0]
        parts.append({'track': track, 'colour': part.colour, 'name': part.body,
                      **packed(part.mesh)})
    write_page(scene.clip, 'space.js', {
        'parts': parts, 'tracks': [_poses(track, digits) for _, track in tracks.values()],
        'up': numbers(scene.up, 9), 'floor': round(scene.floor, digits + 1),
        'corners': numbers(scene.corners, digits), 'target': numbers(camera.target, digits),
        'size': size, 'azimuth': round(float(azimuth), 4), 'tilt': round(float(TILT), 4)},
        scene.traces, digits, file)


def packed(mesh: Mesh) -> dict[str, Any]:
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


def _text(values: NDArray[Any], dtype: type) -> str:
    return b64encode(values.ravel().astype(np.dtype(dtype).newbyteorder('<')).tobytes()).decode()


def _poses(track: Track, digits: int) -> list[list[float]]:
    """Return origins, x axes and z axes of a track, as rows of nine numbers.

    Its y axis is as long as its x axis, and perpendicular to both.
    """
    axes = [numbers(track.axes[:, :, k], 5) for k in (0, 2)]
    return [origin + x + z for origin, x, z in zip(numbers(track.origin, digits + 1), *axes,
                                                 strict=True)]
