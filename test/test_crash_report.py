"""What is printed when pytest itself crashes."""

import os
from pathlib import Path
import shutil
import subprocess
import sys

import pytest

ROOT = Path(__file__).resolve().parents[1]
CRASHES = """
import ctypes
import os
import threading

def test_crash():
    {crash}
"""
AS_A_THREAD = """start = ctypes.CDLL(None).pthread_create
    start(ctypes.byref(ctypes.c_void_p()), None, ctypes.CDLL(None).abort, None)
    threading.Event().wait()"""


@pytest.mark.parametrize(('crash', 'message'), [
    ('os.abort()', 'line 7 in test_crash'),
    (AS_A_THREAD, 'A thread of a library crashed; meanwhile the main thread:'),
], ids=['main thread', 'thread of a library'])
def test_crash(tmp_path, crash, message):
    shutil.copy(ROOT / 'conftest.py', tmp_path)
    (tmp_path / 'test_it.py').write_text(CRASHES.format(crash=crash))
    ended = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_it.py'],
        cwd=tmp_path, env={**os.environ, 'CRASH_REPORT': 'crash.txt'}, capture_output=True)
    done = subprocess.run(
        [sys.executable, ROOT / 'test/crash_report.py', tmp_path / 'crash.txt',
         str(128 - ended.returncode)], text=True, capture_output=True)
    assert done.returncode == 134
    assert 'ended by SIGABRT: test_it.py::test_crash' in done.stdout
    assert message in done.stdout
    assert 'Extension modules' not in done.stdout
