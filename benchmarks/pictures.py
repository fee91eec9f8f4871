"""Pictures of results: drawn without a screen, written beside the figures."""

from pathlib import Path

import matplotlib

from benchmarks import figures

matplotlib.use('Agg')

import matplotlib.pyplot as plt


def save(picture: plt.Figure, name: str, dpi: int = 130) -> Path:
    """Write results/<name>.png and close the picture; return its path."""
    figures.RESULTS.mkdir(exist_ok=True)
    path = figures.RESULTS / f'{name}.png'
    picture.savefig(path, dpi=dpi)
    plt.close(picture)
    return path


def plain(axis: plt.Axes) -> None:
    """Leave out the frame above and at the right, and draw a faint grid."""
    axis.spines[['top', 'right']].set_visible(False)
    axis.grid(alpha=0.25)
