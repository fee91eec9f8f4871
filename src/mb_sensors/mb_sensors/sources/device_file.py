"""Why the file of a device cannot be opened, in words that help."""

import errno
from glob import glob
import grp
import os


def why_not(path: str, error: OSError, pattern: str):
    """Return why a device file raised an OSError.

    pattern: of the names of such files.
    """
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f'no such device; there are: {", ".join(sorted(glob(pattern))) or "none"}'
    if error.errno in (errno.EACCES, errno.EPERM):
        return f'no permission; the user must be in the group {_group(path)}'
    if error.errno == errno.ENOTTY:
        return 'is no such device'
    return os.strerror(error.errno) if error.errno else str(error)


def _group(path: str):
    """Return the name of the group that a file belongs to."""
    try:
        number = os.stat(path).st_gid
    except OSError:
        return 'of the device'
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
