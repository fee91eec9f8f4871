"""Calls of kernels with arguments that stay the same."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from numba import typeof


def bound(kernel: Any, arguments: Sequence[Any], *others: Any) -> Callable[..., Any]:
    """Return what calls a compiled kernel with these first arguments, and then the others.

    others: numba types of the other arguments.  That arrays are of these, in type of numbers,
    number of dimensions and order in memory, is up to the caller: nothing checks them any more,
    and a wrong one spoils memory.  With every call numba finds out the types of all arguments, for
    a record in half a microsecond; a step of a filter has many records and takes not much longer.
    """
    types = (*map(typeof, arguments), *others)
    kernel.compile(types)
    return partial(kernel.overloads[types].entry_point, *arguments)
