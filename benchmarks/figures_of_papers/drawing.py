"""What a figure of a paper is: how it is drawn, and what is said with it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.pictures import plain, plt

OURS, PEER, OTHER, TRUE, FAINT = '#1b6ca8', '#e08e0b', '#4c9a52', '#1a1a1a', '#9ecae1'
PAPER = 'paper'                 # label of what the text of the paper states
NORMAL_95 = 1.96                # deviations of a 95 % interval, as in Pyrhonen et al. 2023b


class Asked(NamedTuple):
    """What is asked for: seeds of the noise, and whether short motions will do."""

    seeds: tuple[int, ...]
    quick: bool = False


class Drawn(NamedTuple):
    """A picture, and the lines that say what it reproduces."""

    picture: plt.Figure
    lines: list[str]


class PaperFigure(NamedTuple):
    """A figure of a paper.

    draw(Asked) returns Drawn; caption: what it shows, and with whose parameters; claim: what the
    paper says of it; seeds: of the noise, if none are asked for.
    """

    draw: Callable[[Asked], Drawn]
    caption: str
    claim: str
    seeds: tuple[int, ...] = (0,)


def panels(rows: int, columns: int, size: tuple[float, float], **options: object):
    """Return a picture of a size [inch] and its axes (rows, columns), with a faint grid."""
    picture, axes = plt.subplots(rows, columns, figsize=size, squeeze=False, layout='constrained',
                                 **options)
    for axis in axes.flat:
        plain(axis)
        axis.set_axisbelow(True)
    return picture, axes


def title(axis: plt.Axes, letter: str, text: str) -> None:
    """Write the letter of a panel and what it shows above it."""
    axis.set_title(f'{letter}) {text}', fontsize=10, loc='left')


def legend(axis: plt.Axes, **options: object) -> None:
    """Draw a small legend without a frame."""
    axis.legend(**{'fontsize': 8, 'frameon': False, **options})


def rms(values: ArrayLike) -> float:
    """Return the root mean square of finite values."""
    return float(np.sqrt(np.nanmean(np.square(values))))
