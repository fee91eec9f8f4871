"""What samples of friction do not tell."""

import numpy as np

from mb_contact.friction.law import PARAMETERS, UNITS

_LARGE = 0.5                # a deviation against its parameter
_MANY = 30                  # samples that a region of velocity needs


def doubts(parameters, deviations, samples):
    """Return sentences about parameters (by name) that FrictionSamples leave uncertain."""
    found = []
    speed, transition = np.abs(samples.velocity), parameters['transition_velocity']
    slow, fast = np.sum(speed < 2.0 * transition), np.sum(speed > 4.0 * transition)
    if slow < _MANY:
        found.append(f'{slow} samples below {2.0 * transition:.3g} m/s, twice the transition '
                     'velocity: move slowly for a while, as ramps of the valve do')
    if fast < _MANY:
        found.append(f'{fast} samples above {4.0 * transition:.3g} m/s, four times the transition '
                     'velocity: move faster, or viscous and dry friction are confused')
    for sign, way in ((1.0, 'out'), (-1.0, 'in')):
        if np.sum(sign * samples.velocity > 0.0) < _MANY:
            found.append(f'the piston hardly moves {way}: friction and weight cannot be told apart')
    for name in PARAMETERS:
        value, deviation = parameters[name], deviations[name]
        if not deviation <= _LARGE * value:
            found.append(f'{name}: {value:.3g} +- {deviation:.2g} {UNITS[name]} is hardly '
                         f'determined{_advice(name)}')
    return tuple(found)


def _advice(name):
    """Return how a parameter could be found better."""
    if name in ('pressure_difference', 'rod_pressure'):
        return ': its share hardly changes over these recordings; add one with a known load'
    return ''
