"""Functions of MuJoCo's library for compiled code, which calls them by their names."""

import ctypes

from llvmlite.binding import add_symbol
import mujoco
from numba import int32, intp, types, void

_LIBRARY = ctypes.CDLL(mujoco._functions.__file__)      # a module that is linked with it


def _function(name, signature):
    """Return a function of the library for compiled code; signature: a numba type."""
    add_symbol(name, ctypes.cast(getattr(_LIBRARY, name), ctypes.c_void_p).value)
    return types.ExternalFunction(name, signature)


# forward(address of the model, address of the data, mjtStage that still holds, without sensors)
forward = _function('mj_forwardSkip', void(intp, intp, int32, int32))
EVERYTHING, FORCES = (int(stage) for stage in (     # to compute anew: stages that still hold
    mujoco.mjtStage.mjSTAGE_NONE, mujoco.mjtStage.mjSTAGE_VEL))
