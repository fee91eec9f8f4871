"""Time of a step of a chain in space, from 10 to 1000 bodies, by formulations with sparse storage.

Links on hinges about two axes in turn hang down; the first one turns a little.  In a compiled loop,
on one thread; of many short runs in turn the shortest one counts.  The exponent is the slope of a
line through all logarithms: 1 is a time that grows as the number of bodies.
"""

from time import perf_counter

import numpy as np

from benchmarks.figures import Figure
from mb_model import Mechanism, make_stepper
from mb_model.jit import entry
from mb_model.kernel_api import RK4, explicit_step, index3_al_step

BODIES = (10, 30, 100, 300, 1000)
STEP, ROUNDS = 1e-3, 60     # s; runs
LEAST = 2000                # bodies times steps of a run
EXPONENT = 1.2


@entry
def repeat_joints(models, works, steps, formulation, tableau):
    """Make steps by rk4; return how many could be made."""
    made = 0
    for _ in range(steps):
        made += explicit_step(models[0], works[0], STEP, formulation, tableau)
    return made


@entry
def repeat_index3(models, works, steps):
    """Make steps by index3_al; return how many could be made."""
    made = 0
    for _ in range(steps):
        made += index3_al_step(models[0], works[0], STEP) > 0
    return made


def measure():
    """Return the time of a step by the number of bodies, and the exponent, of two formulations."""
    chains = {bodies: chain(bodies) for bodies in BODIES}
    figures = []
    for formulation, integrator in (('semi_recursive', 'rk4'), ('index3_al', 'trapezoidal')):
        times = shortest({bodies: of_steps(mechanism, formulation, integrator)
                          for bodies, mechanism in chains.items()})
        exponent = np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0]
        figures.append(Figure(f'{formulation}, {integrator}: exponent', exponent, '', EXPONENT))
        figures += [Figure(f'{formulation}: step of {bodies} bodies', 1e6 * time, 'us')
                    for bodies, time in times.items()]
    return figures


def chain(bodies):
    """Return the chain of so many bodies."""
    return Mechanism({
        'name': 'chain', 'dimension': 3, 'parameters': {'links': bodies},
        'repeat': {'links': {
            'count': 'links',
            'bodies': {'link<i+1>': {
                'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]},
                'shapes': [{'kind': 'cylinder', 'from': 'A', 'to': 'B', 'radius': 0.02}]}},
            'joints': {'hinge<i+1>': {'kind': 'revolute', 'bodies': ['link<i>', 'link<i+1>'],
                                      'at': ['B', 'A'], 'axis': ['(1 - (-1) ** i) / 2',
                                                                 '(1 + (-1) ** i) / 2', 0]}},
            'coordinates': {'turn<i+1>': {'kind': 'angle', 'joint': 'hinge<i+1>'}}}},
        'joints': {'hinge1': {'bodies': ['ground', 'link1'], 'at': [[0, 0, 0], 'A']}},
        'independent': [f'turn{k + 1}' for k in range(bodies)],
        'start_velocity': {'turn1': 0.05}}, 'chain.yaml')


def of_steps(mechanism, formulation, integrator):
    """Return a function that makes steps from the start and returns the seconds of one."""
    stepper = make_stepper(mechanism, formulation, integrator)
    saved, steps = stepper.work, max(1, LEAST // len(mechanism.bodies))
    work = saved.copy()

    def run():
        work.view(np.uint8)[:] = saved.view(np.uint8)
        start = perf_counter()
        made = (repeat_joints(stepper.model, work, steps, stepper.number, RK4)
                if formulation == 'semi_recursive' else repeat_index3(stepper.model, work, steps))
        if made < steps:
            raise RuntimeError(f'{formulation}: no step of {len(mechanism.bodies)} bodies')
        return (perf_counter() - start) / steps
    return run


def shortest(runs):
    """Return {bodies: seconds of a step in the shortest run}, the chains in turn."""
    for run in runs.values():
        run()
    found = dict.fromkeys(runs, np.inf)
    for _ in range(ROUNDS):
        for bodies, run in runs.items():
            found[bodies] = min(found[bodies], run())
    return found
