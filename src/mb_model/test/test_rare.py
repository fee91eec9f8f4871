"""Kernels that wait until what they are for is met, and in commands until they are called."""

import ast
import os
from pathlib import Path
import pickle
import subprocess
import sys

import numba
from numba.core.errors import TypingError
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.jit.kernel import PLAIN

pytestmark = pytest.mark.skipif(PLAIN, reason='numba as it is compiles everything at once')

RARE = """
from numba import float64, int64
import numpy as np
from mb_model.jit import Rare

MODEL = np.dtype([('n', np.int64), ('a', np.float64, (4,))])
OTHER = np.dtype([('n', np.int64), ('a', np.float64, (5,))])
RARE = Rare()


@RARE.separate(float64, MODEL, float64[::1], float64, later=(OTHER, float64[::1], float64))
def scaled(model, b, factor):
    if model.n < 0:
        raise ValueError('negative')
    total = 0.0
    for i in range(model.n):
        total += factor * model.a[i] * b[i]
    return total


def later():
    @RARE.separate(RETURNS, int64)
    def doubled(number):
        return 2 * number
    return doubled
"""

CALLER = """
from numba import njit
import numpy as np
from rare import MODEL, OTHER, RARE, later, scaled


@njit(cache=True)
def question(models, b, factor):
    return scaled(models[0], b, factor) + 1.0


def answer(dtype, count):
    models = np.zeros(1, dtype)
    models['n'] = count
    try:
        print(question(models, np.array([1.0, 2.0, 3.0, 4.0]), 2))
    except (RuntimeError, ValueError) as error:
        print(error)


answer(MODEL, 4)
answer(OTHER, 4)
print(len(scaled.signatures))
RARE.met()
print(len(scaled.signatures))
answer(MODEL, 0)
answer(MODEL, -1)
answer(OTHER, 4)
print(later()(21))
RARE.met(later=True)
answer(OTHER, 0)
print(sum(question.stats.cache_hits.values()))
"""


def _run(program, *arguments, ahead='1'):
    """Run a program in a new process, ahead: as nodes do; return its lines and its errors."""
    process = subprocess.run([sys.executable, '-B', program, *arguments], text=True,
                             capture_output=True, check=False,
                             env=os.environ | {'MB_COMPILE_AHEAD': ahead})
    return process.stdout.splitlines(), process.stderr


@pytest.fixture
def run(tmp_path):
    """Return a function that runs the caller with the type that a kernel is said to return."""
    (tmp_path / 'caller.py').write_text(CALLER)

    def run(returns, ahead='1', more=''):
        (tmp_path / 'rare.py').write_text(RARE.replace('RETURNS', returns) + more)
        return _run(tmp_path / 'caller.py', ahead=ahead)
    return run


@pytest.mark.parametrize(('ahead', 'met'), [('1', '1'), ('', '0')])
def test_a_kernel_waits_until_it_is_met_or_called_also_where_callers_are_cached(run, ahead, met):
    early = 'rare.scaled: called before what it is for was met'
    for hits in ('0', '2'):
        said, error = run('int64', ahead)
        assert said == [early, early, '0', met, '1.0', 'negative', '1.0', '42', '1.0', hits], error


FAILING = """
from mb_model.jit import rare


def fail(*_):
    raise {error}('no')


rare.compiled_for = fail
"""


@pytest.mark.parametrize(('error', 'reported'), [
    ('KeyboardInterrupt', 'KeyboardInterrupt'),
    ('TypeError', 'rare.scaled: could not be compiled')])
def test_what_keeps_a_called_kernel_from_being_compiled_is_passed_on(run, error, reported):
    """Compiled code must not go on: there is nothing to call."""
    said, printed = run('int64', ahead='', more=FAILING.format(error=error))
    assert any(reported in line for line in (*said, printed))
    assert ('Traceback' in printed) == (error == 'KeyboardInterrupt' or 'TypeError: no' in printed)


def test_what_a_kernel_returns_has_to_be_said_right(run):
    said, error = run('float64')
    assert len(said) == 7
    assert 'TypeError: rare.later.<locals>.doubled: returns int64, not float64' in error


UNPICKLED = """
from importlib import import_module
import pickle, sys
from mb_model import load_mechanism
kernel = getattr(import_module(sys.argv[2]), sys.argv[3])
load_mechanism('four_bar')
print(len(kernel.signatures))
mechanism = pickle.load(open(sys.argv[1], 'rb'))
print(mechanism.forward_dynamics(mechanism.z0, mechanism.zd0).tolist(), len(kernel.signatures))
"""


@pytest.mark.parametrize(('module', 'kernel', 'mechanism', 'change'), [
    ('spatial_forces', 'add_forces', 'spatial_slider_crank', {}),
    ('force_elements', '_add_rare', 'racing_car', {}),
    ('characteristics', 'add_curves', 'four_bar', {'forces': {'coil': {
        'kind': 'characteristic', 'coordinate': 'theta', 'of_coordinate': '-40 * (x - 0.2)'}}}),
    ('programs', 'run', 'five_bar', {
        'independent': ['theta1'], 'start': {'theta2': None}, 'constraints': {'drive': {
            'kind': 'prescribed', 'coordinate': 'theta2', 'motion': '2 + t'}}})])
def test_kernels_wait_for_a_mechanism_that_may_come_from_another_process(
        tmp_path, module, kernel, mechanism, change):
    mechanism = load_mechanism(mechanism)
    if change:
        mechanism = mechanism.replace(**change)
    (tmp_path / 'mechanism').write_bytes(pickle.dumps(mechanism))
    (tmp_path / 'program.py').write_text(UNPICKLED)
    said, error = _run(tmp_path / 'program.py', tmp_path / 'mechanism',
                       f'mb_model.kernels.{module}', kernel)
    expected = mechanism.forward_dynamics(mechanism.z0, mechanism.zd0)
    assert said == ['0', f'{np.asarray(expected).tolist()} 1'], error


MET_FIRST = """
from importlib import import_module
from pkgutil import iter_modules
import sys
from mb_model.registry.spatial import IN_SPACE
IN_SPACE.met(later=True)
loaded = 'mb_model.kernels.space_joints' in sys.modules
import mb_model.kernels
for module in iter_modules(mb_model.kernels.__path__):
    import_module(f'mb_model.kernels.{module.name}')
print(loaded, len(mb_model.kernels.space_joints.move_bodies.signatures))
"""


def test_each_kernel_stands_below_those_it_calls(tmp_path):
    """Kernels of modules that come after the first machine in space are compiled in their order."""
    (tmp_path / 'program.py').write_text(MET_FIRST)
    said, error = _run(tmp_path / 'program.py')
    assert said == ['False 2'], error


def test_a_caller_with_other_types_is_refused_with_the_right_ones():
    from mb_model.kernels.spatial_forces import add_forces

    @numba.njit
    def wrong(x):
        add_forces(x, x)

    with pytest.raises(TypingError, match=r'signatures:\n \* \(mb_model.record.MODEL'):
        wrong(1.0)


def _below(tree):
    """Return (kernel, name) where a separate kernel uses a name that its file defines below it."""
    place = {}
    for node in tree.body:
        names = [node.name] if isinstance(node, ast.FunctionDef) else [
            name.id for name in ast.walk(node) if isinstance(name, ast.Name)
            and isinstance(name.ctx, ast.Store)]
        place |= dict.fromkeys(names, node.lineno)
    return {(kernel.name, name.id) for kernel in tree.body if isinstance(kernel, ast.FunctionDef)
            and 'separate' in ' '.join(map(ast.unparse, kernel.decorator_list))
            for name in ast.walk(kernel) if isinstance(name, ast.Name)
            and place.get(name.id, 0) > kernel.lineno}


def test_separate_kernels_stand_below_what_they_use_in_their_file():
    """They are compiled where they stand, if what they are for was met before."""
    assert _below(ast.parse('@separate(int64)\ndef f(x):\n    return g(x)\n\ndef g(x): ...')) == {
        ('f', 'g')}
    files = [*Path(__file__).parents[2].glob('mb_*/mb_*/**/*.py')]
    assert len(files) > 500
    assert {(file.name, *found) for file in files
            for found in _below(ast.parse(file.read_text(encoding='utf-8')))} == set()
