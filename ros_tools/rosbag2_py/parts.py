"""Files that are there whole or not at all, in a folder in which others may have put links."""

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def part_of(path):
    """The path of a file to write, which replaces another one in the end.

    It is in a folder that cannot be guessed, so no link of others is followed.
    """
    path = Path(path)
    with TemporaryDirectory(prefix='.part_', dir=path.parent) as folder:
        part = Path(folder) / path.name
        yield part
        part.replace(path)
