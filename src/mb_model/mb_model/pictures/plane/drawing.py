"""A mechanism in the plane drawn with matplotlib."""

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import point_positions
from mb_model.pictures.parts.colours import shade
from mb_model.pictures.parts.labels import along, beside, placed
from mb_model.pictures.plane.shapes import Shape, shapes_of

_MARGIN = 0.06      # around the mechanism, in its extent
_SMALLEST = 2.0     # side of a picture without its frame [inch]
_PAPER = {'boxstyle': 'round,pad=0.15', 'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.75}


class Drawing:
    """Shapes on axes of equal scales, in one of their frames; artists: from back to front."""

    def __init__(self, axes: Axes, shapes: Sequence[Shape]) -> None:
        """Put Shapes on matplotlib axes; `show` chooses the frame."""
        self._moving, self.artists = [], []
        outlines = [shape.vertices() for shape in shapes]
        for shape, outline in zip(shapes, outlines, strict=True):
            artist = _artist(shape, outline[0])
            axes.add_artist(artist)
            self.artists.append(artist)
            if len(outline) > 1:
                self._moving.append((artist, outline))
        low, high = extent(outlines)
        axes.set(aspect='equal', xlim=(low[0], high[0]), ylim=(low[1], high[1]))

    def show(self, frame: int) -> None:
        """Draw the frame of this number."""
        for artist, outline in self._moving:
            if isinstance(artist, Polygon):
                artist.set_xy(outline[frame])
            else:
                artist.set_data(*outline[frame].T)


def extent(outlines: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Return the corners (2), (2) of a box around outlines (k, v, 2), with a margin."""
    positions = np.concatenate([outline.reshape(-1, 2) for outline in outlines])
    low, high = np.nanmin(positions, axis=0), np.nanmax(positions, axis=0)
    margin = _MARGIN * (high - low).max()
    return low - margin, high + margin


def _artist(shape: Shape, vertices: FloatArray) -> Polygon | Line2D:
    if shape.fill:
        return Polygon(vertices, facecolor=shape.fill, edgecolor=shape.stroke,
                       linewidth=shape.width, joinstyle='round', zorder=2 + shape.layer)
    return Line2D(*vertices.T, color=shape.stroke, linewidth=shape.width, zorder=2 + shape.layer,
                  solid_capstyle='round', solid_joinstyle='round',
                  linestyle=(0, (4, 3)) if shape.dashed else '-')


def draw_plane(mechanism: Any, q: ArrayLike, file: str | Path | IO[bytes]) -> None:
    """Draw a mechanism at q (n), its bodies and points named, into an image file."""
    shapes = shapes_of(mechanism, q)
    low, high = extent([shape.vertices() for shape in shapes])
    scale = _scale(*(high - low))
    size = np.maximum(scale * (high - low) / 72.0, _SMALLEST) + 1.0
    figure = Figure(figsize=size, layout='constrained')
    axes = figure.add_subplot(title=mechanism.name, xlabel='x [m]', ylabel='y [m]')
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    Drawing(axes, shapes)
    strokes = {shape.name: shape.stroke for shape in shapes}
    points = {name: scale * position for name, position in zip(
        mechanism.points, point_positions(mechanism, q)[0], strict=True)}
    names = {name: beside(name, point) for name, point in points.items() if name in strokes}
    names = {name: along([points[point] for point in body.points])
             for name, body in mechanism.bodies.items()} | names
    for name, middle in placed(names, [points[name] for name in names if name in points]).items():
        axes.text(*np.array(middle) / scale, name, ha='center', va='center', fontsize=9, zorder=20,
                  color=shade(strokes[name]), bbox=_PAPER)
    figure.savefig(file, dpi=120)


def _scale(width: float, height: float) -> float:
    """Return how large a metre is drawn [points]."""
    widest = 9.0 if width < 5.0 * height else 15.0
    return 72.0 * min(widest / width, 6.5 / height)
