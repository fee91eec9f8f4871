"""All figures of the papers, by paper and number."""

from benchmarks.figures_of_papers import (
    blanco2021,
    mohammad2025,
    pyrhonen2023a,
    pyrhonen2023b,
    rodriguez2023,
)
from benchmarks.figures_of_papers.drawing import PaperFigure

PAPERS: dict[str, dict[int, PaperFigure]] = {
    'rodriguez2023': rodriguez2023.FIGURES, 'pyrhonen2023a': pyrhonen2023a.FIGURES,
    'pyrhonen2023b': pyrhonen2023b.FIGURES, 'blanco2021': blanco2021.FIGURES,
    'mohammad2025': mohammad2025.FIGURES}
NAMES = {'rodriguez2023': 'Rodriguez et al. 2023', 'pyrhonen2023a': 'Pyrhonen et al. 2023a',
         'pyrhonen2023b': 'Pyrhonen et al. 2023b', 'blanco2021': 'Blanco-Claraco et al. 2021',
         'mohammad2025': 'Mohammad et al. 2025'}


def known() -> str:
    """Return the papers and their numbers in words."""
    return '; '.join(f'{paper} {", ".join(map(str, figures))}' for paper, figures in PAPERS.items())


def find(paper: str, number: int | None) -> dict[int, PaperFigure]:
    """Return a figure of a paper by its number, all of them without; ValueError says what is."""
    if paper not in PAPERS:
        raise ValueError(f'{paper}: unknown paper, expected one of {known()}')
    if number is None:
        return PAPERS[paper]
    if number not in PAPERS[paper]:
        raise ValueError(f'{paper} {number}: no figure with results of this number, expected one '
                         f'of {", ".join(map(str, PAPERS[paper]))}')
    return {number: PAPERS[paper][number]}
