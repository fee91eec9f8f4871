"""Questions that numba asks again and again, with answers that are known.

This uses what numba does not promise to keep: see jit.kernel for the versions.
"""

from collections.abc import Mapping
from functools import wraps
from importlib import import_module
from typing import Any

from numba.core.types import Function
from numba.np import linalg


def assume_blas() -> None:
    """Let numba import its array functions without a search for a BLAS; scipy is required anyway.

    numba imports scipy.linalg when it first compiles or loads a function, a quarter of a second of
    processor time in every process, only to know whether np.dot is to be had.  No kernel of ours
    calls a BLAS.  Functions that do, import it as before, when they are compiled and called.
    """
    search = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module('numba.np.arraymath')
    finally:
        linalg.ensure_blas = search


def remember_call_types() -> None:
    """Let numba keep the signatures of calls of its own functions from now on.

    For each a + b of a kernel, numba tries all that may be meant by +, dozens of functions for
    numbers, dates, texts and lists, and keeps nothing of it: a fifth of the time that kernels take
    to compile.  Here the answer for the same function and types is kept.  What none of them fits
    is not: numba says why, and may know more functions later.
    """
    find, known = Function.get_call_type, {}

    @wraps(find)
    def get_call_type(self: Any, context: Any, args: tuple[Any, ...],
                      kws: Mapping[str, Any]) -> Any:
        if kws:
            return find(self, context, args, kws)
        key = self.typing_key, self.templates, args
        if key not in known:
            signature = find(self, context, args, kws)
            known[key] = signature, self.get_impl_key(signature)
        signature, implementation = known[key]
        self._impl_keys[signature.args] = implementation
        return signature

    Function.get_call_type = get_call_type
