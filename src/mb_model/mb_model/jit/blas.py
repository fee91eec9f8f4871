"""numba's question whether there is a BLAS, without importing it.

numba imports scipy.linalg when it first compiles or loads a function, a quarter of a second of
processor time in every process, only to know whether np.dot is to be had.  No kernel of ours calls
a BLAS.  Functions that do, import it as before, when they are compiled and called.

This uses what numba does not promise to keep: see jit.kernel for the versions.
"""

from importlib import import_module

from numba.np import linalg


def assume_blas():
    """Let numba's array functions be imported without a search; scipy is required anyway."""
    search = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module('numba.np.arraymath')
    finally:
        linalg.ensure_blas = search
