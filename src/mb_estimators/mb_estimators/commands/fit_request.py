"""What a command wants fitted, and what comes of an engine of `fit`."""

from argparse import Namespace
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

from mb_model import Mechanism


@dataclass(frozen=True)
class FitRequest:
    """Which machine is fitted to which bags.

    file: name or path of the mechanism; mechanism: what an engine begins with, numbers of those
    before it included; bags: folders; known: by bag, path -> value; priors: path -> deviation, a
    share; options: the parsed arguments of the command, for what an engine needs beside.
    """

    file: str
    mechanism: Mechanism
    bags: Sequence[str]
    known: Sequence[Mapping[str, float]]
    priors: Mapping[str, float]
    options: Namespace


class Written(NamedTuple):
    """A file beside the mechanism's: what it is, in a word, where it goes, and its text."""

    label: str
    path: str | Path
    text: str


@dataclass(frozen=True)
class FitOutcome:
    """What comes of an engine.

    overrides: of the mechanism file; mechanism: with them; tables: for the terminal; notes:
    sentences for the reader; comments: further ones for the mechanism file; sections: (heading,
    HTML) of the page; files: beside them.
    """

    overrides: dict[str, Any]
    mechanism: Mechanism
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    files: tuple[Written, ...] = field(default=())


class Engine(NamedTuple):
    """A way of fitting.

    groups: that --free takes, with what they mean; takes: whether a word is one of its groups, or
    the name or pattern of a number that it finds from these bags, '' for what it fits without any;
    run: fits the numbers of words, yields lines about the progress, and returns the FitOutcome;
    reads: options of the command that other ways of fitting do not take.
    """

    groups: Mapping[str, str]
    takes: Callable[[FitRequest, str], bool]
    run: Callable[[FitRequest, Sequence[str]], Generator[str, None, FitOutcome]]
    reads: frozenset[str] = frozenset()
