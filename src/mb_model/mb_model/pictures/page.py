"""Animations as pages for the browser: one file that needs no other."""

from importlib import resources
import json
from math import floor, log10
from pathlib import Path

import numpy as np

from mb_model.pictures.film import time_digits
from mb_model.pictures.shapes import COLOURS

_PRECISION = 4      # digits of places, against the extent of the picture


def write_page(run, frames, file, fps, progress):
    """Write Frames as an HTML page with play, pause, speed and a slider."""
    digits = _PRECISION - floor(log10((frames.high - frames.low).max()))
    content = {
        'title': frames.title, 'times': _numbers(frames.t, 9), 'decimals': time_digits(frames),
        'frameTime': 1.0 / fps,
        'low': _numbers(frames.low, digits), 'high': _numbers(frames.high, digits),
        'shapes': [_shape(shape, digits) for shape in frames.shapes],
        'traces': [{'name': name, 'colour': colour, 'path': _numbers(path, digits)}
                   for name, (path, colour) in frames.traces.items()],
        'curves': _curves(run, frames),
    }
    template = resources.files('mb_model.pictures') / 'templates' / 'animation.html'
    # Within a script, '<' could end it.
    text = json.dumps(content, allow_nan=False, separators=(',', ':')).replace('<', '\\u003c')
    page = template.read_text('utf-8').replace('/*CONTENT*/null', text)
    Path(file).write_text(page, encoding='utf-8')


def _shape(shape, digits):
    pose = shape.pose.reshape(len(shape.pose), 6)
    # Outlines in units of a symbol meet axes that are small, those in meters unit axes.
    return {'outline': _numbers(shape.outline, digits + 2), 'pose': _numbers(pose, digits + 2),
            'stroke': shape.stroke, 'fill': shape.fill, 'width': shape.width,
            'dashed': shape.dashed}


def _curves(run, frames):
    """Return the coordinates that tell the motion over time."""
    return [{'name': f'{name} [{run.mechanism.unit(name)}]', 'colour': COLOURS[k % len(COLOURS)],
             'values': _numbers(run.values(name)[frames.numbers], 6)}
            for k, name in enumerate(run.main_coordinates)]


def _numbers(values, digits):
    """Return numbers as (nested) lists, rounded; None stands for nan, a gap in an outline."""
    rounded = np.round(values, max(digits, 0)).astype(object)
    rounded[np.isnan(values)] = None
    return rounded.tolist()
