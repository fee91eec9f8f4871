"""Nodes that come back at once when they crash.

    ros2 run mb_ros keep mb_estimators/estimator --ros-args -p sensors:="[crank_encoder]"

Takes what `compose` takes.  What nodes import takes seconds; a nursery imports it once, also what
of ours the first life imports when it knows its parameters, and every life of the nodes is a fork
of the nursery.  A life that ends by itself, or because what the user gave cannot be used, is the
last one.  The nursery itself is watched over by a process that imports next to nothing: signals
reach the nodes, and everything ends, whatever the others are doing.
"""

from contextlib import suppress
from importlib import import_module
import os
import signal
import sys
from threading import Thread
import time
import traceback

from mb_ros.program import end_with_parent
from mb_ros.watch_over import SIGNALS, watch_over

SHORT_LIFE = 2.0            # [s]
MOST_SHORT_LIVES = 5        # in a row; then whatever is wrong will not pass
REST = 0.5                  # before another life after a short one [s]
SETTLED = 1.5               # time without imports after which a life has what it needs [s]
OURS = 'mb_'                # beginning of the modules that a nursery imports after a life


def main():
    """Run the nodes that the command line names, again and again."""
    return kept(_makers)


def kept(makers):
    """Run nodes again and again; return the exit code.

    makers(): in the nursery, what makes each node, or None if the user got something wrong.
    """
    return watch_over(lambda told, tell: _nurse(makers, told, tell))


def _makers():
    from mb_ros.compose import makers_of
    return makers_of(sys.argv[1:])


def _nurse(load, told, tell):
    """Return the exit code of the last life; told(): whether to end; tell(process id) of a life."""
    from mb_ros.node_main import USER_ERROR
    makers = load()
    if makers is None:
        return USER_ERROR
    names = ', '.join(make.__name__ for make in makers)
    news, short_lives = '', 0       # news: what the next life is to tell
    while True:
        begin = time.monotonic()
        pipe, pipe_of_life = os.pipe()
        nursery, life = os.getpid(), os.fork()
        if life == 0:
            os.close(pipe)
            _begin_life(nursery, pipe_of_life)
            _leave(_live(makers, news))
        os.close(pipe_of_life)
        tell(life)
        code = _end_of(life, pipe)
        if code in (0, USER_ERROR) or told():
            return code
        short_lives = short_lives + 1 if time.monotonic() - begin < SHORT_LIFE else 0
        if short_lives == MOST_SHORT_LIVES:
            _log().fatal(f'{names}: crashed {short_lives} times in a row, given up')
            return code
        news = f'{names}: {_in_words(code)}, begins again'
        if short_lives > 1:
            time.sleep(REST)
        if told():
            return code


def _begin_life(nursery, pipe):
    """Be a process of its own, which ends with the nursery and hears signals as others do."""
    end_with_parent(nursery, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    Thread(target=_tell_imports, args=(pipe,), daemon=True).start()


def _live(makers, news):
    """Run the nodes once; return the exit code."""
    try:
        from mb_ros.node_main import run
        if news:        # not told by the nursery: whatever ROS has begun there, a fork would lack
            _log().error(news)
        run(makers, args=[])
    except KeyboardInterrupt:
        pass
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _leave(code):
    """End at once: there is nothing to tidy up, and to forget all modules takes a second.

    What libraries do at the end of a process waits for threads that a fork does not have.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _tell_imports(pipe):
    """Write the names of the imported modules of ours to a pipe when the nodes have settled."""
    known = 0
    while len(sys.modules) > known:
        known = len(sys.modules)
        time.sleep(SETTLED)
    with open(pipe, 'w', encoding='utf-8') as names:
        names.write('\n'.join(name for name in list(sys.modules) if name.startswith(OURS)))


def _end_of(life, pipe):
    """Return the exit code of a life when it has ended, as of shells for a signal.

    Imports what the life has imported, as long as it lives.
    """
    with open(pipe, encoding='utf-8') as names:     # until it has told them, or ended
        missing = [name for name in names.read().split() if name not in sys.modules]
    ended = 0
    while missing and not ended:
        with suppress(ImportError):
            import_module(missing.pop(0))
        ended, status = os.waitpid(life, os.WNOHANG)
    if not ended:
        _, status = os.waitpid(life, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _log():
    from rclpy.logging import get_logger
    return get_logger('keep')


def _in_words(code):
    """Return how a life has ended."""
    return f'ended by {signal.Signals(code - 128).name}' if code > 128 else f'failed with {code}'
