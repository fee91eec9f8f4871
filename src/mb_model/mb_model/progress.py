"""Progress bars for what takes long."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

_LOOKS = 200        # times that a bar moves


def with_progress(count, label, shown=True):
    """Yield 0 ... count - 1 behind a bar on stderr, which is there only if that is a terminal."""
    console = Console(stderr=True)
    if not shown or not console.is_terminal:
        yield from range(count)
        return
    columns = (TextColumn('{task.description}'), BarColumn(), TaskProgressColumn(),
               TimeRemainingColumn())
    every = max(1, count // _LOOKS)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=count)
        for k in range(count):
            yield k
            if k % every == 0:
                bar.update(task, completed=k + 1)
