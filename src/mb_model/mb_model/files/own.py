"""Whose a file or folder is: what others may have written is neither followed nor believed."""

from collections.abc import Collection
from contextlib import suppress
import errno
import os
from pathlib import Path
import stat

SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC     # nor does a pipe hold up who opens it


def open_own(path: str | Path, flags: int = os.O_RDONLY, mode: int = 0o600,
             owners: Collection[int] = ()) -> int:
    """Return a descriptor of an ordinary file that none but its owner can write.

    mode: of a file that O_CREAT makes; owners: user ids beside this user's.  Raises OSError, also
    for a symbolic link, a pipe, a device, and a file of others.
    """
    try:
        descriptor = os.open(path, flags | SAFE, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(error.errno, 'is a symbolic link', str(path)) from None
        raise
    status = os.fstat(descriptor)
    problem = (_owner_problem(status, owners) if stat.S_ISREG(status.st_mode)
               else 'is no ordinary file')
    if problem:
        os.close(descriptor)
        raise OSError(errno.EPERM, problem, str(path))
    return descriptor


def own_folder(path: str | Path) -> Path:
    """Return the Path of a folder that this user alone can write, made if need be.

    Raises OSError, also for a symbolic link, and a folder of others or that others can write.
    """
    with suppress(FileExistsError):
        Path(path).mkdir(mode=0o700, parents=True)
    status = os.lstat(path)
    problem = (_owner_problem(status, ()) if stat.S_ISDIR(status.st_mode)
               else 'is no folder')
    if problem:
        raise OSError(errno.EPERM, problem, str(path))
    return Path(path)


def _owner_problem(status: os.stat_result, owners: Collection[int]) -> str:
    """Return why others than owners may change what has a status, '' if they cannot."""
    if status.st_uid not in (os.geteuid(), *owners):
        return 'belongs to another user'
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return 'can be written by others'
    return ''
