"""A run of a mechanism in the plane as frames: of a film, drawn with matplotlib, and of a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import point_positions
from mb_model.pictures.parts.clip import Clip, Traces, traces_of
from mb_model.pictures.parts.films import Draw
from mb_model.pictures.parts.page import digits_of, numbers, write_page
from mb_model.pictures.plane.drawing import Drawing, extent
from mb_model.pictures.plane.shapes import Shape, shapes_of

_WIDTH, _LEAST, _MOST = 8.0, 3.0, 8.0       # of a picture, and its least and largest height [inch]
_LEFT, _RIGHT, _BELOW, _ABOVE = 0.55, 0.2, 0.3, 0.5         # room around the axes [inch]
_GREY = '#666666'
_STYLE = {'axes.spines.left': False, 'axes.spines.right': False, 'axes.spines.top': False,
          'axes.spines.bottom': False, 'axes.grid': True, 'grid.color': '#e8e8e8',
          'xtick.color': _GREY, 'ytick.color': _GREY, 'xtick.labelsize': 8.0,
          'ytick.labelsize': 8.0, 'xtick.major.size': 0.0, 'ytick.major.size': 0.0}


@dataclass(frozen=True)
class Frames:
    """The picture of a Clip in k frames; low, high (2): its corners [m]."""

    clip: Clip
    shapes: list[Shape]
    traces: Traces
    low: FloatArray
    high: FloatArray


def frames_of(clip: Clip, trace: Sequence[str]) -> Frames:
    """Return the Frames of a Clip; trace: names of points whose paths are drawn; ValueError."""
    mechanism, q = clip.run.mechanism, clip.q
    points, positions = list(mechanism.points), point_positions(mechanism, q)
    shapes = shapes_of(mechanism, q)
    return Frames(clip, shapes, traces_of(
        points, lambda name: positions[:, points.index(name)], trace),
        *extent([shape.vertices() for shape in shapes]))


def write_plane_page(frames: Frames, file: str | Path) -> None:
    """Write Frames as an HTML page."""
    digits = digits_of((frames.high - frames.low).max())
    write_page(frames.clip, 'plane.js', {
        'low': numbers(frames.low, digits), 'high': numbers(frames.high, digits),
        'shapes': [_shape(shape, digits) for shape in frames.shapes]}, frames.traces, digits, file)


def _shape(shape: Shape, digits: int) -> dict[str, Any]:
    pose = shape.pose.reshape(len(shape.pose), -1)
    # Outlines in units of a symbol meet axes that are small, those in meters unit axes.
    return {'outline': numbers(shape.outline, digits + 2), 'pose': numbers(pose, digits + 2),
            'stroke': shape.stroke, 'fill': shape.fill, 'width': shape.width,
            'dashed': shape.dashed}


def draw_of(frames: Frames, dpi: int) -> Draw:
    """Return the function that draws a frame of Frames, see parts.films."""
    figure, moving, show = _picture(frames, dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    still = canvas.copy_from_bbox(figure.bbox)

    def draw(k: int) -> Any:
        canvas.restore_region(still)
        show(k)
        for artist in moving:
            figure.draw_artist(artist)
        return np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])

    return draw


def _picture(frames: Frames, dpi: int) -> tuple[Figure, list[Any], Callable[[int], None]]:
    """Return (figure, artists to draw in each frame, function that sets them to a frame)."""
    width, height = frames.high - frames.low
    wide = _WIDTH - _LEFT - _RIGHT
    tall = min(max(wide * height / width + _BELOW + _ABOVE, _LEAST), _MOST)
    tall = 2 * round(tall * dpi / 2) / dpi      # encoders want even numbers of pixels
    high = tall - _BELOW - _ABOVE
    figure = Figure(figsize=(_WIDTH, tall), dpi=dpi)
    with matplotlib.rc_context(_STYLE):
        axes = figure.add_axes((_LEFT / _WIDTH, _BELOW / tall, wide / _WIDTH, high / tall))
    drawing = Drawing(axes, frames.shapes)
    # One scale for both axes that shows everything, in the middle.
    half = 0.5 * max(width / wide, height / high) * np.array([wide, high])
    middle = 0.5 * (frames.low + frames.high)
    (left, bottom), (right, top) = middle - half, middle + half
    axes.set(aspect='auto', xlim=(left, right), ylim=(bottom, top), axisbelow=True)
    axes.yaxis.set_major_formatter('{x:g} m')
    trails = []
    for path, colour in frames.traces.values():
        axes.plot(*path.T, color=colour, linewidth=1.0, alpha=0.35, zorder=1.5)
        trail, = axes.plot([], [], color=colour, linewidth=1.8, zorder=1.6)
        trails.append((trail, path))
    head = 1.0 - 0.5 * _ABOVE / tall
    figure.text(_LEFT / _WIDTH, head, frames.clip.title, fontsize=10, va='center', weight='bold')
    clock = figure.text(1.0 - _RIGHT / _WIDTH, head, '', fontsize=10, va='center', ha='right',
                        family='monospace')
    digits = frames.clip.time_digits

    def show(k: int) -> None:
        drawing.show(k)
        for trail, path in trails:
            trail.set_data(*path[:k + 1].T)
        clock.set_text(f't = {frames.clip.t[k]:.{digits}f} s')

    moving = [*(trail for trail, _ in trails), *drawing.artists, clock]
    for artist in moving:
        artist.set_animated(True)
    return figure, moving, show
