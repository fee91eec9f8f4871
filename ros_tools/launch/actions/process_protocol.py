"""A child process in an asyncio loop: its output through pipes or terminals, and its end."""
import asyncio
from collections.abc import Callable
from contextlib import suppress
import os
import signal
import subprocess
import termios

DRAIN_TIME = 0.5        # [s] for output after the end, if a grandchild keeps the pipes open


class ProcessProtocol(asyncio.SubprocessProtocol):
    """What is known of a running process; its output is delivered after begin()."""

    def __init__(self, loop: asyncio.AbstractEventLoop,
                 on_data: Callable[[int, bytes], None]) -> None:
        self.exited = loop.create_future()
        self._loop = loop
        self._on_data = on_data
        self._waiting: list | None = []
        self._open = {1, 2}
        self._all_closed = loop.create_future()
        self._transport = None
        self._terminals: dict[int, int] = {}

    @property
    def pid(self) -> int:
        return self._transport.get_pid()

    def connection_made(self, transport) -> None:
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if self._waiting is None:
            self._on_data(fd, data)
        else:
            self._waiting.append((fd, data))

    def begin(self) -> None:
        """Deliver the output, also what came before."""
        waiting, self._waiting = self._waiting, None
        for fd, data in waiting:
            self._on_data(fd, data)

    def pipe_connection_lost(self, fd: int, exc) -> None:
        self._open.discard(fd)
        if not self._open and not self._all_closed.done():
            self._all_closed.set_result(None)

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(self._transport.get_returncode())

    def read_terminals(self, masters: dict[int, int]) -> None:
        """Take the output from these terminals, {1: ..., 2: ...}."""
        self._open = set(masters)
        self._terminals = dict(masters)
        for fd, master in masters.items():
            self._loop.add_reader(master, self._read_terminal, fd, master)

    def _read_terminal(self, fd: int, master: int) -> None:
        try:
            data = os.read(master, 65536)
        except OSError:         # EIO: the other side is closed
            data = b''
        if data:
            self.pipe_data_received(fd, data)
        else:
            self._close_terminal(fd)
            self.pipe_connection_lost(fd, None)

    def _close_terminal(self, fd: int) -> None:
        master = self._terminals.pop(fd, None)
        if master is not None:
            self._loop.remove_reader(master)
            os.close(master)

    async def drained(self) -> None:
        """Wait until all output of the ended process has been delivered."""
        await asyncio.wait([self._all_closed], timeout=DRAIN_TIME)

    def send_signal(self, signum: int) -> None:
        with suppress(ProcessLookupError):      # it has just ended
            self._transport.send_signal(signum)

    def close(self) -> None:
        for fd in list(self._terminals):
            self._close_terminal(fd)
        self._transport.close()


async def start_process(loop, cmd: list[str], *, shell: bool, tty: bool, cwd, env,
                        on_data: Callable[[int, bytes], None]) -> ProcessProtocol:
    """Start a program, or a command line for a shell; an OSError if that is impossible."""
    terminals = {fd: os.openpty() for fd in (1, 2)} if tty else {}
    streams = {}
    for fd, (_, slave) in terminals.items():
        without_newline_conversion(slave)
        streams['stdout' if fd == 1 else 'stderr'] = slave

    def protocol():
        return ProcessProtocol(loop, on_data)
    start, what = (loop.subprocess_shell, [' '.join(cmd)]) if shell else (loop.subprocess_exec, cmd)
    try:
        _, process = await start(
            protocol, *what, cwd=cwd, env=env,
            **{'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE,
               **streams})
    except BaseException:
        for master, _ in terminals.values():
            os.close(master)
        raise
    finally:
        for _, slave in terminals.values():
            os.close(slave)
    if tty:
        process.read_terminals({fd: master for fd, (master, _) in terminals.items()})
    return process


def without_newline_conversion(terminal: int) -> None:
    """Let a terminal pass output as it is, and not echo."""
    attributes = termios.tcgetattr(terminal)
    attributes[1] &= ~termios.ONLCR
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)


class ProcessLines:
    """Collects bytes and passes on each complete line as text, and what is left by flush()."""

    def __init__(self, write: Callable[[str], None], keep: bool) -> None:
        self._write = write
        self._keep = keep
        self._pieces = []
        self._rest = b''

    @property
    def everything(self) -> bytes:
        """All bytes so far, if they are kept."""
        return b''.join(self._pieces)

    def add(self, data: bytes) -> None:
        if self._keep:
            self._pieces.append(data)
        *lines, self._rest = (self._rest + data).split(b'\n')
        for line in lines:
            self._write(line.rstrip(b'\r').decode(errors='replace'))

    def flush(self) -> None:
        """Pass on an incomplete last line."""
        if self._rest:
            self._write(self._rest.decode(errors='replace'))
            self._rest = b''


class Escalation:
    """SIGTERM sigterm_timeout seconds after SIGINT, SIGKILL sigkill_timeout seconds later."""

    def __init__(self, name: str, logger, send: Callable[[signal.Signals], None],
                 sigterm_timeout: str, sigkill_timeout: str) -> None:
        self._name = name
        self._logger = logger
        self._send = send
        self._sigterm_timeout = sigterm_timeout
        self._sigkill_timeout = sigkill_timeout
        self._timers: list = []

    def start(self, loop) -> None:
        """Begin to count: SIGINT has been sent just now."""
        sigterm, sigkill = float(self._sigterm_timeout), float(self._sigkill_timeout)
        self._timers = [
            loop.call_later(sigterm, self._escalate, self._sigterm_timeout,
                            signal.SIGINT, signal.SIGTERM),
            loop.call_later(sigterm + sigkill, self._escalate, str(sigterm + sigkill),
                            signal.SIGTERM, signal.SIGKILL)]

    def _escalate(self, seconds: str, received: signal.Signals, next_one: signal.Signals) -> None:
        self._logger.error(
            f"process[{self._name}] failed to terminate '{seconds}' seconds after receiving "
            f"'{received.name}', escalating to '{next_one.name}'")
        self._send(next_one)

    def cancel(self) -> None:
        """Send nothing more: the process has ended."""
        for timer in self._timers:
            timer.cancel()
