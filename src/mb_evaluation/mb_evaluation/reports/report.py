"""Reports as data: a kind of report is a list of quantities, bounds, panels and tiles.

A kind says what is shown of the figures of a run, and what is judged; the renderers (terminal,
Markdown, picture, page for the browser) are the same for all kinds.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mb_evaluation.panels.panel import Panel

Figures = dict[str, Any]        # all numbers of a report, as in report.json
Row = Sequence[str]             # of a table
Texts = Callable[[Figures], Sequence[str]]


def number_text(value: float | None, form: str = '.4g') -> str:
    """Return a number in a format of Python, a dash for none."""
    return '-' if value is None else format(value, form)


def share_text(value: float | None) -> str:
    """Return a share as percentage, a dash for none."""
    return number_text(value, '.1%')


def no_texts(_: Figures) -> Sequence[str]:
    """Return no texts."""
    return ()


@dataclass(frozen=True)
class Table:
    """Quantities in rows, in groups that are apart on the terminal.

    strong: number of the column that is bold on the terminal, None for none; words, whole: columns
    of words, and columns that are never wrapped; zooms: (begin, end) [s] that a click on a row
    shows; heading, notes: above and beside it.
    """

    headings: Row
    groups: Sequence[Sequence[Row]]
    strong: int | None = None
    words: Sequence[int] = (0,)
    whole: Sequence[int] = ()
    zooms: Sequence[tuple[float, float]] = ()
    heading: str = ''
    notes: Sequence[str] = ()

    @property
    def rows(self) -> list[Row]:
        """The rows of all groups."""
        return [row for group in self.groups for row in group]


@dataclass(frozen=True)
class Tile:
    """One of the most important figures of a page: what it is, the figure, a note below it."""

    what: str
    figure: str
    note: str = ''


@dataclass(frozen=True)
class Bound:
    """What a quantity is to be at most, or at least; a value of None is not judged.

    A quantity to be at least so much is a share.
    """

    what: str
    value: float | None
    limit: float
    unit: str
    least: bool = False

    @property
    def objection(self) -> str:
        """What is wrong, in words; empty if nothing is."""
        if self.value is None or (self.value >= self.limit if self.least
                                  else self.value <= self.limit):
            return ''
        if self.least:
            return f'{self.what} {self.value:.1%} {self.unit}, expected {self.limit:.0%} or more'
        return f'{self.what} {self.value:.3g} {self.unit}, expected {self.limit:g} or less'


def beyond(bounds: Iterable[Bound]) -> list[str]:
    """Return the objections of Bounds that do not hold."""
    return [text for text in (bound.objection for bound in bounds) if text]


@dataclass(frozen=True)
class Section:
    """Panels under a heading."""

    heading: str
    panels: Sequence[Panel]


@dataclass(frozen=True)
class Picture:
    """Panels below each other over the time of a run, with others around them.

    above: beside each other on top; beside: below each other on the right, each with its own axis;
    figures: rows of texts at the foot of these, and remarks below them; detail: (begin, end) [s]
    that a second column of the stack shows; grid: instead of all, rows of panels with one legend.
    """

    stack: Sequence[Panel] = ()
    above: Sequence[Panel] = ()
    beside: Sequence[Panel] = ()
    figures: Sequence[Row] = ()
    remarks: Sequence[str] = ()
    detail: tuple[float, float] | None = None
    grid: Sequence[Sequence[Panel]] = ()


@dataclass(frozen=True)
class Drawn:
    """The panels of a run: in sections of its page, first of all on it, and in its picture.

    Without sections there is no page, and without a Picture none.
    """

    sections: Sequence[Section]
    picture: Picture | None
    first: Sequence[Panel] = ()


@dataclass(frozen=True)
class ReportKind:
    """What is shown of the figures of a kind of report, and what is judged.

    passed: the verdict without objections, None where nothing is judged; unjudged: why figures
    that have none are not judged, empty where they are; ending: what the verdict
    says either way; commands: what to do after objections, to be pasted; introduction, captions:
    paragraphs above the first table, lines below it; remarks: sentences below these; draw: panels
    of a run and its figures; made_with: keys of figures; figures: of a run (its log), of its
    settings, bounds of the verdict by name, and the time of the run as text; is_drawn: whether
    there is anything to draw.
    """

    name: str
    title: Callable[[Figures], str]
    tables: Callable[[Figures], Sequence[Table]]
    draw: Callable[[Any, Figures], Drawn]
    passed: Callable[[Figures], str] | None = None
    objections: Texts = no_texts
    unjudged: Callable[[Figures], str] = lambda _: ''
    ending: Texts = no_texts
    commands: Texts = no_texts
    introduction: Texts = no_texts
    captions: Texts = no_texts
    remarks: Texts = no_texts
    tiles: Callable[[Figures], Sequence[Tile]] = no_texts
    made_with: Sequence[str] = ()
    figures: Callable[[Any, dict[str, Any], dict[str, float], str], Figures] | None = None
    is_drawn: Callable[[Figures], bool] = lambda figures: not figures['silent']


@dataclass(frozen=True)
class Report:
    """The figures of a run, of a kind, and the run that panels are drawn of; None: none are."""

    kind: ReportKind
    figures: Figures
    run: Any = None

    @property
    def title(self) -> str:
        """One line that describes the run."""
        return self.kind.title(self.figures)

    @property
    def has_passed(self) -> bool:
        """Whether it is judged, and nothing is objected to."""
        return not (self.kind.unjudged(self.figures) or self.kind.objections(self.figures))

    @property
    def verdict(self) -> str:
        """The verdict in words, empty where nothing is judged."""
        if self.kind.passed is None:
            return ''
        objections = self.kind.objections(self.figures)
        if not objections and (why := self.kind.unjudged(self.figures)):
            return f'NOT JUDGED: {why}'
        words = (f'FAILED: {"; ".join(objections)}' if objections else
                 f'PASSED: {self.kind.passed(self.figures)}')
        return '; '.join([words, *self.kind.ending(self.figures)])

    @property
    def commands(self) -> Sequence[str]:
        """What to do about the objections, as commands; none after a verdict that passed."""
        return () if self.has_passed else self.kind.commands(self.figures)

    @property
    def complaints(self) -> Table:
        """What the nodes complained of, with the times that a click shows."""
        complaints = self.figures.get('complaints', ())
        return Table(
            ('from [s]', 'to [s]', 'node', 'level', 'message'),
            [[(f'{one["from"]:.2f}', '' if one['to'] is None else f'{one["to"]:.2f}', one['node'],
               one['level'], one['message']) for one in complaints]],
            zooms=[(one['from'], self.figures['duration'] if one['to'] is None else one['to'])
                   for one in complaints], words=range(5),
            heading='What the nodes complained of')

    @property
    def made_with(self) -> str:
        """A line that says what the run was made with."""
        return ', '.join(f'{key} {self.figures[key]}' for key in self.kind.made_with)
