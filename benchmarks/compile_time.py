"""How long all kernels take to compile, from nothing: processor and wall time of `make setup`."""

import os
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
import subprocess
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figure

HERE = Path(__file__).resolve().parents[1]
PACKAGES = ('mb_estimators', 'mb_contact', 'mb_simulation')


def measure(against=None):
    """Return the times of this checkout and, in turns with it, those of another one.

    against: folder of the other checkout, set up by make.
    """
    folders = {'here': HERE} | ({'there': Path(against).resolve()} if against else {})
    times = {name: compile_all(folder) for name, folder in folders.items()}
    found = [Figure(f'{what}, {name}', value, 's') for name, both in times.items()
             for what, value in zip(('processor time', 'wall time'), both, strict=True)]
    if against:
        here, there = times['here'][0], times['there'][0]
        found.append(Figure('processor time here / there', here / there, '', target=0.5))
    return found


def compile_all(folder):
    """Compile all kernels of a checkout into an empty cache; return processor and wall time [s]."""
    before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    with TemporaryDirectory() as cache:
        for package in PACKAGES:
            subprocess.run([folder / '.venv/bin/python', '-m', f'{package}.warm_up'], cwd=folder,
                           env=os.environ | {'NUMBA_CACHE_DIR': cache}, check=True,
                           stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            perf_counter() - start)
