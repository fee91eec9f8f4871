"""A mechanism as a drawing; a run as a film (MP4, GIF) or as a page for the browser (HTML)."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from mb_model.files.whole import whole_file
from mb_model.pictures.parts.clip import Clip, clip_of
from mb_model.pictures.parts.films import GIF_DPI, MP4_DPI, write_gif, write_mp4
from mb_model.pictures.plane.drawing import draw_plane
from mb_model.pictures.plane.film import draw_of as draw_of_plane, frames_of, write_plane_page
from mb_model.pictures.plotting import title
from mb_model.pictures.space.drawing import draw_space
from mb_model.pictures.space.film import draw_of as draw_of_space, write_space_page
from mb_model.pictures.space.scene import scene_of_clip

if TYPE_CHECKING:
    from mb_model.simulation.run import Run


def draw(mechanism: Any, q: ArrayLike, file: str | Path) -> None:
    """Draw a mechanism at q (n), its bodies and points named, into an image file."""
    with whole_file(file) as part:
        (draw_space if mechanism.dimension == 3 else draw_plane)(mechanism, q, part)


def _film(write: Callable[..., None], dpi: int, clip: Clip, trace: Sequence[str],
          file: str | Path, progress: bool) -> None:
    if clip.run.mechanism.dimension == 3:
        draw = draw_of_space(scene_of_clip(clip, trace), dpi)
    else:
        draw = draw_of_plane(frames_of(clip, trace), dpi)
    write(draw, len(clip.t), file, clip.fps, progress)


def _page(clip: Clip, trace: Sequence[str], file: str | Path, progress: bool) -> None:
    if clip.run.mechanism.dimension == 3:
        write_space_page(scene_of_clip(clip, trace), file)
    else:
        write_plane_page(frames_of(clip, trace), file)


# How to write, and frames per second; GIF counts time in hundredths of a second.
WRITERS: dict[str, tuple[Callable[..., None], float]] = {
    '.mp4': (partial(_film, write_mp4, MP4_DPI), 30.0),
    '.gif': (partial(_film, write_gif, GIF_DPI), 25.0), '.html': (_page, 50.0)}


def animate(run: 'Run', file: str | Path, trace: Sequence[str] = (), speed: float = 1.0,
            fps: float | None = None, progress: bool = False) -> None:
    """Animate a Run into a file that ends in .mp4, .gif or .html.

    trace: names of points whose paths are drawn, in space body.point; speed: simulated seconds per
    second; fps: frames per second; progress: say on stderr how far it is.  Raises
    ValueError, OSError.
    """
    suffix = Path(file).suffix
    if suffix not in WRITERS:
        raise ValueError(f'{file}: must end in {", ".join(WRITERS)}')
    write, usual = WRITERS[suffix]
    clip = clip_of(run, title(run), usual if fps is None else fps, speed)
    with whole_file(file) as part:
        write(clip, trace, part, progress)
