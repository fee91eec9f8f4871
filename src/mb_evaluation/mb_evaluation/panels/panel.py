"""A panel: curves over an axis, with marks; pictures and pages draw the same."""

from dataclasses import dataclass

from mb_evaluation.panels.curves import Band, Curve

TIME = 'simulated time'     # the axis that panels share, from zero to the end of the run


@dataclass(frozen=True)
class Mark:
    """A region from low to high, or a line at low, behind the curves."""

    low: float
    high: float | None      # None: a line
    across: bool            # whether of the axis across, else of that up
    colour: str
    name: str = ''
    dash: str = 'solid'     # of a line, or 'dash' or 'dot'
    width: float = 1.0      # of a line [pixels]


@dataclass(frozen=True)
class Panel:
    """Curves and bands under a title, and Marks; see region, between, level, moment."""

    title: str
    unit: str                               # of the axis up
    curves: tuple[Curve | Band, ...]
    marks: tuple[Mark, ...] = ()
    reach: tuple[float, float] | None = None    # lowest and highest number shown at first
    across: str = TIME                      # or the name of another axis
    across_unit: str = 's'
    log: bool = False                       # shown in powers
    wide: bool = False                      # over all columns of a page
    note: str = ''                          # shown beside the title


def region(begin: float, end: float, colour: str, name: str = '') -> Mark:
    """Return the Mark of a time from begin to end."""
    return Mark(begin, end, True, colour, name)


def between(low: float, high: float, colour: str, name: str = '') -> Mark:
    """Return the Mark of all numbers from low to high."""
    return Mark(low, high, False, colour, name)


def level(y: float, colour: str, name: str = '', dash: str = 'solid',
          width: float = 1.0) -> Mark:
    """Return the Mark of one number at all times."""
    return Mark(y, None, False, colour, name, dash, width)


def moment(x: float, colour: str, name: str = '', dash: str = 'solid',
           width: float = 1.0) -> Mark:
    """Return the Mark of an instant."""
    return Mark(x, None, True, colour, name, dash, width)
