"""Folders that are their process's as long as it lives: a lock says so, which ends with it.

The lock is the kernel's (flock): no process that is killed, and no other one that gets its number,
leaves it behind.
"""

from contextlib import suppress
import errno
import fcntl
import os
from pathlib import Path
import re
import shutil
from tempfile import mkdtemp

from mb_model.files.own import SAFE

_RANDOM = '[a-z0-9_]{8}'        # what mkdtemp adds to a name
_TAKEN = (errno.EAGAIN, errno.EACCES)


def lock(folder: str | Path) -> int:
    """Lock a folder; return the descriptor that holds the lock.  Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | SAFE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def new_locked(prefix: str, parent: Path) -> tuple[Path, int | None]:
    """Return a new folder of a random name, and the descriptor that holds its lock.

    None where the file system has no locks: there nothing is removed, either.  Raises OSError.
    """
    while True:
        folder = Path(mkdtemp(prefix=prefix, dir=parent))
        try:
            descriptor = lock(folder)
        except OSError as error:
            if error.errno in (*_TAKEN, errno.ENOENT):      # another has just looked at it
                with suppress(OSError):
                    folder.rmdir()
                continue
            return folder, None
        if folder.exists():
            return folder, descriptor
        os.close(descriptor)


def remove_left(prefix: str, parent: Path) -> None:
    """Remove folders of `new_locked` whose processes are gone; what cannot be removed stays."""
    name = re.compile(re.escape(prefix) + _RANDOM)
    with suppress(OSError):
        for folder in list(parent.iterdir()):
            if name.fullmatch(folder.name):
                _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of this user, unless a process has it locked."""
    with suppress(OSError):     # locked by its process, or gone meanwhile
        descriptor = lock(folder)
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)
