"""What failed beside others is run again alone, and only that."""

from pathlib import Path
import subprocess
import sys

import pytest

RETEST = Path(__file__).with_name('retest.py')
TESTS = """
from pathlib import Path
import pytest

@pytest.mark.parametrize('name', {names})
def test_one(name):
    seen = Path(name)
    first, always = not seen.exists(), name.startswith('always')
    seen.touch()
    assert not (always or first)

def test_other():
    assert not Path('once').exists()        # runs before them
    Path('once').touch()
"""


def retested(folder, names, code=None):
    """Return (exit code, output) after tests of these names have failed once."""
    (folder / 'test_it.py').write_text(TESTS.format(names=names))
    first = subprocess.run([sys.executable, '-m', 'pytest', '-q', 'test_it.py::test_other',
                            'test_it.py'], cwd=folder, check=False).returncode
    assert first == 1
    done = subprocess.run([sys.executable, RETEST, str(first if code is None else code)],
                          cwd=folder, text=True, capture_output=True, check=False)
    return done.returncode, done.stdout


def test_what_passes_alone_is_said(tmp_path):
    code, printed = retested(tmp_path, ['a', 'b::c'.replace(':', '-')])
    assert code == 0
    assert '2 passed' in printed        # not the other one
    assert printed.endswith('PASSED ALONE:\n  test_it.py::test_one[a]\n'
                            '  test_it.py::test_one[b--c]\n')


@pytest.mark.parametrize(('names', 'code'), [
    (['a', 'always'], 1), ([f'n{k}' for k in range(11)], 1), (['a'], 3), (['a'], 134)])
def test_what_stays_a_failure(tmp_path, names, code):
    given, printed = retested(tmp_path, names, code)
    assert given == code
    assert 'PASSED ALONE' not in printed
