"""A launch file as users launch it, its report, and the time that other machines took meanwhile."""

import json
import os
from pathlib import Path
import subprocess
from tempfile import TemporaryDirectory
import time


def launched(launch_file: str, environment: dict | None = None, **given) -> tuple[float, dict]:
    """Return (share of the time that was stolen, report of the run).

    launch_file: its name without ending; environment: of its processes, added to this one's;
    given: arguments of the launch file.
    """
    with TemporaryDirectory() as folder:
        arguments = {'record': 'false', 'strict': 'false', **given, 'results': folder}
        begin, before = time.monotonic(), stolen_time()
        subprocess.run(
            ['ros2', 'launch', 'mb_bringup', f'{launch_file}.launch.py',
             *(f'{name}:={value}' for name, value in arguments.items())],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        stolen = (stolen_time() - before) / (time.monotonic() - begin)
        return stolen, json.loads((Path(folder) / 'latest' / 'report.json').read_text())


def stolen_time() -> float:
    """Return what the host took from this machine since its start, over its cores on average [s].

    The time that a virtual machine wanted to run and its host gave to others.
    """
    steal = Path('/proc/stat').read_text().split(maxsplit=9)[8]
    return int(steal) / os.sysconf('SC_CLK_TCK') / os.cpu_count()
