"""Calls of kernels with arguments that stay the same."""

from functools import partial

from numba import typeof


def bound(kernel, arguments, *others):
    """Return what calls a compiled kernel with these first arguments, and then the others.

    others: numba types of the other arguments, which have to be of exactly these: nobody looks at
    them any more.  With every call numba finds out the types of all arguments, for a record in half
    a microsecond; a step of a filter has many records and takes not much longer.
    """
    types = (*map(typeof, arguments), *others)
    kernel.compile(types)
    return partial(kernel.overloads[types].entry_point, *arguments)
