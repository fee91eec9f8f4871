"""Types of calls of numba's own functions, found once in a process.

For each a + b of a kernel, numba tries all that may be meant by +, dozens of functions for numbers,
dates, texts and lists, and keeps nothing of it: a fifth of the time that kernels take to compile.
Here the answer for the same function and types is kept.  What none of them fits is not: numba says
why, and may know more functions later.

This uses what numba does not promise to keep: see jit.kernel for the versions.
"""

from functools import wraps

from numba.core.types import Function


def remember_call_types():
    """Let numba keep the signatures of calls of its own functions from now on."""
    find, known = Function.get_call_type, {}

    @wraps(find)
    def get_call_type(self, context, args, kws):
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
