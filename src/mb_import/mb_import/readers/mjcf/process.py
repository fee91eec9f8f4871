"""The other process that compiles MJCF, see compiling: started at need, ended with this one."""

import atexit
from importlib.util import find_spec
import json
import os
from pathlib import Path
import select
import subprocess
import sys
import threading
import time

from mb_import.notes import Notes
from mb_import.readers.mjcf.records import Compiled, compiled_of

_PATIENCE = 60.0         # for one file [s]
_PART = 1 << 20          # of an answer [bytes]
_START = [sys.executable, '-m', 'mb_import.readers.mjcf.compiling']


class Compiler:
    """MuJoCo's compiler in a process; a text that breaks it costs that process."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        """Start nothing yet; patience: for one file [s]."""
        self._patience = patience
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def compile(self, text: str, folder: Path, notes: Notes) -> Compiled:
        """Return an MJCF text as compiled; folder: of its meshes.  Raises MechanismError."""
        request = json.dumps({'text': text, 'folder': str(folder.resolve())})
        with self._lock:
            line = self._ask(request.encode() + b'\n', notes)
        values = json.loads(line)
        if 'error' in values:
            raise notes.error('MJCF', ' '.join(values['error'].split()))
        return compiled_of(values)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, request: bytes, notes: Notes) -> bytes:
        """Return the line that answers a request."""
        process = self._process = self._process or _started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError('started without pipes')
        answer, end = b'', time.monotonic() + self._patience
        broken = notes.error('MJCF', 'MuJoCo broke off while it read this')
        try:
            process.stdin.write(request)
        except OSError:
            self.close()
            raise broken from None
        while not answer.endswith(b'\n'):
            left = max(0.0, end - time.monotonic())
            ready, _, _ = select.select([process.stdout], [], [], left)
            part = os.read(process.stdout.fileno(), _PART) if ready else b''
            if not part:
                self.close()
                raise broken if ready else notes.error(
                    'MJCF', f'MuJoCo read it for {self._patience:g} s without an end')
            answer += part
        return answer


def _started() -> subprocess.Popen[bytes]:
    """Return the process; it finds the same packages as this one."""
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(_START, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                            stderr=subprocess.DEVNULL, env=os.environ | {'PYTHONPATH': path})


def require_mujoco(notes: Notes) -> None:
    """Raise MechanismError if MuJoCo is not installed."""
    if find_spec('mujoco') is None:
        raise notes.error('MJCF', 'needs MuJoCo: pip install mujoco')


COMPILER = Compiler()
atexit.register(COMPILER.close)
