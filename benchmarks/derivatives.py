"""What exact derivatives cost, in evaluations of the forward dynamics, from compiled loops."""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.model_loops import repeat_derivatives, repeat_dynamics
from benchmarks.stopwatch import times_per_call
from mb_model import load_mechanism
from mb_model.jit import entry
from mb_model.kernel_api import forward_dynamics, parameter_jacobian

COUNT = 2000              # evaluations of one loop
MECHANISMS = ('four_bar', 'five_bar', 'four_bar_split', 'andrews_squeezer')
TARGET = 3.0


@entry
def repeat_parameters(models, works, records, out):
    """Forward dynamics with dzdd/dp."""
    for _ in range(COUNT):
        forward_dynamics(models[0], works[0])
        parameter_jacobian(models[0], works[0], records, out)


def measure():
    """Return, for each mechanism, the derivatives against the forward dynamics in the same run."""
    return [figure for name in MECHANISMS for figure in _of_mechanism(name)]


def _of_mechanism(name):
    mechanism = load_mechanism(name)
    works = mechanism.workspace()
    works['q'][0, :mechanism.n] = mechanism.q0
    works['z'][0, :mechanism.g], works['zd'][0, :mechanism.g] = mechanism.z0, 1.0
    records = mechanism.parameter_records([f'bodies.{body}.mass' for body in mechanism.bodies])
    out = np.empty((mechanism.g, len(records)))
    times = times_per_call({
        'dynamics': lambda: repeat_dynamics(mechanism.model, works, COUNT),
        'derivatives': lambda: repeat_derivatives(mechanism.model, works, COUNT),
        'parameters': lambda: repeat_parameters(mechanism.model, works, records, out)},
        calls=10)
    one = times['dynamics']
    return [
        Figure(f'{name}: forward dynamics', 1e6 * one / COUNT, 'us'),
        Figure(f'{name}: with A, B, dzdd/dforce', times['derivatives'] / one, 'evaluations',
               target=TARGET),
        Figure(f'{name}: dzdd/dmass, each', (times['parameters'] - one) / one / len(records),
               'evaluations')]
