"""Another process that reads what strangers wrote: a line of JSON asks, a line of JSON answers.

It has little memory and so much time for each question; one that breaks it, or that it does not
end, costs that process.  It is started at need, and ended with this one.
"""

import atexit
from collections.abc import Callable
import json
import os
import select
import subprocess
import sys
from tempfile import TemporaryDirectory
import threading
import time
from typing import Any

_PART = 1 << 20          # of an answer [bytes]
Answer = dict[str, Any]


class BrokenOffError(Exception):
    """The process ended without an answer."""


class LineProcess:
    """Asks a module that serves, see `serve`."""

    def __init__(self, module: str, patience: float) -> None:
        """Start nothing yet; patience: for one question [s]."""
        self.patience = patience
        self._module, self._lock = module, threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def ask(self, question: Answer) -> Answer:
        """Return the answer; raises BrokenOffError and TimeoutError."""
        with self._lock:
            answer: Answer = json.loads(self._line(json.dumps(question).encode() + b'\n'))
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _line(self, question: bytes) -> bytes:
        process = self._process = self._process or self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError('started without pipes')
        answer, end = b'', time.monotonic() + self.patience
        try:
            process.stdin.write(question)
        except OSError:
            self.close()
            raise BrokenOffError from None
        while not answer.endswith(b'\n'):
            left = max(0.0, end - time.monotonic())
            ready, _, _ = select.select([process.stdout], [], [], left)
            part = os.read(process.stdout.fileno(), _PART) if ready else b''
            if not part:
                self.close()
                raise BrokenOffError if ready else TimeoutError
            answer += part
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the process; it finds the same packages as this one."""
        path = os.pathsep.join(filter(None, sys.path))
        return subprocess.Popen([sys.executable, '-m', self._module], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, bufsize=0, stderr=subprocess.DEVNULL,
                                env=os.environ | {'PYTHONPATH': path})


def serve(answer: Callable[[Answer], str], memory: int) -> None:
    """Answer what started this process until it ends, in a folder of its own.

    answer: of a question, as one line of JSON; memory: of addresses, at most [bytes].
    """
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)         # of what others print
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in sys.stdin:
            answers.write(answer(json.loads(line)) + '\n')
            answers.flush()
