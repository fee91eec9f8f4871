"""How times grow with the size of a machine: arrays of loops, chains and ladders in space.

The exponent is of the power law fitted to time against bodies: 1 is a time that grows as their
number.
"""

from time import perf_counter

import numpy as np

from benchmarks.figures import Figure
from benchmarks.peers import mujoco_step
from benchmarks.stopwatch import in_turn, times_per_call
from mb_model import Mechanism, energy_balance, load_mechanism, make_stepper, simulate
from mb_model.jit import entry
from mb_model.kernel_api import RK4, explicit_step, index3_al_step

STEP = 1e-3                                  # s
LOOPS = (4, 8, 16, 32, 64, 128, 256)
DENSE_LOOPS = (4, 6, 8)                      # at most 40 coordinates
MUJOCO_LOOPS = (16, 32, 64)                  # it compiles more in minutes only
OF_LOOPS, IN_SPACE = 1.3, 1.2                # largest exponents
WINDOWS, DURATION, DRIFT = 40, 10.0, 0.1     # IFToMM A02; s, J
SETTLE, CALLS, ROUNDS = 20, 50, 15
BODIES, CELLS = (10, 30, 100, 300, 1000), (20, 60, 200)     # of chains; of ladders, 3 bodies each
SHORT_RUNS, LEAST = 60, 2000                 # in space; bodies times steps of a run


def exponent(times):
    """Return the exponent of {size: time}."""
    return np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0]


def measure_rod_array():
    """Return the exponent of the cost, the times it follows from, and n_four_bar's drift.

    The dense form of the same step stands beside it where it has room, elsewhere MuJoCo's step.
    """
    arrays = {loops: array(loops, 'sparse') for loops in sorted({*LOOPS, *DENSE_LOOPS})}
    functions = {loops: step_function(mechanism) for loops, mechanism in arrays.items()}
    functions |= {('dense', loops): step_function(array(loops, 'dense')) for loops in DENSE_LOOPS}
    functions |= {('MuJoCo', loops): mujoco_step(arrays[loops], STEP) for loops in MUJOCO_LOOPS}
    times = times_per_call(functions, CALLS, ROUNDS)
    return [Figure('time grows with bodies to the power', exponent(
                {len(arrays[loops].bodies): times[loops] for loops in LOOPS}), '', OF_LOOPS),
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


def time_figure(loops, bodies, times):
    """Return the time of one size beside its peer's."""
    peer = next((name for name in ('dense', 'MuJoCo') if (name, loops) in times), None)
    return Figure(f'{loops} loops, {bodies} bodies: step', 1e6 * times[loops], 'us', peer=peer,
                  peer_value=1e6 * times[peer, loops] if peer else None)


def drift():
    """Return the range of the energy of the benchmark with 40 windows [J]."""
    mechanism = load_mechanism('n_four_bar').replace(parameters={'windows': WINDOWS})
    return np.ptp(energy_balance(simulate(mechanism, DURATION, STEP)).drift)


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


def measure_spatial_chain():
    """Return the time of a step by the number of bodies, and the exponent, of two formulations.

    Links on hinges about two axes in turn hang down; the first one turns a little.
    """
    chains = {bodies: chain(bodies) for bodies in BODIES}
    return [figure for how in (('semi_recursive', 'rk4'), ('index3_al', 'trapezoidal'))
            for figure in of_sizes(', '.join(how), how[0], chains, *how)]


def measure_spatial_ladder():
    """Return the same of ladders, a closed loop for each three bodies, for axes of two kinds.

    Four-bar linkages hang on each other: a leg and a rung on hinges, and a rod on two balls beside.
    Hinges are about one axis, or about two in turn.
    """
    return [figure for in_turn, axes in ((False, 'one axis'), (True, 'axes in turn'))
            for figure in of_sizes(axes, axes, {3 * cells: Mechanism(
                ladder(cells, in_turn), 'ladder.yaml') for cells in CELLS},
                'semi_recursive', 'rk4')]


def of_sizes(title, label, machines, formulation, integrator):
    """Return the exponent and the times of a step of {bodies: machine}.

    In a compiled loop, on one thread; of many short runs in turn the shortest one counts.
    """
    runs = {bodies: of_steps(mechanism, formulation, integrator)
            for bodies, mechanism in machines.items()}
    for run in runs.values():
        run()
    times = in_turn(runs, SHORT_RUNS, min)
    return [Figure(f'{title}: exponent', exponent(times), '', IN_SPACE),
            *(Figure(f'{label}: step of {bodies} bodies', 1e6 * time, 'us')
              for bodies, time in times.items())]


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


def ladder(cells, in_turn, floats=False):
    """Return the mapping of a ladder of so many loops; floats: its uppermost rung is free."""
    even, odd = ('(1 + (-1) ** i) / 2', '(1 - (-1) ** i) / 2') if in_turn else ('1', '0')
    across, along = [odd, even, 0], [f'0.2 * {even}', f'0.2 * {odd}', 0]      # of the hinges
    beside = [f'0.2 * {odd}', f'0.2 * {even}', 0] if in_turn else along       # of the next loop
    rung = {'mass': 0.4, 'centre_of_gravity': [0.07, 0.03, -0.02],
            'inertia': [4e-3, 5e-3, 6e-3, 1e-4, 2e-4, -1e-4]}
    rod = {'kind': 'cylinder', 'from': 'A', 'to': 'B', 'radius': 0.02}
    leg = {'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]}, 'shapes': [rod]}
    free = {'at': {'kind': 'position', 'body': 'rung0'},
            'turn': {'kind': 'orientation', 'body': 'rung0'}} if floats else {}
    pose = {'pose': {'at': [0.3, -0.2, 0.5], 'turn': [0.2, -0.1, 0.3]}} if floats else {}
    independent = [f'{name}.{axis}' for name in free for axis in 'xyz']
    independent += [f'angle{k + 1}' for k in range(cells)]
    return {
        'name': 'ladder', 'dimension': 3, 'parameters': {'cells': cells},
        'bodies': {'rung0': {**rung, **pose, 'points': {'A': [0, 0, 0], 'C': [0.2, 0, 0]}}},
        'repeat': {'cells': {
            'count': 'cells',
            'bodies': {
                'leg<i+1>': leg,
                'rod<i+1>': {**leg, 'slender': True, 'shapes': [{**rod, 'kind': 'rod'}]},
                'rung<i+1>': {**rung, 'points': {'A': [0, 0, 0], 'B': along, 'C': beside}}},
            'joints': {
                'a<i+1>': {'kind': 'revolute', 'bodies': ['rung<i>', 'leg<i+1>'], 'at': 'A',
                           'axis': across},
                'b<i+1>': {'kind': 'spherical', 'bodies': ['rung<i>', 'rod<i+1>'],
                           'at': ['C', 'A']},
                'c<i+1>': {'kind': 'revolute', 'bodies': ['leg<i+1>', 'rung<i+1>'],
                           'at': ['B', 'A'], 'axis': across},
                'd<i+1>': {'kind': 'spherical', 'bodies': ['rod<i+1>', 'rung<i+1>'], 'at': 'B'}},
            'coordinates': {'angle<i+1>': {'kind': 'angle', 'joint': 'a<i+1>'}}}},
        'joints': {} if floats else {'wall': {'kind': 'weld', 'bodies': ['ground', 'rung0'],
                                              'at': [[0, 0, 0], 'A']}},
        'coordinates': free, 'independent': independent,
        'start_velocity': {f'angle{k + 1}': 0.3 * (-1) ** (k // 2) for k in range(cells)}}
