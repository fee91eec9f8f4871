"""What keeps compiled code quick to start and never outdated."""

import subprocess
import sys

import pytest

from mb_model import warm_up
from mb_model.kernels import entry_points
from mb_model.pictures.space.raster import fill, outline, stroke


@pytest.mark.whole
def test_warming_up_compiles_every_entry_point():
    warm_up.warm_up()
    uncompiled = [name for name in entry_points.__all__
                  if not getattr(entry_points, name).signatures]
    assert uncompiled == []
    assert [len(kernel.signatures) for kernel in (fill, stroke, outline)] == [1, 1, 1]


KERNEL = """
from mb_model.jit import entry
from mb_demo.constants import (
    TEN,
    twice,
)

@entry
def answer():
    return twice(TEN)
"""

CONSTANTS = """
from mb_model.jit import entry

TEN = 10

@entry
def twice(number):
    return 2 * number
"""


@pytest.mark.whole
def test_a_change_of_what_a_kernel_imports_outdates_its_compiled_code(tmp_path):
    folder = tmp_path / 'mb_demo'
    folder.mkdir()
    (folder / '__init__.py').write_text('')
    (folder / 'kernel.py').write_text(KERNEL)

    def run(constants):
        """Return the answer of a new process, and how often it came from the cache."""
        (folder / 'constants.py').write_text(constants)
        process = subprocess.run(
            [sys.executable, '-B', '-c', 'from mb_demo.kernel import answer; '
             'print(answer(), sum(answer.stats.cache_hits.values()))'],
            cwd=tmp_path, text=True, capture_output=True, check=True)
        return process.stdout.split()

    assert run(CONSTANTS) == ['20', '0']
    assert run(CONSTANTS) == ['20', '1']
    assert run(CONSTANTS.replace('TEN = 10', 'TEN = 11')) == ['22', '0']
    assert run(CONSTANTS.replace('2 *', '3 *')) == ['30', '0']
