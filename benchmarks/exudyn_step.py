"""Time of one 1 ms step of the four-bar linkage beside EXUDYN's and MuJoCo's.

Index-3 augmented Lagrangian against EXUDYN's index-2 trapezoidal rule, both to increments of 1e-10.
EXUDYN runs its own compiled loop without output, on one thread, by the faster of its two Newton
iterations; ours and MuJoCo are called from Python step by step.
"""

import mujoco

from benchmarks.figures import Figure
from benchmarks.peers import installed
from benchmarks.stopwatch import times_per_call
from mb_model import load_mechanism, make_stepper
from mb_simulation.prototypes import make_prototype

STEP = 1e-3           # s
STEPS = 5000
SHARE = 1 / 3         # of EXUDYN's time, at most


def measure():
    """Return our time per step as a share of EXUDYN's, and how far apart the two end."""
    exudyn_model = installed('exudyn_model')
    if exudyn_model is None:
        return []
    mechanism = load_mechanism('four_bar')
    stepper = make_stepper(mechanism)
    prototype = make_prototype('mujoco', mechanism, STEP, STEP)
    angles = {}

    def ours():
        stepper.reset()
        for _ in range(STEPS):
            stepper.step(STEP)

    def mujocos():
        for _ in range(STEPS):
            mujoco.mj_step(prototype.model, prototype.data)

    def exudyns(modified):
        angles['exudyn'] = exudyn_model.simulate(mechanism, STEPS, STEP, 'crank', modified)

    times = times_per_call({'ours': ours, 'MuJoCo': mujocos, 'full': lambda: exudyns(False),
                            'modified': lambda: exudyns(True)}, calls=1)
    exudyn = min(times['full'], times['modified'])
    microseconds = 1e6 / STEPS
    return [
        Figure('index3_al, share of EXUDYN', times['ours'] / exudyn, '', SHARE),
        Figure('index3_al, trapezoidal', times['ours'] * microseconds, 'us', peer='EXUDYN',
               peer_value=exudyn * microseconds),
        Figure('index3_al, trapezoidal', times['ours'] * microseconds, 'us', peer='MuJoCo',
               peer_value=times['MuJoCo'] * microseconds),
        Figure(f'crank angle after {STEPS * STEP:g} s', stepper.z[0], 'rad', peer='EXUDYN',
               peer_value=angles['exudyn'])]
