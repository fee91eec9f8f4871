"""Programs that are to keep their memory do, and say why where they cannot."""

import os
import re
import resource
import subprocess
import sys

import pytest

from mb_ros.memory_lock import LOCK, lock_memory

PROGRAM = 'from mb_ros.program import node; import sys; sys.exit(node.shows_memory())'
SHOWS = """
def main():
    locked = bytearray(b'1' * 50_000_000)       # after it was locked
    print(open('/proc/self/status').read())
"""


def locked(folder, **environment):
    """Return how much memory a program has locked [kB], and what it complains of."""
    (folder / 'shows_memory.py').write_text(SHOWS)
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM], text=True, capture_output=True, check=True,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(
            [str(folder), os.environ.get('PYTHONPATH', '')]), **environment})
    return int(re.search(r'VmLck:\s*(\d+)', done.stdout)[1]), done.stderr


def test_a_program_locks_what_it_has_and_gets(tmp_path):
    assert locked(tmp_path) == (0, '')
    size, problem = locked(tmp_path, **{LOCK: '1'})
    assert size > 50_000 or 'expected root, a container with CAP_IPC_LOCK' in problem


@pytest.mark.parametrize('limit', [0, 64 << 20])
def test_a_limit_is_said_and_locks_nothing(monkeypatch, limit):
    """With a limit, a process would run out of memory when it asks for more."""
    monkeypatch.setattr('mb_ros.memory_lock._is_capable', lambda: False)
    monkeypatch.setattr(resource, 'getrlimit', lambda _: (limit, limit))
    assert lock_memory().startswith('memory is not locked: expected root')
