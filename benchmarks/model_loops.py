"""Compiled loops over what a model costs, and the shortest of many runs of them."""

from time import process_time

import numpy as np

from mb_model.jit import entry
from mb_model.kernel_api import (
    force_derivative,
    forward_dynamics,
    index3_al_step,
    linearise,
)
from mb_model.record import WORK

STEP = 1e-3                 # s
STEPS, ROUNDS = 50, 200     # of a short run, or evaluations; runs


@entry
def repeat_steps(models, works):
    """Make STEPS steps; return how many iterations they took, negative if one failed."""
    total = 0
    for _ in range(STEPS):
        iterations = index3_al_step(models[0], works[0], STEP)
        if iterations < 0:
            return -1
        total += iterations
    return total


@entry
def repeat_dynamics(models, works, count):
    """Forward dynamics alone, count times."""
    for _ in range(count):
        forward_dynamics(models[0], works[0])


@entry
def repeat_derivatives(models, works, count):
    """Forward dynamics with dzdd/dz, dzdd/dzd and dzdd/dforce, count times."""
    for _ in range(count):
        forward_dynamics(models[0], works[0])
        linearise(models[0], works[0])
        force_derivative(models[0], works[0], works[0].zdd_force)


def steps_from(stepper):
    """Return a function that makes STEPS steps of index3_al from where a stepper is.

    It returns how many iterations they took; raises RuntimeError if one fails.
    """
    start = {part: stepper.work[part].copy() for part in WORK.parts['state']}

    def steps():
        for part, value in start.items():
            stepper.work[part] = value
        iterations = repeat_steps(stepper.model, stepper.work)
        if iterations < 0:
            raise RuntimeError(f'{stepper.mechanism.name}: no step')
        return iterations
    return steps


def shortest(functions, rounds=ROUNDS):
    """Return {name: seconds of the shortest call}, the functions in turn."""
    found = dict.fromkeys(functions, np.inf)
    for function in functions.values():
        function()
    for _ in range(rounds):
        for name, function in functions.items():
            start = process_time()
            function()
            found[name] = min(found[name], process_time() - start)
    return found
