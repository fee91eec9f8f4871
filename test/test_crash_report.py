"""What is printed when pytest itself crashes."""

import os
from pathlib import Path
import re
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

def test_next():
    pass
"""
AS_A_THREAD = """start = ctypes.CDLL(None).pthread_create
    start(ctypes.byref(ctypes.c_void_p()), None, ctypes.CDLL(None).abort, None)
    threading.Event().wait()"""


CRASHES_IN_MAIN = ('os.abort()', 'line 7 in test_crash')
CRASHES_IN_LIBRARY = (AS_A_THREAD, 'A thread of a library crashed; meanwhile the main thread:')


def reported(folder, crash, *options):
    """Return (exit code of pytest, what it and the report print) where a test crashes."""
    shutil.copy(ROOT / 'conftest.py', folder)
    (folder / 'test_it.py').write_text(CRASHES.format(crash=crash))
    ended = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', *options, '.'],
        cwd=folder, env={**os.environ, 'CRASH_REPORT': 'crash.txt', 'PYTEST_ADDOPTS': ''},
        capture_output=True, text=True, check=False)
    code = ended.returncode if ended.returncode >= 0 else 128 - ended.returncode
    done = subprocess.run(
        [sys.executable, ROOT / 'test/crash_report.py', folder / 'crash.txt', str(code)],
        text=True, capture_output=True, check=False)
    assert done.returncode == (3 if code == 1 else code)
    assert 'Extension modules' not in done.stdout
    return code, ended.stdout, done.stdout


@pytest.mark.parametrize(('crash', 'message'), [CRASHES_IN_MAIN, CRASHES_IN_LIBRARY],
                         ids=['main thread', 'thread of a library'])
def test_crash(tmp_path, crash, message):
    code, _, printed = reported(tmp_path, crash)
    assert code == 134
    assert 'ended by SIGABRT: test_it.py::test_crash' in printed
    assert message in printed


@pytest.mark.whole
@pytest.mark.parametrize(('crash', 'message'), [CRASHES_IN_MAIN, CRASHES_IN_LIBRARY],
                         ids=['main thread', 'thread of a library'])
def test_crash_of_a_worker(tmp_path, crash, message):
    """Another worker goes on with the next test, and the report says where it was."""
    (tmp_path / 'test_other.py').write_text('def test_other():\n    pass\n')
    (tmp_path / 'crash.txt.gw7').write_text('of an earlier run (most recent call first)')
    code, output, printed = reported(tmp_path, crash, '-n2', '--dist=loadfile')
    assert code == 1
    assert '1 failed, 2 passed' in output
    assert re.search(r'^Worker gw\d crashed: test_it.py::test_crash$', printed, re.MULTILINE)
    assert printed.count('crashed:') == 1
    assert message in printed
