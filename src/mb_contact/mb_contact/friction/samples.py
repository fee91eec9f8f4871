"""Samples of friction, with their deviations, and doubts about what they determine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from mb_contact.friction.law import LOAD_SHARES, FrictionLaw
from mb_model.arrays import Selection

_LARGE = 0.5                # a deviation against its parameter
_FAR = 3.0                  # deviations from a value that a parameter does not have
_CHANGES = 0.1              # of a load, that distinguishes a share of it from dry friction
_MANY = 30                  # samples that a region of velocity needs
_SLOWLY = {'piston': 'move slowly for a while, as ramps of the valve do',
           'coordinate': 'move slowly for a while'}


@dataclass(frozen=True)
class FrictionSamples:
    """Friction against the motion of a cylinder or coordinate at k instants, from its motion.

    t [s]: increasing within a recording; velocity [m/s]; force [N]; piston_pressure, rod_pressure:
    gauge pressures [Pa], of a coordinate the load and the effort of its drive [N or N m];
    velocity_deviation [m/s], force_deviation [N]: 1 sigma; recording: its number.
    """

    t: np.ndarray
    velocity: np.ndarray
    force: np.ndarray
    piston_pressure: np.ndarray
    rod_pressure: np.ndarray
    velocity_deviation: np.ndarray
    force_deviation: np.ndarray
    recording: np.ndarray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, chosen: Selection) -> 'FrictionSamples':
        """Return the samples chosen by a mask or a slice."""
        return FrictionSamples(*(getattr(self, f.name)[chosen] for f in fields(self)))


def joined(parts: Sequence[FrictionSamples]) -> FrictionSamples:
    """Return the samples of several recordings as one, numbered in their order."""
    values = {f.name: np.concatenate([getattr(part, f.name) for part in parts])
              for f in fields(FrictionSamples)}
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return FrictionSamples(**values | {'recording': numbers})


class Doubt(NamedTuple):
    """A parameter that samples do not determine, and a sentence why.

    parameter None: the whole curve, which is not to be used then.
    """

    text: str
    parameter: str | None = None


def doubts(parameters: Mapping[str, float], deviations: Mapping[str, float],
           samples: FrictionSamples, law: FrictionLaw, known: Mapping[str, float] | None = None,
           ) -> tuple[Doubt, ...]:
    """Return the Doubts about parameters (by name) that FrictionSamples leave, the worst first.

    law: their FrictionLaw; known: expected values of the parameters.  One that certainly differs
    from its expected value is in no doubt, however small it is.
    """
    noted = []
    speed, transition = np.abs(samples.velocity), parameters['transition_velocity']
    fast = np.sum(speed > 4.0 * transition)
    if fast < _MANY:
        noted.append(Doubt(f'{fast} samples above {4.0 * transition:.3g} {law.unit}, four times '
                           'the transition velocity: move faster, or viscous and dry friction are '
                           'confused'))
    for sign, sense in zip((1.0, -1.0), law.senses, strict=True):
        if np.sum(sign * samples.velocity > 0.0) < _MANY:
            noted.append(Doubt(f'the {law.what} hardly moves {sense}: friction and weight cannot '
                               'be separated'))
    shares = {name: deviation / max(parameters[name], 1e-300)
              for name, deviation in deviations.items()}
    load = np.abs(samples.piston_pressure)
    noted += [Doubt(f'{name}: the load changes by {np.std(load) / max(np.mean(load), 1e-300):.1%} '
                    f'of it only{_advice(name, law)}', name)
              for name in LOAD_SHARES if name in deviations
              and not np.std(load) > _CHANGES * np.mean(load)]
    hardly = [name for name in sorted(shares, key=lambda name: -shares[name])
              if name not in [doubt.parameter for doubt in noted]
              and not shares[name] <= _LARGE and _may_be(name, parameters, deviations, known)]
    noted += [Doubt(f'{name}: {parameters[name]:.3g} +- {deviations[name]:.2g} {law.units[name]} '
                    f'is hardly determined{_advice(name, law)}', name) for name in hardly]
    slow = np.sum(speed < 2.0 * transition)
    for name in ('transition_velocity', *law.excess):
        if slow < _MANY and name in deviations and name not in hardly:
            noted.append(Doubt(f'{name}: {slow} samples below {2.0 * transition:.3g} {law.unit}, '
                               f'twice the transition velocity: {_SLOWLY[law.what]}', name))
    return tuple(noted)


def _may_be(name: str, parameters: Mapping[str, float], deviations: Mapping[str, float],
            known: Mapping[str, float] | None) -> bool:
    """Return whether a parameter may have its expected value."""
    return known is None or not abs(known[name] - parameters[name]) > _FAR * deviations[name]


def _advice(name: str, law: FrictionLaw) -> str:
    """Return how a parameter could be found better."""
    if name in ('pressure_difference', 'rod_pressure', *LOAD_SHARES):
        return ': its share hardly changes over these recordings; add one with a known load'
    if name == 'transition_velocity' or name in law.excess:
        return f': {_SLOWLY[law.what]}'
    return ''
