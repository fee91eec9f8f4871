"""Rerun's own servers, in a process that only the page of this process can reach.

By default they listen to the whole network, answer any page that a browser shows, let any program
write, and report how they are used.  Ours listen on an address of this machine that no page can
guess, and end with the process that began them.
"""

from importlib.util import find_spec
import os
from pathlib import Path
import secrets
import socket
import subprocess
import sys
import time

PATIENCE = 30.0         # until the servers answer [s]
CALM = 2.0              # for them to end by themselves [s]
POLL = 0.02             # [s]
PROGRAMS = 'rerun', 'rerun.exe', 'Rerun.app/Contents/MacOS/Rerun'
QUIET = {'CI': 'true', 'TELEMETRY_ENABLED': 'false', 'RUST_LOG': 'error'}   # no reports on usage
END_WITH_PARENT = (
    'import os, signal, sys\n'
    'from mb_ros.program import end_with_parent\n'
    'end_with_parent(int(sys.argv[1]), signal.SIGKILL)\n'
    'os.execv(sys.argv[2], sys.argv[2:])\n')


class ViewerServers:
    """The files of the viewer on `page`, and what it shows on `data`: (address, port) each."""

    def __init__(self, memory: float):
        """Begin; memory: kept for later browsers [MB].

        Raises RuntimeError if they do not answer.
        """
        address = _own_address()
        self.page, self.data = (address, _free_port(address)), (address, _free_port(address))
        words = [str(_program()), '--serve-web', '--bind', address, '--web-viewer-port',
                 str(self.page[1]), '--port', str(self.data[1]), '--server-memory-limit',
                 f'{memory:g}MB']
        self._process = subprocess.Popen(
            [sys.executable, '-c', END_WITH_PARENT, str(os.getpid()), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, **QUIET}, start_new_session=True)    # not ended by Ctrl-C, but by us
        try:
            for one in (self.page, self.data):
                self._wait_for(one)
        except BaseException:
            self.close()
            raise

    @property
    def url(self):
        """Where Rerun's SDK sends its data."""
        return f'rerun+http://{self.data[0]}:{self.data[1]}/proxy'

    def problem(self):
        """Return why nothing can be shown any more, in words, None if it can."""
        code = self._process.poll()
        return None if code is None else f"Rerun's server has ended with {code}"

    def close(self):
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(CALM)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_for(self, server: tuple[str, int]):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(server, timeout=PATIENCE).close()
                return
            except OSError:
                problem = self.problem() or (
                    f"Rerun's server does not answer within {PATIENCE:g} s"
                    if time.monotonic() > end else None)
                if problem:
                    raise RuntimeError(problem) from None
            time.sleep(POLL)


def _program():
    """Return the path of Rerun's program, as its package has it."""
    folder = Path(*find_spec('rerun_cli').submodule_search_locations)
    return next(folder / name for name in PROGRAMS if (folder / name).is_file())


def _own_address():
    """Return an address of this machine that is hard to guess, if the system has many."""
    drawn = '.'.join(['127', *(str(secrets.randbelow(254) + 1) for _ in range(3))])
    with socket.socket() as probe:
        try:
            probe.bind((drawn, 0))
        except OSError:
            return '127.0.0.1'
    return drawn


def _free_port(address: str):
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]
