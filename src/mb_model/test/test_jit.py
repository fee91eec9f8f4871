"""Compiled functions: what their decorators promise, with numba's insides and without."""

import gc
import operator
import os
import subprocess
import sys
import weakref

from numba import float64, int64
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types import none
import numpy as np
import pytest

from mb_model.jit import uncollected
from mb_model.jit.kernel import PLAIN

KERNEL = """
from numba import float64
import numpy as np
from mb_model.jit import separate

MODEL = np.dtype([('n', np.int64), ('a', np.float64, (4,))])


@separate(MODEL, MODEL['a'], float64)
def scaled(model, b, factor):
    if model.n < 0:
        raise ValueError('negative')
    total = 0.0
    for i in range(model.n):
        total += factor * model.a[i] * b[i]
    return total, model.n
"""

CALLER = """
from numba import njit
import numpy as np
from kernel import MODEL, scaled


@njit(cache=True)
def question(models, factor):
    total, count = scaled(models[0], models[0].a, factor)
    return total + count


models = np.zeros(1, MODEL)
models['n'], models['a'] = 2, 3.0
print(question(models, 1), sum(question.stats.cache_hits.values()))
models['n'] = -1
question(models, 1)
"""


@pytest.fixture
def answer(tmp_path):
    """Return a function that runs the caller in a new process: its words, and its error."""
    (tmp_path / 'caller.py').write_text(CALLER)

    def run(kernel, **environment):
        (tmp_path / 'kernel.py').write_text(kernel)
        process = subprocess.run([sys.executable, '-B', tmp_path / 'caller.py'], text=True,
                                 capture_output=True, check=False, env=os.environ | environment)
        return process.stdout.split(), process.stderr
    return run


def test_a_caller_from_the_cache_calls_the_kernel_as_it_is_now(answer):
    assert answer(KERNEL)[0] == ['20.0', '0']
    assert answer(KERNEL)[0] == ['20.0', '1']
    assert answer(KERNEL.replace('total +=', 'total -='))[0] == ['-16.0', '1']


def test_errors_pass_through_the_caller(answer):
    assert 'ValueError: negative' in answer(KERNEL)[1]


def test_a_separate_kernel_can_be_called_from_python():
    from mb_model import load_mechanism
    from mb_model.kernels.velocity import solve_velocity
    mechanism = load_mechanism('four_bar')
    work = mechanism.workspace()
    work['q'][0, :mechanism.n] = mechanism.q0
    work['zd'][0, 0] = 1.0
    assert solve_velocity(mechanism.model[0], work[0])
    np.testing.assert_array_equal(work['qd'][0, :mechanism.n],
                                  mechanism.velocity(mechanism.q0, [1.0]))


COPIED = """
import numba
numba.__version__ = VERSION or numba.__version__
import numpy as np
from mb_model.jit import by_type
from mb_model.jit.kernel import PLAIN, entry, inlined, kernel


@kernel
def add(a, b, out):
    for i in range(out.size):
        out[i] += a[i] + b


@kernel
def subtract(a, b, out):
    for i in range(out.size):
        out[i] -= a[i] + b


add_reals = by_type(lambda types: add if types[0].dtype.bitwidth == 64 else subtract, 'add_reals')


@inlined
def twice(a):
    return 2.0 * a


@entry
def total(a, out):
    add(a, 0, out)
    add_reals(a, 3, out)
    out[0] += twice(0.5)
    if out[0] < 0.0:
        raise ValueError('negative')
    return out.sum()


print(total(np.arange(3.0), np.zeros(3)), PLAIN, len(add.signatures),
      sum(total.stats.cache_hits.values()))
try:
    print(add(np.arange(3.0), 1, np.zeros(3)))
except TypeError as error:
    print(error)
total(np.arange(3.0), np.full(3, -9.0))
"""


@pytest.fixture
def copied(tmp_path):
    """Return a function that runs a program of copied kernels: its words, and its error."""
    def run(version='', **environment):
        program = tmp_path / 'copied.py'
        program.write_text(COPIED.replace('VERSION', repr(version)))
        process = subprocess.run([sys.executable, '-B', program], text=True, capture_output=True,
                                 check=False, env=os.environ | environment)
        return process.stdout.splitlines(), process.stderr
    return run


def test_a_kernel_is_copied_compiled_once_for_all_constants_and_cached(copied):
    said, error = copied()
    assert said[0] == '16.0 False 1 0', error
    assert 'ValueError: negative' in error
    assert copied()[0][0] == '16.0 False 0 1'


def test_a_kernel_is_not_called_from_python(copied):
    assert copied()[0][1] == ('__main__.add is called by compiled functions only; @entry makes a '
                              'function that Python may call, too')


@pytest.mark.whole
def test_without_numbas_insides_results_are_the_same(copied, answer):
    """One cache serves both: neither takes, or loses to the other, what it compiled."""
    for hits in '01':
        for plain, expected in (('', '16.0 False'), ('1', '16.0 True')):
            said, error = copied(MB_PLAIN_NJIT=plain)
            assert said[0].startswith(expected), error
            said, error = answer(KERNEL, MB_PLAIN_NJIT=plain)
            assert said == ['20.0', hits], error


@pytest.mark.skipif(PLAIN, reason='numba as it is')
def test_the_types_of_a_call_are_found_once(monkeypatch):
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    first = add.get_call_type(context, (float64, int64), {})
    for template in add.templates:
        monkeypatch.setattr(template, 'apply', lambda *_: pytest.fail('searched again'))
    again = context.resolve_value_type(operator.add)
    assert again.get_call_type(context, (float64, int64), {}) is first
    assert again.get_impl_key(first) is add.get_impl_key(first)


@pytest.mark.skipif(PLAIN, reason='numba as it is')
def test_calls_without_a_type_are_refused_every_time():
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(TypingError, match='No implementation of function'):
            add.get_call_type(context, (float64, none), {})


def test_an_unknown_numba_is_taken_as_it_is(copied):
    said, error = copied('0.99.0')
    assert said[0].startswith('16.0 True'), error


@pytest.fixture
def no_garbage_is_frozen():
    """Let garbage be collected, whatever froze some before, and leave nothing frozen."""
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.parametrize('for_good', [False, True])
def test_the_compilers_objects_are_old_afterwards_and_garbage_among_them_goes(
        for_good, no_garbage_is_frozen):
    class Own:
        pass

    with uncollected(for_good):
        assert not gc.isenabled()
        one = Own()
        one.itself = weakref.ref(one), one
        there, = one.itself[:1]
        del one
    assert gc.isenabled()
    gc.collect(1)                   # of young objects
    assert there() is not None
    gc.collect()
    assert (there() is not None) == for_good


INTERRUPTED = """
import os, signal
from llvmlite.binding.executionengine import ExecutionEngine
import numpy as np
from mb_model.jit import entry

signal.signal(signal.SIGINT, signal.default_int_handler)
look_up = ExecutionEngine._find_module_ptr


def interrupted(engine, pointer):
    os.kill(os.getpid(), signal.SIGINT)
    return look_up(engine, pointer)


ExecutionEngine._find_module_ptr = interrupted


@entry
def doubled(a):
    return a + a


try:
    doubled(1.0)
except KeyboardInterrupt:
    print('interrupted')
"""


@pytest.mark.skipif(PLAIN, reason='numba as it is')
def test_ctrl_c_ends_a_compilation_whenever_it_comes(tmp_path):
    """Where machine code is handed over, too: numba ends in a RuntimeError there."""
    (tmp_path / 'interrupted.py').write_text(INTERRUPTED)
    process = subprocess.run([sys.executable, '-B', tmp_path / 'interrupted.py'], text=True,
                             capture_output=True, check=False)
    assert (process.stdout, process.stderr) == ('interrupted\n', '')
