"""Functions of MuJoCo's library for compiled code, which calls them by their names."""

import ctypes

import mujoco
from numba import float64, int32, intp, void

from mb_model.jit import external

_LIBRARY = ctypes.CDLL(mujoco._functions.__file__)      # a module that is linked with it

# forward(address of the model, address of the data, mjtStage that still holds, without sensors)
forward = external(_LIBRARY, 'mj_forwardSkip', void(intp, intp, int32, int32))
# find_places(model, data): all that follows from the places of joints; find_rates: from their rates
find_places = external(_LIBRARY, 'mj_fwdPosition', void(intp, intp))
find_rates = external(_LIBRARY, 'mj_fwdVelocity', void(intp, intp))
# move_places(model, address of places, address of rates, time): a ball has a quaternion
move_places = external(_LIBRARY, 'mj_integratePos', void(intp, intp, intp, float64))
EVERYTHING, FORCES = (int(stage) for stage in (     # to compute anew: stages that still hold
    mujoco.mjtStage.mjSTAGE_NONE, mujoco.mjtStage.mjSTAGE_VEL))
