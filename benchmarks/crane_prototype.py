"""How far model and MuJoCo prototype of the crane are apart with the same parameters.

The work cycle with 50 kg at steps of 1 ms: while the cylinder is faster than 2 cm/s, the median;
and the largest difference of all.  Without dry friction the first 4 s with shorter steps.
"""

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.crane_cases import crane, work_cycle
from benchmarks.figures import Figure
from mb_simulation.prototypes import make_prototype

SAMPLE = 1e-3           # s between states that are compared
FAST = 0.02             # m/s of the cylinder
SMOOTH_SECONDS = 4.0
SMOOTH_STEPS = (5e-4, 2.5e-4)       # s
SMOOTH = {'cylinders': {'lift': {'friction': {
    'coulomb': 0.0, 'static': 0.0, 'pressure_difference': 0.0, 'rod_pressure': 0.0}}}}
UNITS = {'length': (1e6, 'um'), 'velocity': (1e6, 'um/s'), 'pressure': (1.0, 'Pa')}


def measure():
    """Return the differences of length, velocity and pressure, and how far loops gape."""
    cases = [(engine, smooth, step) for smooth, steps in ((False, (1e-3,)), (True, SMOOTH_STEPS))
             for step in steps for engine in ('mujoco', 'multibody')]
    runs = over_cases(states, cases)
    figures = []
    for _, smooth, step in cases[::2]:
        truth, model = (runs[engine, smooth, step] for engine in ('mujoco', 'multibody'))
        apart = np.abs(truth - model)[:, :-1]
        if smooth:
            name = f'without dry friction, first {SMOOTH_SECONDS:g} s, steps of {1e3 * step:g} ms'
            figures += _figures(f'{name}: largest difference', apart.max(axis=0))
        else:
            fast = np.abs(truth[:, 1]) > FAST
            figures += _figures('faster than 2 cm/s: median difference',
                                np.median(apart[fast], axis=0))
            figures += _figures('work cycle: largest difference', apart.max(axis=0),
                                apart[fast].max(axis=0))
            figures += [
                Figure('work cycle: largest gap of a loop', 1e6 * truth[:, -1].max(), 'um',
                       peer='model', peer_value=1e6 * model[:, -1].max()),
                Figure('work cycle: share of the time faster than 2 cm/s', fast.mean(), '')]
    return figures


def states(engine, smooth, step):
    """Return length, velocity, pressures and gap of the loops (k, 5) of a run, every 1 ms."""
    mechanism = crane().replace(hydraulics=SMOOTH if smooth else {})
    cycle, found = work_cycle(mechanism), []
    prototype = make_prototype(engine, mechanism, SAMPLE, step)
    for _ in range(round((SMOOTH_SECONDS if smooth else cycle.duration) / SAMPLE)):
        prototype.advance(lambda offset: prototype.set_valves(cycle.valves_at(1e-9 * offset)))
        found.append((*prototype.state.z, *prototype.state.zd, *prototype.oil.p,
                      prototype.loop_residual))
    return np.array(found)


def _figures(name, apart, moving=None):
    """Return the Figures of differences of length, velocity and pressures (4), beside moving's."""
    figures = []
    for k, (what, (factor, unit)) in enumerate(UNITS.items()):
        own = slice(k, k + 1) if what != 'pressure' else slice(k, None)
        beside = {} if moving is None else {
            'peer': 'while faster than 2 cm/s', 'peer_value': factor * moving[own].max()}
        figures.append(Figure(f'{name} of {what}', factor * apart[own].max(), unit, **beside))
    return figures
