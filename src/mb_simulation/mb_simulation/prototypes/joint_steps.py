"""Integration of joints that MuJoCo accelerates, compiled: alone, or with their oil.

Joints alone move by the classical Runge-Kutta method.  Joints and oil are one system in SciPy's
stiff integrator: LSODA (Petzold 1983) changes between Adams' methods and backward differentiation
formulas, chooses order and steps itself, and keeps the error of each within tolerances.

joints: a NamedTuple with positions x, rates v, accelerations a, and forces with oil and motion.
"""

from collections.abc import Callable
import ctypes

import mujoco
from numba import float64, int32, intp, void
import numpy as np

from mb_model import StepError
from mb_model.arrays import FloatArray
from mb_model.jit import entry, external, kernel
from mb_simulation.prototypes.oil import oil_rates, set_supply

_LIBRARY = ctypes.CDLL(mujoco._functions.__file__)      # a module that is linked with it

# forward(address of the model, address of the data, mjtStage that still holds, without sensors)
forward = external(_LIBRARY, 'mj_forwardSkip', void(intp, intp, int32, int32))
# find_positions(model, data): all that follows from joint positions; find_rates: from their rates
find_positions = external(_LIBRARY, 'mj_fwdPosition', void(intp, intp))
find_rates = external(_LIBRARY, 'mj_fwdVelocity', void(intp, intp))
# move_positions(model, address of positions, address of rates, time): a ball has a quaternion
move_positions = external(_LIBRARY, 'mj_integratePos', void(intp, intp, intp, float64))
EVERYTHING, FORCES = (int(stage) for stage in (     # to compute anew: stages that still hold
    mujoco.mjtStage.mjSTAGE_NONE, mujoco.mjtStage.mjSTAGE_VEL))

# Weight of a stage's slopes in the step, and share of the step to which they lead the next stage.
STAGES = ((1.0, 0.5), (2.0, 0.5), (2.0, 1.0))

POSITION, RATE, PRESSURE, SPOOL = 1e-9, 1e-7, 1.0, 1e-8      # absolute tolerances: SI units, Pa
RELATIVE = 1e-8
STEPS = 10000               # in one interval, before it is given up


@kernel
def begin(state, x, v):
    """Note positions x and rates v (j) as a step begins; state (4, j): these and sums of slopes."""
    for k in range(len(x)):
        state[0, k], state[1, k], state[2, k], state[3, k] = x[k], v[k], 0.0, 0.0


@kernel
def go_on(state, weight, h, x, v, a):
    """Add the slopes v, a of a stage to the sums; move x, v along them from begin, for h."""
    for k in range(len(x)):
        state[2, k] += weight * v[k]
        state[3, k] += weight * a[k]
        x[k] = state[0, k] + h * v[k]
        v[k] = state[1, k] + h * a[k]


@kernel
def finish(state, h, x, v, a):
    """Put x, v at the end of a step of h; v, a: the slopes of the last stage."""
    for k in range(len(x)):
        x[k] = state[0, k] + h / 6.0 * (state[2, k] + v[k])
        v[k] = state[1, k] + h / 6.0 * (state[3, k] + a[k])


@entry
def set_state(joints, y):
    """Put positions and rates of the joints, pressures of volumes and spools where y says."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    for k in range(count):
        joints.x[k], joints.v[k] = y[k], y[count + k]
    for k in range(volumes):
        oil.p[k] = y[2 * count + k]
    for k in range(len(oil.spool)):
        oil.spool[k] = y[2 * count + volumes + k]
    set_supply(oil)


@entry
def get_state(joints, y):
    """Write positions and rates of the joints, pressures of volumes and spools to y."""
    count, oil = len(joints.x), joints.forces.oil
    volumes = len(oil.hose)
    for k in range(count):
        y[k], y[count + k] = joints.x[k], joints.v[k]
    for k in range(volumes):
        y[2 * count + k] = oil.p[k]
    for k in range(len(oil.spool)):
        y[2 * count + volumes + k] = oil.spool[k]


@kernel
def get_rates(joints, out):
    """Write the rates of get_state's y to out, with accelerations as MuJoCo found them."""
    count, forces = len(joints.x), joints.forces
    spools = 2 * count + len(forces.oil.hose)
    for k in range(count):
        out[k], out[count + k] = joints.v[k], joints.a[k]
    oil_rates(forces.oil, forces.motion[0], forces.motion[1], out[2 * count:spools], out[spools:])


class StiffSteps:
    """Integrates y' = rates(y) over many steps until it is restarted."""

    def __init__(self, rates: Callable[[FloatArray, FloatArray], object], joints: int, volumes: int,
                 spools: int, longest: float, clock: FloatArray) -> None:
        """Take a function that writes rates; counts of the parts of y; longest: step [s].

        clock (1): the time that rates are of [s], written before each call.
        """
        from scipy.integrate import ode  # here: it takes a fifth of a second, for oil alone
        self._out = np.empty(2 * joints + volumes + spools)
        self._y = np.empty_like(self._out)
        self._rates = rates
        tolerances = np.repeat([POSITION, RATE, PRESSURE, SPOOL], [joints, joints, volumes, spools])
        self._solver = ode(self._function).set_integrator(
            'lsoda', rtol=RELATIVE, atol=tolerances, max_step=longest, nsteps=STEPS)
        self._made, self._clock, self._time = None, clock, float(clock[0])

    def interrupt(self) -> None:
        """Restart with the next step: other forces act from here on."""
        self._made = None

    def advance(self, y: FloatArray, h: float) -> None:
        """Move y on by h [s]; raises StepError, y unchanged, where the integrator gives up.

        Afterwards other outputs of rates, such as a simulator's state, are of any trial.
        """
        if self._made is None:
            self._solver.set_initial_value(y, 0.0)
            self._made, self._begun = 0, self._time
        self._made += 1
        state = self._solver.integrate(self._made * h)
        self._clock[0] = self._time
        if not self._solver.successful():
            self._made = None
            raise StepError(f'no step of {h:g} s of bodies and oil: LSODA ended with '
                            f'{self._solver.get_return_code()}')
        y[:] = state
        self._clock[0] = self._time = self._begun + self._made * h

    def _function(self, t: float, y: FloatArray) -> FloatArray:
        self._clock[0] = self._begun + t
        self._y[:] = y
        self._rates(self._y, self._out)
        return self._out
