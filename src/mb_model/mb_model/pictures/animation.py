"""A run as a film (MP4, GIF) or as a page for the browser (HTML)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mb_model.pictures.film import write_gif, write_mp4
from mb_model.pictures.frames import frames_of
from mb_model.pictures.page import write_page

if TYPE_CHECKING:
    from mb_model.simulation.run import Run

# How to write, and frames per second; GIF counts time in hundredths of a second.
WRITERS = {'.mp4': (write_mp4, 30.0), '.gif': (write_gif, 25.0), '.html': (write_page, 50.0)}


def animate(run: 'Run', file: str | Path, trace: Sequence[str] = (), speed: float = 1.0,
            fps: float | None = None, progress: bool = False) -> None:
    """Animate a Run into a file that ends in .mp4, .gif or .html.

    trace: names of points whose paths are drawn; speed: simulated seconds per second; fps: frames
    per second; progress: show a bar, if there is a terminal.  Raises ValueError, OSError.
    """
    suffix = Path(file).suffix
    if suffix not in WRITERS:
        raise ValueError(f'{file}: must end in {", ".join(WRITERS)}')
    write, usual = WRITERS[suffix]
    fps = usual if fps is None else fps
    write(run, frames_of(run, fps, speed, trace), file, fps, progress)
