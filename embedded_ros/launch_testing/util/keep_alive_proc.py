"""A process that does nothing until it is ended."""
import sys

from launch.actions import ExecuteProcess

SCRIPT = ('import signal; ends = {signal.SIGINT, signal.SIGTERM}; '
          'signal.pthread_sigmask(signal.SIG_BLOCK, ends); signal.sigwait(ends)')


class KeepAliveProc(ExecuteProcess):
    """Keeps a launch alive whose other processes have ended, or that has none."""

    def __init__(self):
        super().__init__(cmd=[sys.executable, '-I', '-S', '-c', SCRIPT], name='keep_alive')
