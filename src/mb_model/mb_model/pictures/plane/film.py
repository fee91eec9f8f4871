"""Frames of a mechanism in the plane, drawn with matplotlib."""

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np

from mb_model.pictures.plane.drawing import Drawing

_WIDTH, _LEAST, _MOST = 8.0, 3.0, 8.0       # of a picture, and its least and largest height [inch]
_LEFT, _RIGHT, _BELOW, _ABOVE = 0.55, 0.2, 0.3, 0.5         # room around the axes [inch]
_GREY = '#666666'
_STYLE = {'axes.spines.left': False, 'axes.spines.right': False, 'axes.spines.top': False,
          'axes.spines.bottom': False, 'axes.grid': True, 'grid.color': '#e8e8e8',
          'xtick.color': _GREY, 'ytick.color': _GREY, 'xtick.labelsize': 8.0,
          'ytick.labelsize': 8.0, 'xtick.major.size': 0.0, 'ytick.major.size': 0.0}


def draw_of(frames, dpi):
    """Return the function that draws a frame of Frames, see parts.films."""
    figure, moving, show = _picture(frames, dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    still = canvas.copy_from_bbox(figure.bbox)

    def draw(k):
        canvas.restore_region(still)
        show(k)
        for artist in moving:
            figure.draw_artist(artist)
        return np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])

    return draw


def _picture(frames, dpi):
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

    def show(k):
        drawing.show(k)
        for trail, path in trails:
            trail.set_data(*path[:k + 1].T)
        clock.set_text(f't = {frames.clip.t[k]:.{digits}f} s')

    moving = [*(trail for trail, _ in trails), *drawing.artists, clock]
    for artist in moving:
        artist.set_animated(True)
    return figure, moving, show
