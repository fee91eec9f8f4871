"""Draw a figure of a paper by ours, in its form: python -m benchmarks figure PAPER NUMBER."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from benchmarks import figures
from benchmarks.figures_of_papers.catalogue import NAMES, find, known
from benchmarks.figures_of_papers.drawing import Asked, PaperFigure
from benchmarks.pictures import plt

RESOLUTION = 100                # dots per inch
WIDTH = 100                     # of the lines that are printed


def main(words: Sequence[str]) -> int:
    """Draw what the words behind `figure` ask for, and print what it reproduces; return 0."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks figure', description=__doc__)
    parser.add_argument('paper', help=f'one of {known()}')
    parser.add_argument('number', type=int, nargs='?', help='of the figure; default: all of them')
    parser.add_argument('--seeds', type=int, nargs='+', metavar='SEED', help='of the noise')
    parser.add_argument('--quick', action='store_true', help='short motions, few filters')
    parser.add_argument('--folder', type=Path, default=figures.RESULTS,
                        help='where the pictures go; default: %(default)s')
    given = parser.parse_args(words)
    try:
        asked = find(given.paper, given.number)
    except ValueError as error:
        parser.error(str(error))
    given.folder.mkdir(parents=True, exist_ok=True)
    for number, figure in asked.items():
        path = given.folder / f'{given.paper}_{number}.png'
        show(figure, f'{NAMES[given.paper]}, Fig. {number}', path,
             Asked(tuple(given.seeds or figure.seeds), given.quick))
    return 0


def show(figure: PaperFigure, name: str, path: Path, asked: Asked) -> None:
    """Draw a figure into a file, and print its caption, its claim and what it reproduces."""
    drawn = figure.draw(asked)
    drawn.picture.savefig(path, dpi=RESOLUTION)
    plt.close(drawn.picture)
    print(fill(f'{name}. {figure.caption}', WIDTH))
    print(fill(f'The paper: {figure.claim}', WIDTH))
    for line in drawn.lines:
        print(fill(f'  {line}', WIDTH, subsequent_indent='    '))
    print(f'written to {path}\n', flush=True)
