"""Animations as films, drawn with matplotlib."""

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np
from PIL import Image

from mb_model.pictures.drawing import Drawing
from mb_model.simulation.progress import with_progress

_WIDTH, _LEAST, _MOST = 8.0, 3.0, 8.0       # of a picture, and its least and largest height [inch]
_LEFT, _RIGHT, _BELOW, _ABOVE = 0.55, 0.2, 0.3, 0.5         # room around the axes [inch]
_GIF_DPI, _MP4_DPI = 75, 150
_GREY = '#666666'
_STYLE = {'axes.spines.left': False, 'axes.spines.right': False, 'axes.spines.top': False,
          'axes.spines.bottom': False, 'axes.grid': True, 'grid.color': '#e8e8e8',
          'xtick.color': _GREY, 'ytick.color': _GREY, 'xtick.labelsize': 8.0,
          'ytick.labelsize': 8.0, 'xtick.major.size': 0.0, 'ytick.major.size': 0.0}


def write_mp4(run, frames, file, fps, progress):
    """Write Frames as MP4; raises ValueError if the package imageio-ffmpeg is missing."""
    try:
        from imageio_ffmpeg import write_frames
    except ImportError:
        raise ValueError(f'{file}: MP4 needs an encoder: pip install imageio-ffmpeg, or choose a '
                         '.gif or .html') from None
    film = None
    open(file, 'wb').close()        # tells what is wrong with the place before anything is drawn
    for picture in _pictures(frames, _MP4_DPI, progress, str(file)):
        if film is None:
            height, width, _ = picture.shape
            film = write_frames(str(file), (width, height), fps=fps, codec='libx264',
                                macro_block_size=2, output_params=['-crf', '20'])
            film.send(None)
        film.send(picture)
    film.close()


def write_gif(run, frames, file, fps, progress):
    """Write Frames as GIF, which repeats for ever."""
    # One palette for all frames keeps what stands still the same, which makes the file small.
    figure, moving, show = _picture(frames, _GIF_DPI)
    show(len(frames.t) - 1)
    for artist in moving:
        artist.set_animated(False)
    FigureCanvasAgg(figure).draw()
    last = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    palette = Image.fromarray(last).quantize(96, Image.Quantize.MAXCOVERAGE)
    pictures = [Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
                for picture in _pictures(frames, _GIF_DPI, progress, str(file))]
    pictures[0].save(file, save_all=True, append_images=pictures[1:], loop=0,
                     duration=round(1000.0 / fps))


def _pictures(frames, dpi, progress, label):
    """Yield each frame as an array (height, width, 3) of bytes; both sizes are even."""
    figure, moving, show = _picture(frames, dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    still = canvas.copy_from_bbox(figure.bbox)
    for k in with_progress(len(frames.t), label, progress):
        canvas.restore_region(still)
        show(k)
        for artist in moving:
            figure.draw_artist(artist)
        yield np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])


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
    figure.text(_LEFT / _WIDTH, head, frames.title, fontsize=10, va='center', weight='bold')
    clock = figure.text(1.0 - _RIGHT / _WIDTH, head, '', fontsize=10, va='center', ha='right',
                        family='monospace')
    digits = time_digits(frames)

    def show(k):
        drawing.show(k)
        for trail, path in trails:
            trail.set_data(*path[:k + 1].T)
        clock.set_text(f't = {frames.t[k]:.{digits}f} s')

    moving = [*(trail for trail, _ in trails), *drawing.artists, clock]
    for artist in moving:
        artist.set_animated(True)
    return figure, moving, show


def time_digits(frames):
    """Return how many decimals tell the times of neighbouring frames apart."""
    gap = frames.t[1] - frames.t[0]
    return max(2, next(digits for digits in range(12) if 10.0 ** -digits <= 1.001 * gap))
