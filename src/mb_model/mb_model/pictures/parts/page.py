"""Animations as pages for the browser: one file that needs no other."""

from importlib import resources
import json
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.pictures.parts.clip import Clip, Traces
from mb_model.pictures.parts.colours import COLOURS

_PRECISION = 4      # digits of positions, against the extent of the picture


def write_page(clip: Clip, scene: str, content: dict[str, Any], traces: Traces, digits: int,
               file: str | Path) -> None:
    """Write a Clip as an HTML page with play, pause, speed, a slider and the curves of its run.

    scene: name of the script that draws a frame, of the templates; content: what it draws, beside
    traces, of positions with so many digits.
    """
    content = {'title': clip.title, 'times': numbers(clip.t, 9), 'decimals': clip.time_digits,
               'frameTime': 1.0 / clip.fps, 'curves': _curves(clip), 'traces': [
                   {'name': name, 'colour': colour, 'path': numbers(path, digits)}
                   for name, (path, colour) in traces.items()]} | content
    templates = resources.files('mb_model.pictures') / 'templates'
    page, script = ((templates / name).read_text('utf-8') for name in ('page.html', scene))
    # Within a script, '<' could end it.
    text = json.dumps(content, allow_nan=False, separators=(',', ':')).replace('<', '\\u003c')
    page = page.replace('/*SCENE*/', script).replace('/*CONTENT*/null', text)
    Path(file).write_text(page, encoding='utf-8')


def _curves(clip: Clip) -> list[dict[str, Any]]:
    """Return the main coordinates over time."""
    run = clip.run
    return [{'name': f'{name} [{run.mechanism.unit(name)}]', 'colour': COLOURS[k % len(COLOURS)],
             'values': numbers(run.values(name)[clip.numbers], 6)}
            for k, name in enumerate(run.main_coordinates)]


def digits_of(size: float) -> int:
    """Return how many digits behind the point positions have in a picture of a size [m]."""
    return _PRECISION - floor(log10(size))


def numbers(values: ArrayLike, digits: int) -> Any:
    """Return numbers as (nested) lists, rounded; None stands for nan, a gap in an outline."""
    rounded = np.round(values, max(digits, 0)).astype(object)
    rounded[np.isnan(values)] = None
    return rounded.tolist()
