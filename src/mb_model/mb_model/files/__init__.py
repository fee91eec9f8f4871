"""Files of users: their paths, results that are there whole or not at all, and private files.

Files of this user alone are what nodes go on from after a crash, and what a run's processes share.
Others may know the path of such a file, and may write to its folder, as to /tmp.  So nothing
follows a symbolic link, opens what is no ordinary file, or believes a file that others can write.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
import errno
import fcntl
from glob import escape
import os
from pathlib import Path
import shutil
import stat
from tempfile import mkdtemp, mkstemp
import time
from typing import BinaryIO


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
    """Yield the path of a file to write, which replaces `path` in the end.

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
    folder = Path(mkdtemp(prefix=f'.{path.name}.', dir=path.parent))
    try:
        yield folder / path.name
        (folder / path.name).rename(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


PROJECT = 'mb_state_estimation'
KEPT = 86400.0          # how long what a killed run has left stays [s]
_SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC    # nor does a pipe hold up who opens it


def new_run_folder() -> Path:
    """Return a new folder for the files that processes of a run share; it is theirs to remove.

    It lies in the user's state folder (XDG Base Directory Specification).  Removes what runs that
    were killed have left there.  Raises ValueError if it cannot be made.
    """
    given = os.environ.get('XDG_STATE_HOME', '')
    try:
        base = Path(given) if os.path.isabs(given) else Path.home() / '.local' / 'state'
        runs = base / PROJECT / 'runs'
        for folder in (*reversed(runs.parents), runs):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
        for folder in (runs.parent, runs):
            if problem := _owner_problem(folder.lstat()):
                raise OSError(errno.EPERM, problem, str(folder))
        for old in runs.iterdir():
            if _is_left(old):
                shutil.rmtree(old, ignore_errors=True)
        new = Path(mkdtemp(prefix=f'{os.getpid()}_', dir=runs))
        _lock(new)      # until this process ends, however it ends
        return new
    except (OSError, RuntimeError) as error:
        reason = (f'{error.filename}: {error.strerror}'
                  if isinstance(error, OSError) and error.filename else error)
        raise ValueError(f'no folder for what the processes of a run share: {reason}; '
                         'XDG_STATE_HOME names another folder') from None


def open_private(path: str | Path, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a file of this user alone; made with O_CREAT, its mode is 0600.

    Raises OSError, also for what is no ordinary file or what others can write.
    """
    try:
        descriptor = os.open(path, flags | _SAFE, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(error.errno, 'is a symbolic link', str(path)) from None
        raise
    problem = _problem(os.fstat(descriptor))
    if problem:
        os.close(descriptor)
        raise OSError(errno.EPERM, problem, str(path))
    if flags & os.O_CREAT:
        os.fchmod(descriptor, 0o600)
    return descriptor


def replace_private(path: str | Path, write: Callable[[BinaryIO], object]) -> None:
    """Let write(binary file) make a file, which is there whole or as it was.  Raises OSError.

    A symbolic link is replaced, not followed.
    """
    path = Path(path)
    descriptor, new = mkstemp(prefix=f'.{path.name}.', dir=path.parent)
    try:
        with open(descriptor, 'wb') as file:
            write(file)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def remove_private(path: str | Path) -> None:
    """Remove a file, and what a process that was killed while it wrote has left of it."""
    path = Path(path)
    path.unlink(missing_ok=True)
    for left in path.parent.glob(f'.{escape(path.name)}.????????'):
        left.unlink(missing_ok=True)


def _problem(status):
    """Return why a file of a status is not of this user alone, None if it is."""
    if not stat.S_ISREG(status.st_mode):
        return 'is no ordinary file'
    if status.st_nlink > 1:         # none: another process has just replaced it
        return 'is linked to elsewhere'
    return _owner_problem(status)


def _owner_problem(status):
    """Return why others than this user may change what has a status, None if they cannot."""
    if status.st_uid != os.geteuid():
        return 'belongs to another user'
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return 'can be written by others'
    return None


def _is_left(folder):
    """Return whether a folder is old, and the process that made it is gone."""
    try:
        if time.time() - folder.lstat().st_mtime < KEPT:
            return False
        os.close(_lock(folder))
    except OSError:         # locked by its process, or gone meanwhile
        return False
    return True


def _lock(folder):
    """Lock a folder; return the descriptor that holds the lock.  Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _SAFE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
