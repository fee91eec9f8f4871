"""Time that this machine, if it is a virtual one, wanted and its host gave to others."""

import os
from pathlib import Path


def stolen_time():
    """Return the stolen time since the machine has started, over its cores on average [s]."""
    steal = Path('/proc/stat').read_text().split(maxsplit=9)[8]
    return int(steal) / os.sysconf('SC_CLK_TCK') / os.cpu_count()
