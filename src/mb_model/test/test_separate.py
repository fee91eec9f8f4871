"""Kernels compiled apart from their callers."""

import subprocess
import sys

import numpy as np
import pytest

KERNEL = """
from numba import float64
import numpy as np
from mb_model.separate import separate

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

    def run(kernel):
        (tmp_path / 'kernel.py').write_text(kernel)
        process = subprocess.run([sys.executable, '-B', tmp_path / 'caller.py'], text=True,
                                 capture_output=True, check=False)
        return process.stdout.split(), process.stderr
    return run


def test_a_caller_from_the_cache_calls_the_kernel_as_it_is_now(answer):
    assert answer(KERNEL)[0] == ['20.0', '0']
    assert answer(KERNEL)[0] == ['20.0', '1']
    assert answer(KERNEL.replace('total +=', 'total -='))[0] == ['-16.0', '1']


def test_errors_pass_through_the_caller(answer):
    assert 'ValueError: negative' in answer(KERNEL)[1]


def test_it_can_be_called_from_python():
    from mb_model import load_mechanism
    from mb_model.kernels.velocity import solve_velocity
    mechanism = load_mechanism('four_bar')
    work = mechanism.workspace()
    work['q'][0, :mechanism.n] = mechanism.q0
    work['zd'][0, 0] = 1.0
    assert solve_velocity(mechanism.model[0], work[0])
    np.testing.assert_array_equal(work['qd'][0, :mechanism.n],
                                  mechanism.velocity(mechanism.q0, [1.0]))
