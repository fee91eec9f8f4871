"""Time of one 1 ms step of the four-bar linkage, the call from Python included, beside MuJoCo's."""

import mujoco

from benchmarks.figures import Figure
from benchmarks.stopwatch import times_per_call
from mb_model import FORMULATIONS, load_mechanism, make_stepper
from mb_simulation.prototypes import make_prototype

STEP = 1e-3      # s


def measure():
    """Return one figure for each formulation and integrator."""
    mechanism = load_mechanism('four_bar')
    steppers = {f'{name}, {integrator}': make_stepper(mechanism, name, integrator)
                for name, formulation in FORMULATIONS.items()
                for integrator in formulation.integrators}
    functions = {name: lambda s=stepper: s.step(STEP) for name, stepper in steppers.items()}
    prototype = make_prototype('mujoco', mechanism, STEP, STEP)
    times = times_per_call(
        {**functions, 'mujoco': lambda: mujoco.mj_step(prototype.model, prototype.data)})
    peer = times.pop('mujoco')
    return [Figure(name, 1e6 * time, 'us', peer='MuJoCo', peer_value=1e6 * peer)
            for name, time in times.items()]
