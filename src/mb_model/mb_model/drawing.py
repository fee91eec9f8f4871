"""A mechanism drawn with matplotlib."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
import numpy as np

from mb_model.places import point_places
from mb_model.shapes import shapes_of

_MARGIN = 0.06      # around the mechanism, in its extent


class Drawing:
    """Shapes on axes of equal scales, in one of their frames; artists: from back to front."""

    def __init__(self, axes, shapes):
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

    def show(self, frame):
        """Draw the frame of this number."""
        for artist, outline in self._moving:
            if isinstance(artist, Polygon):
                artist.set_xy(outline[frame])
            else:
                artist.set_data(*outline[frame].T)


def extent(outlines):
    """Return the corners (2), (2) of a box around outlines (k, v, 2), with a margin."""
    places = np.concatenate([outline.reshape(-1, 2) for outline in outlines])
    low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
    margin = _MARGIN * (high - low).max()
    return low - margin, high + margin


def _artist(shape, vertices):
    if shape.fill:
        return Polygon(vertices, facecolor=shape.fill, edgecolor=shape.stroke,
                       linewidth=shape.width, joinstyle='round', zorder=2 + shape.layer)
    return Line2D(*vertices.T, color=shape.stroke, linewidth=shape.width, zorder=2 + shape.layer,
                  solid_capstyle='round', solid_joinstyle='round',
                  linestyle=(0, (4, 3)) if shape.dashed else '-')


def draw(mechanism, q, file):
    """Draw a mechanism at q (n), its bodies and points named, into an image file."""
    figure = Figure(figsize=(8, 6), layout='constrained')
    axes = figure.add_subplot(title=mechanism.name, xlabel='x [m]', ylabel='y [m]')
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    shapes = shapes_of(mechanism, q)
    Drawing(axes, shapes)
    places = dict(zip(mechanism.points, point_places(mechanism, q)[0], strict=True))
    strokes = {shape.name: shape.stroke for shape in shapes}
    paper = {'boxstyle': 'round,pad=0.15', 'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.8}
    for name, body in mechanism.bodies.items():
        middle = np.mean([places[point] for point in body.points], axis=0)
        axes.annotate(name, middle, xytext=(0, 11), textcoords='offset points', ha='center',
                      color=strokes[name], bbox=paper, zorder=20, fontsize=9)
    for name, place in places.items():
        axes.annotate(name, place, xytext=(8, -13), textcoords='offset points', bbox=paper,
                      zorder=20, fontsize=9)
    figure.savefig(file, dpi=120)
