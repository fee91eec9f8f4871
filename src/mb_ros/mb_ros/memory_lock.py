"""Locked memory: what a process has touched stays in memory, whatever others need."""

import ctypes
import os
from pathlib import Path
import resource
import sys

LOCK = 'MB_LOCK_MEMORY'     # environment variable of programs that are to do so
# Of Linux: pages that are there, all later ones, and none before it is touched
_CURRENT, _FUTURE, _ON_FAULT = 1, 2, 4
_CAPABILITY = 1 << 14       # CAP_IPC_LOCK


def lock_memory() -> str:
    """Lock the memory of this process; return why it is not, in words, '' where it is.

    Only without a limit: beyond one, whatever asks for memory later would fail.
    """
    if sys.platform != 'linux':
        return 'memory is not locked: this system is no Linux'
    unlimited = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY
    if not unlimited and not _is_capable():
        return ('memory is not locked: expected root, a container with CAP_IPC_LOCK, or memlock '
                'unlimited in /etc/security/limits.conf')
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(_CURRENT | _FUTURE | _ON_FAULT):
        return f'memory is not locked: {os.strerror(ctypes.get_errno())}'
    return ''


def _is_capable() -> bool:
    lines = Path('/proc/self/status').read_text(encoding='utf-8').splitlines()
    of = dict(line.split(':', 1) for line in lines if ':' in line)
    return bool(int(of.get('CapEff', '0'), 16) & _CAPABILITY)
