"""What a newcomer waits for, and what all kernels take to compile."""

from contextlib import contextmanager
from functools import partial
import os
from pathlib import Path
import re
from resource import RUSAGE_CHILDREN, getrusage
import subprocess
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figure
from mb_bringup.endurance import launched
from mb_ros.own_domain import own_domain
from mb_ros.process_tree import processor_time

HERE = Path(__file__).resolve().parents[1]
LAUNCH = 'three_simulation.launch.py'
CHECK = ('ros2', 'run', 'mb_model', 'check', 'four_bar')
IN_SPACE = ('ros2', 'run', 'mb_model', 'check', 'spatial_slider_crank')
PROGRESS = re.compile(rb'\d+\.\d+ / [\d.]+ s')       # simulated, of the run's duration
TARGETS = {     # on a quiet machine of two cores [s]
    'make demo, first: wall time': 100.0, 'make demo, second: wall time': 18.0,
    'check of a first machine in space: wall time': 10.0,
    'kernels of the demonstration: processor time': 25.0, 'all kernels: processor time': 150.0,
    'ros2 launch to the first line of progress: processor time': 5.0,
    'ros2 run mb_model check: processor time': 1.5, 'make test, first: wall time': 600.0}


def measure_first_minutes(against=None, tests=False):
    """Return the figures of this checkout and, after it, those of another one.

    What a newcomer waits for, and everybody after: set-up, demonstration, start of a launch,
    check.

        python -m benchmarks first_minutes --against FOLDER     another checkout, in the same run
        python -m benchmarks first_minutes --tests              `make test` of a fresh clone, too

    All is done in clones of what is committed, each with an environment of its own; pip takes
    packages from its cache where it has one.  Processor times are of all processes together,
    and say more than wall times on a machine that does other things.

    against: folder of the other checkout; tests: also run `make test`, which takes long.
    """
    found = {'here': figures_of(HERE, tests)}
    if against:
        found['there'] = figures_of(Path(against).resolve(), tests)
    peers = found.get('there', {})
    return [Figure(name, value, 's', target=TARGETS.get(name), peer='there' if peers else None,
                   peer_value=peers.get(name)) for name, value in found['here'].items()]


def figures_of(checkout, tests):
    """Return {figure: value [s]} of a checkout."""
    with fresh_clone(checkout) as run:
        found = {**both('make demo, first', run('make', 'demo')),
                 **both('make demo, second', run('make', 'demo')),
                 **both('check of a first machine in space', run(*IN_SPACE)),
                 **kernels('kernels of the demonstration', run, 'ready_error_ekf'),
                 **kernels('all kernels', run, 'ready'),
                 **to_progress(run)}
        run(*CHECK)
        found |= both('ros2 run mb_model check', run(*CHECK))
    if tests:
        with fresh_clone(checkout) as run:
            found |= both('make test, first', run('make', 'test'))
    return found


@contextmanager
def fresh_clone(checkout):
    """Give a function that runs a command in a clone; see `timed`."""
    with TemporaryDirectory() as folder:
        clone = Path(folder) / 'clone'
        subprocess.run(['git', 'clone', '--quiet', checkout, clone], check=True)
        yield partial(timed, clone)


def environment_in(clone, **further):
    """Return the environment of processes: the clone's own, and a ROS domain for it alone."""
    return {**{name: value for name, value in os.environ.items()
               if name not in ('PYTHONDONTWRITEBYTECODE', 'PYTHONPATH', 'MAKEFLAGS', 'MAKELEVEL')},
            'PATH': f'{clone}/.venv/bin:{os.environ["PATH"]}', 'VIRTUAL_ENV': f'{clone}/.venv',
            'ROS_DOMAIN_ID': str(own_domain()), **further}


def timed(clone, *command, **environment):
    """Run a command in a clone; return its wall time and the time of all its processes [s]."""
    return run_timed(command, clone, environment_in(clone, **environment))


def run_timed(command, folder, environment):
    """Run a command in a folder; return its wall time and the time of all its processes [s]."""
    before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    wall, after = perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def both(name, times):
    """Return wall and processor time by names."""
    return {f'{name}: wall time': times[0], f'{name}: processor time': times[1]}


def kernels(name, run, stamp):
    """Return the times to compile, into an empty cache, what a file of make's stands for."""
    with TemporaryDirectory() as cache:
        run('rm', '-f', f'.venv/{stamp}')
        return both(name, run('make', f'.venv/{stamp}', NUMBA_CACHE_DIR=cache))


def to_progress(run):
    """Return what passes until a launch, everything being compiled, prints; then interrupt it.

    Its processor time is that of all processes so far.
    """
    clone, = run.args
    found = {}
    with TemporaryDirectory() as results:
        start = perf_counter()
        with launched(LAUNCH, {'record': 'false', 'results': results}, subprocess.PIPE,
                      environment_in(clone, PYTHONUNBUFFERED='1')) as process:
            for line in process.stdout:
                wall = perf_counter() - start
                found.setdefault('ros2 launch to the first line: wall time', wall)
                if PROGRESS.search(line):
                    return found | both('ros2 launch to the first line of progress',
                                        (wall, processor_time(process.pid)))
    raise RuntimeError(f'{LAUNCH} in {clone}: ended without a line of progress')


PACKAGES = ('mb_estimators', 'mb_contact', 'mb_simulation')


def measure_compile_time(against=None):
    """Return the times of this checkout and, in turns with it, those of another one.

    How long all kernels take to compile, from nothing: processor and wall time of `make setup`.

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
    with TemporaryDirectory() as cache:
        times = [run_timed([folder / '.venv/bin/python', '-m', f'{package}.warm_up'], folder,
                           os.environ | {'NUMBA_CACHE_DIR': cache}) for package in PACKAGES]
    wall, processor = map(sum, zip(*times, strict=True))
    return processor, wall
