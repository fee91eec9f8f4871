"""Files of users: their paths, and results that are there whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import shutil
from tempfile import mkdtemp


def user_path(text: str) -> Path:
    """Return the Path of a text, `~` being a home folder; raises ValueError for what is none."""
    try:
        if '\0' in str(text):
            raise ValueError(f'{str(text)!r}: a path has no NUL')
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f'{text}: there is no such user') from None


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Yield the path of a file to write, which takes the place of `path` in the end.

    Whatever was there before stays until then, and if the block raises.
    """
    path = Path(path)
    part = path.with_name(f'.{path.stem}.{os.getpid()}.part{path.suffix}')
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: str | Path, text: str) -> None:
    """Write a text file, as a whole or not at all.  Raises OSError."""
    with whole_file(path) as part:
        part.write_text(text, encoding='utf-8')


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Yield the path of a folder to create, which is moved to `path` in the end."""
    path = Path(path).absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    place = Path(mkdtemp(prefix=f'.{path.name}.', dir=path.parent))
    try:
        yield place / path.name
        (place / path.name).rename(path)
    finally:
        shutil.rmtree(place, ignore_errors=True)
