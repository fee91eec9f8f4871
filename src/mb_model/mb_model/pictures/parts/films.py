"""Films of pictures that a function draws."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from mb_model.simulation.progress import with_progress

GIF_DPI, MP4_DPI = 75, 150

Draw = Callable[[int], Any]     # number of a frame -> bytes (height, width, 3), both even


def write_mp4(draw: Draw, count: int, file: str | Path, fps: float, progress: bool) -> None:
    """Write pictures as MP4; raises ValueError if the package imageio-ffmpeg is missing."""
    try:
        from imageio_ffmpeg import write_frames
    except ImportError:
        raise ValueError(f'{file}: MP4 needs an encoder: pip install imageio-ffmpeg, or choose a '
                         '.gif or .html') from None
    film = None
    for k in with_progress(count, Path(file).name, progress):
        picture = draw(k)
        if film is None:
            height, width, _ = picture.shape
            film = write_frames(str(file), (width, height), fps=fps, codec='libx264',
                                macro_block_size=2, output_params=['-crf', '20'])
            film.send(None)
        film.send(picture)
    film.close()


def write_gif(draw: Draw, count: int, file: str | Path, fps: float, progress: bool) -> None:
    """Write pictures as GIF, which repeats for ever."""
    # One palette for all frames keeps what stands still the same, which makes the file small.
    palette = Image.fromarray(np.array(draw(count - 1))).quantize(192, Image.Quantize.MAXCOVERAGE)
    pictures = [Image.fromarray(draw(k)).quantize(palette=palette, dither=Image.Dither.NONE)
                for k in with_progress(count, Path(file).name, progress)]
    pictures[0].save(file, save_all=True, append_images=pictures[1:], loop=0,
                     duration=round(1000.0 / fps))
