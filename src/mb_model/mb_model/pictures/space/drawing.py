"""A mechanism in space drawn into an image file."""

from pathlib import Path
from typing import IO, Any

from matplotlib.figure import Figure
import numpy as np
from numpy.typing import ArrayLike

from mb_model.pictures.parts.colours import shade
from mb_model.pictures.parts.labels import along, beside, placed
from mb_model.pictures.space.camera import Camera, best_camera
from mb_model.pictures.space.render import FINER, Renderer
from mb_model.pictures.space.scene import scene_of

_WIDTH, _HEIGHT, _DPI = 10.0, 7.0, 120      # of a picture [inch], pixels per inch
_ROOM = 0.94            # of it, that the mechanism fills
_PAPER = {'boxstyle': 'round,pad=0.15', 'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.75}
_GREY = '#666666'
_NAMED = 24             # bodies and joints, if joints are named


def draw_space(mechanism: Any, q: ArrayLike, file: str | Path | IO[bytes]) -> None:
    """Draw a mechanism at q (n), its bodies and joints named, into an image file."""
    scene = scene_of(mechanism, q)
    camera = best_camera(scene, _WIDTH / _HEIGHT, _ROOM)
    size = int(_WIDTH * _DPI), int(_HEIGHT * _DPI)
    renderer = Renderer(scene, camera, size)
    figure = Figure(figsize=(_WIDTH, _HEIGHT))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.imshow(renderer.frame(0), extent=(0.0, size[0], size[1], 0.0), interpolation='none')
    axes.set(xlim=(0.0, size[0]), ylim=(size[1], 0.0))
    figure.text(0.02, 0.975, mechanism.name, va='top', fontsize=14, weight='bold')
    figure.text(0.02, 0.02, f'grid {renderer.cell:g} m', fontsize=9, color=_GREY)
    _draw_axes(figure, camera)
    scale = 72.0 / _DPI         # of a point
    colours = {part.body: part.colour for part in scene.parts if part.body}
    anchors = {name: scale * renderer.pixels(position[0])[:2] / FINER
               for name, position in scene.names.items()}
    middles = {name: along([position]) if name in colours else beside(name, position)
               for name, position in anchors.items()
               if name in colours or len(anchors) <= _NAMED}
    for name, (x, y) in placed(middles).items():
        axes.text(x / scale, y / scale, name, ha='center', va='center',
                  fontsize=9 if name in colours else 7.5, bbox=_PAPER,
                  color=shade(colours[name]) if name in colours else _GREY)
    figure.savefig(file, dpi=_DPI)


def _draw_axes(figure: Figure, camera: Camera) -> None:
    """Draw the directions of x, y and z in a corner."""
    axes = figure.add_axes((0.9, 0.03, 0.09, 0.09 * _WIDTH / _HEIGHT), xlim=(-1.3, 1.3),
                           ylim=(-1.3, 1.3))
    axes.set_axis_off()
    for name, axis, colour in zip('xyz', camera.axes[:2].T, ('#bb3333', '#2a8a3a', '#3355bb'),
                                 strict=True):
        axes.annotate('', axis, (0.0, 0.0), arrowprops={
            'arrowstyle': '-|>', 'color': colour, 'shrinkA': 0, 'shrinkB': 0, 'linewidth': 1.4})
        length = max(float(np.linalg.norm(axis)), 0.2)
        axes.text(*(axis * (1.0 + 0.25 / length)), name, color=colour, ha='center', va='center',
                  fontsize=9)
