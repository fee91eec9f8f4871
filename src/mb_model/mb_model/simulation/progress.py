"""Progress bars for what takes long."""

from collections.abc import Iterator
import sys

_LOOKS = 200        # times that a bar moves


def with_progress(count: int, label: str, shown: bool = True) -> Iterator[int]:
    """Yield 0 ... count - 1 behind a bar on stderr, which is there only if that is a terminal."""
    if shown and sys.stderr.isatty():
        yield from _behind_bar(count, label)
    else:
        yield from range(count)


def _behind_bar(count: int, label: str) -> Iterator[int]:
    from rich.console import Console  # nodes need not wait for these imports
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    columns = (TextColumn('{task.description}'), BarColumn(), TaskProgressColumn(),
               TimeRemainingColumn())
    every = max(1, count // _LOOKS)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=count)
        for k in range(count):
            yield k
            if k % every == 0:
                bar.update(task, completed=k + 1)
