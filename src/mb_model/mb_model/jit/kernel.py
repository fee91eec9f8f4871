"""Decorators of compiled functions.

@kernel         called by compiled functions alone, which copy its code; no machine code of its own
@entry          may be called from Python, too
@inlined        copied line by line before types are known: for the thinnest layers
@separate(...)  compiled once, called by its name, see jit.separate

All are numba's njit(cache=True) with less work for the compiler.  Where numba is not a version
whose insides are known here, or MB_PLAIN_NJIT is set, they are no more than that.
"""

import os
from typing import TYPE_CHECKING, TypeVar

import numba

KNOWN = ('0.68.',)       # versions of numba that modules beside this one were tested with
PLAIN = not numba.__version__.startswith(KNOWN) or bool(os.environ.get('MB_PLAIN_NJIT'))

Function = TypeVar('Function')


def entry(function: Function) -> Function:
    """Compile a function that compiled ones and Python may call."""
    return numba.njit(cache=True, no_cfunc_wrapper=True)(function)


def inlined(function: Function) -> Function:
    """Compile a function whose lines are copied into the lines of its callers."""
    return numba.njit(cache=True, inline='always', no_cfunc_wrapper=True)(function)


if PLAIN:
    kernel = entry

    def copied_always(function: Function) -> Function:
        """Compile a function that is always copied into its callers; not cached."""
        return numba.njit(forceinline=True)(function)
elif not TYPE_CHECKING:
    from mb_model.jit.copied import copied_always, kernel  # noqa: F401
    from mb_model.jit.interrupts import interrupt_compiling
    from mb_model.jit.known_answers import assume_blas, remember_call_types

    interrupt_compiling()
    assume_blas()
    remember_call_types()
