"""Frames of a mechanism in space as pictures of a film."""

from matplotlib.font_manager import FontProperties, findfont
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mb_model.pictures.space.camera import best_camera
from mb_model.pictures.space.render import Renderer

_WIDTH, _HEIGHT = 8.0, 6.0      # of a picture [inch]
_ROOM = 0.9                     # of it, that the mechanism fills
_INK, _GREY = (34, 34, 34), (102, 102, 102)


def draw_of(scene, dpi):
    """Return the function that draws a frame of the Scene of a Clip, see parts.films."""
    size = int(_WIDTH * dpi), int(_HEIGHT * dpi)
    renderer = Renderer(scene, best_camera(scene, _WIDTH / _HEIGHT, _ROOM), size)
    fonts = [ImageFont.truetype(findfont(FontProperties(**font)), round(10.0 / 72.0 * dpi))
             for font in ({'weight': 'bold'}, {'family': 'monospace'}, {})]
    clip, edge = scene.clip, round(0.2 * dpi)

    def draw(k):
        picture = Image.fromarray(renderer.frame(k))
        pen = ImageDraw.Draw(picture)
        pen.text((edge, edge), clip.title, _INK, fonts[0])
        pen.text((size[0] - edge, edge), f't = {clip.t[k]:.{clip.time_digits}f} s', _INK, fonts[1],
                 anchor='ra')
        pen.text((edge, size[1] - edge), f'grid {renderer.cell:g} m', _GREY, fonts[2], anchor='ld')
        return np.array(picture)

    return draw
