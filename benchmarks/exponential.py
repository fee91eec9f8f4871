"""Energy balance of the exponential integrator, as in both examples of Pyrhonen et al. 2023.

The four-bar linkage, and the same with its coupler split by a stiff spring, from rest for 10 s: the
largest change of the energy, or after what time the energy has grown tenfold.
"""

import numpy as np

from benchmarks.figures import Figure
from mb_model import StepError, load_mechanism, make_stepper
from mb_model.kernels import entry_points

DURATION = 10.0                          # s
STEPS = (1e-3, 1e-2)                     # s
INTEGRATORS = ('forward_euler', 'augmented_euler', *(f'exponential_{n}' for n in range(5)))
BLOWN_UP = 10.0                          # times the energy at the start, against its least
LONGEST_EULER = 10                       # steps that forward Euler survives on the split coupler


def measure():
    """Return one figure for each mechanism, step and integrator."""
    return [figure(name, dt, integrator) for name in ('four_bar', 'four_bar_split')
            for dt in STEPS for integrator in INTEGRATORS]


def figure(name, dt, integrator):
    """Return how much the energy changes, or how long it stays bounded."""
    changes = energy_changes(load_mechanism(name), dt, integrator)
    label = f'{name}, {1e3 * dt:g} ms, {integrator}'
    if len(changes) < round(DURATION / dt):
        stiff = name == 'four_bar_split' and integrator == 'forward_euler'
        return Figure(f'{label}: bounded for', len(changes), 'steps',
                      LONGEST_EULER if stiff else None)
    return Figure(f'{label}: largest change of energy', np.abs(changes).max(), 'J')


def energy_changes(mechanism, dt, integrator):
    """Return the energy after each step minus that of the start, up to where it blows up [J]."""
    stepper = make_stepper(mechanism, 'matrix_r', integrator)
    start = sum(entry_points.energies(stepper.model, stepper.work))
    changes = []
    while len(changes) < round(DURATION / dt):
        try:
            stepper.step(dt)
        except StepError:
            break
        changes.append(sum(entry_points.energies(stepper.model, stepper.work)) - start)
        if not abs(changes[-1]) < BLOWN_UP * start:
            break
    return np.array(changes)
