"""Time per step of an array of 4 to 256 closed loops, and n_four_bar's energy with 40 windows.

The exponent is of the power law fitted to time against bodies.  The dense form of the same
step stands beside it where it has room, elsewhere MuJoCo's step.
"""

import mujoco
import numpy as np

from benchmarks.figures import Figure
from benchmarks.stopwatch import times_per_call
from mb_model import energy_balance, load_mechanism, make_stepper, simulate
from mb_simulation.prototypes import make_prototype

STEP = 1e-3                                  # s
LOOPS = (4, 8, 16, 32, 64, 128, 256)
DENSE_LOOPS = (4, 6, 8)                      # at most 40 coordinates
MUJOCO_LOOPS = (16, 32, 64)                  # it compiles more in minutes only
EXPONENT = 1.3
WINDOWS, DURATION, DRIFT = 40, 10.0, 0.1     # IFToMM A02; s, J
SETTLE, CALLS, ROUNDS = 20, 50, 15


def measure():
    """Return the exponent of the cost, the times it follows from, and the drift."""
    arrays = {loops: array(loops, 'sparse') for loops in sorted({*LOOPS, *DENSE_LOOPS})}
    functions = {loops: step_function(mechanism) for loops, mechanism in arrays.items()}
    functions |= {('dense', loops): step_function(array(loops, 'dense')) for loops in DENSE_LOOPS}
    functions |= {('MuJoCo', loops): mujoco_function(arrays[loops]) for loops in MUJOCO_LOOPS}
    times = times_per_call(functions, CALLS, ROUNDS)
    bodies = [len(arrays[loops].bodies) for loops in LOOPS]
    exponent, _ = np.polyfit(np.log(bodies), np.log([times[loops] for loops in LOOPS]), 1)
    return [Figure('time grows with bodies to the power', exponent, '', EXPONENT),
            *(time_figure(loops, len(arrays[loops].bodies), times) for loops in arrays),
            Figure(f'n_four_bar, {WINDOWS} windows: drift in {DURATION:g} s', drift(), 'J', DRIFT)]


def array(loops, storage):
    """Return the array of so many loops."""
    return load_mechanism('rod_array', storage).replace(parameters={'loops': loops})


def step_function(mechanism):
    """Return a function that makes one step, in a motion under way."""
    stepper = make_stepper(mechanism)
    for _ in range(SETTLE):
        stepper.step(STEP)
    return lambda: stepper.step(STEP)


def mujoco_function(mechanism):
    """Return a function that makes one of MuJoCo's steps."""
    prototype = make_prototype('mujoco', mechanism, STEP, STEP)
    return lambda: mujoco.mj_step(prototype.model, prototype.data)


def time_figure(loops, bodies, times):
    """Return the time of one size beside its peer's."""
    peer = next((name for name in ('dense', 'MuJoCo') if (name, loops) in times), None)
    return Figure(f'{loops} loops, {bodies} bodies: step', 1e6 * times[loops], 'us', peer=peer,
                  peer_value=1e6 * times[peer, loops] if peer else None)


def drift():
    """Return the range of the energy of the benchmark with 40 windows [J]."""
    mechanism = load_mechanism('n_four_bar').replace(parameters={'windows': WINDOWS})
    return np.ptp(energy_balance(simulate(mechanism, DURATION, STEP)).drift)
