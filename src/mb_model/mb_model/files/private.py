"""Files of this user alone: what nodes go on from after a crash, and what a run's processes share.

Others may know the path of such a file, and may write to its folder, as to /tmp.
"""

from collections.abc import Callable
from contextlib import suppress
import errno
from glob import escape
import os
from pathlib import Path
import shutil
from tempfile import mkdtemp, mkstemp
import time
from typing import BinaryIO

from mb_model.files.locked import lock
from mb_model.files.own import open_own, own_folder

PROJECT = 'mb_state_estimation'
KEPT = 86400.0          # how long what a killed run has left stays [s]


def new_run_folder() -> Path:
    """Return a new folder for the files that processes of a run share; it is theirs to remove.

    It lies in the user's state folder (XDG Base Directory Specification).  Removes what runs that
    were killed have left there.  Raises ValueError if it cannot be made.
    """
    given = os.environ.get('XDG_STATE_HOME', '')
    try:
        base = Path(given) if os.path.isabs(given) else Path.home() / '.local' / 'state'
        runs = base / PROJECT / 'runs'
        for folder in (*reversed(base.parents), base):
            if not folder.is_dir():
                own_folder(folder)
        for folder in (runs.parent, runs):
            own_folder(folder)
        for old in runs.iterdir():
            if _is_left(old):
                shutil.rmtree(old, ignore_errors=True)
        new = Path(mkdtemp(prefix=f'{os.getpid()}_', dir=runs))
        lock(new)      # until this process ends, however it ends
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
    descriptor = open_own(path, flags)
    if os.fstat(descriptor).st_nlink > 1:       # none: another process has just replaced it
        os.close(descriptor)
        raise OSError(errno.EPERM, 'is linked to elsewhere', str(path))
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


def _is_left(folder):
    """Return whether a folder is old, and the process that made it is gone."""
    try:
        if time.time() - folder.lstat().st_mtime < KEPT:
            return False
        os.close(lock(folder))
    except OSError:         # locked by its process, or gone meanwhile
        return False
    return True
