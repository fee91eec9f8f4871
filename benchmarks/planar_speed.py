"""Times of planar machines, for comparison with another state of mb_model in the same hour.

    python -m benchmarks planar_speed
    PYTHONPATH=<worktree of another commit>/src/mb_model python -m benchmarks planar_speed

From compiled loops but for `step from Python`; processor time of the shortest of many runs.
"""

from benchmarks.figures import Figure
from benchmarks.model_loops import (
    STEP,
    STEPS,
    repeat_derivatives,
    repeat_dynamics,
    shortest,
    steps_from,
)
from mb_model import load_mechanism, make_stepper

MACHINES = ('four_bar', 'five_bar', 'three_rrr')
ROUNDS = 800


def measure():
    """Return times of a step, of forward dynamics and of derivatives."""
    return [figure for name in MACHINES for figure in _of_machine(name)]


def _of_machine(name):
    mechanism = load_mechanism(name)
    called, stepper = (make_stepper(mechanism, 'index3_al') for _ in range(2))

    def from_python():
        called.reset()
        for _ in range(STEPS):
            called.step(STEP)
    times = shortest({
        'step from Python': from_python, 'step': steps_from(stepper),
        'forward dynamics': lambda: repeat_dynamics(mechanism.model, called.work, STEPS),
        'with A, B, dzdd/dforce': lambda: repeat_derivatives(
            mechanism.model, called.work, STEPS)},
        ROUNDS)
    return [Figure(f'{name}: {what}', 1e6 * time / STEPS, 'us') for what, time in times.items()]
