"""Nodes that are restarted at once when they crash.

    ros2 run mb_ros keep mb_estimators/estimator --ros-args -p sensors:="[crank_encoder]"

Takes what `compose` takes.  What nodes import takes seconds.  A template process imports it once,
and also the modules of this project that the first life imports when it knows its parameters.
Every life of the nodes is a fork of the template process.  There is no other life after one that
ends by itself, or because what the user gave cannot be used.  A process that imports next to
nothing watches over the template process, so that signals reach the nodes, and everything ends,
whatever the others are doing; it starts another template process when one is killed.  When it
is killed itself, everything ends: a launch file starts it again.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
import gc
from importlib import import_module
import os
import signal
import sys
from threading import Thread
import time
import traceback

from mb_ros.program import EndAtOnce, end_with_parent
from mb_ros.usage import OF_NODES, USAGE_OF_SEVERAL, asks_for_help
from mb_ros.watch_over import SIGNALS, wait_for, watch_over

SHORT_LIFE = 2.0            # [s]
MOST_SHORT_LIVES = 5        # in a row; after so many, another would crash too
REST = 0.5                  # before another life after a short one [s]
SETTLED = 1.5               # time without imports after which a life has what it needs [s]
OURS = 'mb_'                # prefix of the modules that the template imports after a life
Makers = Sequence[Callable[[], object]] | None
LoadMakers = Callable[[], Makers]


def main() -> int:
    """Run the nodes that the command line names, again and again, or print the usage."""
    if asks_for_help(sys.argv[1:]):
        print(USAGE_OF_SEVERAL, OF_NODES, sep='\n\n')
        return 0
    return keep_running(_makers)


def keep_running(load_makers: LoadMakers) -> int:
    """Run nodes again and again; return the exit code.

    load_makers(): called in the template process; returns the callables that make the nodes, or
    None if the user got something wrong.
    """
    return watch_over(lambda stop_requested, report_child, killed: _run_lives(
        load_makers, stop_requested, report_child, killed))


def _makers() -> Makers:
    from mb_ros.compose import makers_of
    return makers_of(sys.argv[1:])


def _run_lives(load_makers: LoadMakers, stop_requested: Callable[[], bool],
               report_child: Callable[[int], object], killed: int | None) -> int:
    """Be the template process: fork lives; return the exit code of the last one.

    killed: exit code of the template process before, if that was killed.
    """
    from mb_ros.node_main import USER_ERROR
    gc.disable()            # imports leave next to no garbage; to look for it takes a tenth of them
    makers = load_makers()
    if makers is None:
        return USER_ERROR
    names = ', '.join(make.__name__ for make in makers)
    restart_reason = f'{names}: {_in_words(killed)}, begins again' if killed else ''
    short_lives = 0
    while True:
        begin = time.monotonic()
        imports, imports_writer = os.pipe()
        gc.freeze()         # lives share what was imported, and need not look through it
        template, life = os.getpid(), os.fork()
        if life == 0:
            os.close(imports)
            _be_life(template, imports_writer, makers, restart_reason)
        os.close(imports_writer)
        report_child(life)
        code = _wait_for_life(life, imports)
        if code in (0, USER_ERROR) or stop_requested():
            return code
        short_lives = short_lives + 1 if time.monotonic() - begin < SHORT_LIFE else 0
        if short_lives == MOST_SHORT_LIVES:
            _log().fatal(f'{names}: crashed {short_lives} times in a row, given up')
            return code
        restart_reason = f'{names}: {_in_words(code)}, begins again'
        if short_lives > 1:
            time.sleep(REST)
        if stop_requested():
            return code


def _be_life(template: int, imports: int, makers: Makers, restart_reason: str) -> None:
    """Run the nodes once in this fork, and end it; imports: pipe for what it imports.

    There is nothing to tidy up, and to delete all modules takes a second.  An ordinary exit might
    wait for threads of libraries, which a fork does not have.
    """
    code = 0
    try:
        end_with_parent(template, signal.SIGKILL)
        gc.enable()
        code = _run_nodes(imports, makers, restart_reason)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:                # also when interrupted since the nodes have ended
        os._exit(code)


def _run_nodes(imports: int, makers: Makers, restart_reason: str) -> int:
    """Run the nodes once with the usual handling of signals; return the exit code."""
    try:
        signal.signal(signal.SIGINT, EndAtOnce(0))      # until the nodes run
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        Thread(target=_write_imports, args=(imports,), daemon=True).start()
        from mb_ros.node_main import run
        if restart_reason:      # logged here: what ROS starts in the template, a fork would lack
            _log().error(restart_reason)
        run(makers or (), args=[])
    except KeyboardInterrupt:
        pass
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _write_imports(pipe: int) -> None:
    """Write the names of this project's imported modules to a pipe when no more are imported."""
    known = 0
    while len(sys.modules) > known:
        known = len(sys.modules)
        time.sleep(SETTLED)
    with open(pipe, 'w', encoding='utf-8') as names:
        names.write('\n'.join(name for name in list(sys.modules) if name.startswith(OURS)))


def _wait_for_life(life: int, imports: int) -> int:
    """Return the exit code of a life when it has ended; import what it has imported meanwhile."""
    with open(imports, encoding='utf-8') as names:      # until the life has written them, or ended
        missing = [name for name in names.read().split() if name not in sys.modules]
    code = None
    while missing and code is None:
        with suppress(ImportError):
            import_module(missing.pop(0))
        code = wait_for(life, os.WNOHANG)
    return (wait_for(life) if code is None else code) or 0


def _log():
    from rclpy.logging import get_logger
    return get_logger('keep')


def _in_words(code: int) -> str:
    """Return how a life has ended."""
    by_signal = code - 128 in set(signal.Signals)
    return f'ended by {signal.Signals(code - 128).name}' if by_signal else f'failed with {code}'
