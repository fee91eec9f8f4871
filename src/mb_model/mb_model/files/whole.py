"""Results of users, which are there whole or not at all; whatever was planted is replaced."""

from collections.abc import Iterator
from contextlib import contextmanager
import errno
import os
from pathlib import Path
import shutil

from mb_model.files.locked import new_locked, remove_left

_PART = '.part_'        # first of the names of folders for what is not whole yet


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Yield the path of a file to write, which replaces `path` in the end.

    Whatever was there before stays until then, and if the block raises.  A symbolic link is
    replaced, not followed.  Raises OSError, also for a folder, a device or a pipe.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise OSError(errno.EPERM, 'is no ordinary file', str(path))
    with _beside(path) as folder:
        yield folder / path.name
        _renamed(folder / path.name, path)


def write_whole(path: str | Path, text: str) -> None:
    """Write a text file, as a whole or not at all.  Raises OSError."""
    with whole_file(path) as part:
        part.write_text(text, encoding='utf-8')


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Yield the path of a folder to create, which is moved to `path` in the end."""
    path = Path(path).absolute()
    made_folder(path.parent)
    with _beside(path) as folder:
        yield folder / path.name
        _renamed(folder / path.name, path)


def made_folder(path: str | Path) -> Path:
    """Return the Path of a folder for results, made with those above it if need be.

    Raises OSError.
    """
    Path(path).mkdir(parents=True, exist_ok=True)
    return Path(path)


def point_to(link: str | Path, target: str) -> None:
    """Let a symbolic link point to a target, without a moment in which there is none.

    Raises OSError, also where there is something else than a link.
    """
    link = Path(link)
    if os.path.lexists(link) and not link.is_symlink():
        raise FileExistsError(errno.EEXIST, 'is no link', str(link))
    with _beside(link) as folder:
        (folder / link.name).symlink_to(target)
        _renamed(folder / link.name, link)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Yield a folder beside a path that others can neither guess nor enter; it goes in the end.

    What processes that were killed left there of such folders goes before.
    """
    remove_left(_PART, path.parent)
    try:
        folder, descriptor = new_locked(_PART, path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


def _renamed(part: Path, path: Path) -> None:
    """Give a file or folder its name.  Raises OSError."""
    try:
        part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
