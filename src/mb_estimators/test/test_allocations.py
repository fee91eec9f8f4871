"""A step of a compiled filter asks for no memory: malloc is counted, in its own process."""

import json
import os
from pathlib import Path
import subprocess
import sys

from exported import needs_compiler
import pytest

from mb_estimators import available_filters

pytestmark = pytest.mark.whole
HERE = Path(__file__).parent
BANKS = {'branch_filter', 'interacting_models'}         # several filters, put together in Python
IN_PYTHON = {'fixed_lag_smoother', 'moving_horizon'}    # graphs of GTSAM, which allocates


@pytest.fixture(scope='module')
def found(tmp_path_factory):
    """What steps ask for, by filter; see counted_steps."""
    library = tmp_path_factory.mktemp('malloc') / 'counted_malloc.so'
    subprocess.run(['cc', '-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', library,
                    HERE / 'counted_malloc.c', '-ldl'], check=True)
    done = subprocess.run([sys.executable, HERE / 'counted_steps.py', library], text=True,
                          capture_output=True, check=True,
                          env={**os.environ, 'LD_PRELOAD': str(library)})
    return json.loads(done.stdout.splitlines()[-1])


@needs_compiler
def test_steps_of_compiled_filters_ask_for_nothing(found):
    """A call from Python asks for a note on each array that it hands over; NumPy's += for room."""
    pythons = {*found['']['call'], *found['']['add']}
    asked = {(name, part): sorted(set(sizes) - pythons)
             for name, parts in found.items() if name for part, sizes in parts.items()}
    assert {key: sizes for key, sizes in asked.items() if sizes} == {}


@needs_compiler
def test_an_array_of_a_kernel_would_be_seen(found):
    assert set(found['']['allocates']) - {*found['']['call'], *found['']['add']}


@needs_compiler
def test_every_filter_was_counted(found):
    assert {*found} - {''} == {*available_filters()} - BANKS - IN_PYTHON
