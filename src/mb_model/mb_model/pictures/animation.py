"""A run as a film (MP4, GIF) or as a page for the browser (HTML)."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mb_model.pictures.parts.clip import clip_of
from mb_model.pictures.parts.films import GIF_DPI, MP4_DPI, write_gif, write_mp4
from mb_model.pictures.plane.film import draw_of
from mb_model.pictures.plane.frames import frames_of
from mb_model.pictures.plane.page import write_plane_page
from mb_model.pictures.plotting import title

if TYPE_CHECKING:
    from mb_model.simulation.run import Run


def _film(write, dpi, picture, file, progress):
    write(draw_of(picture, dpi), len(picture.clip.t), file, picture.clip.fps, progress)


# How to write, and frames per second; GIF counts time in hundredths of a second.
WRITERS = {'.mp4': (partial(_film, write_mp4, MP4_DPI), 30.0),
           '.gif': (partial(_film, write_gif, GIF_DPI), 25.0), '.html': (write_plane_page, 50.0)}


def animate(run: 'Run', file: str | Path, trace: Sequence[str] = (), speed: float = 1.0,
            fps: float | None = None, progress: bool = False) -> None:
    """Animate a Run into a file that ends in .mp4, .gif or .html.

    trace: names of points whose paths are drawn; speed: simulated seconds per
    second; fps: frames per second; progress: show a bar, if there is a terminal.  Raises
    ValueError, OSError.
    """
    suffix = Path(file).suffix
    if suffix not in WRITERS:
        raise ValueError(f'{file}: must end in {", ".join(WRITERS)}')
    write, usual = WRITERS[suffix]
    clip = clip_of(run, title(run), usual if fps is None else fps, speed)
    write(frames_of(clip, trace), file, progress)
