"""The motion of a mechanism at the instants of a recording."""

from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import Selection
from mb_model.file_api import STATE_TYPE
from mb_sensors.recording.bag import Bag


@dataclass(frozen=True)
class RecordedMotion:
    """Motion at increasing stamps (k) [ns].

    z, zd, zdd (k, g); covariance (k, 3 g, 3 g) of these together, None where none is known.
    """

    stamps: np.ndarray
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    covariance: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.stamps)

    def __getitem__(self, chosen: Selection) -> 'RecordedMotion':
        """Return the motion at some of the instants, by a mask or a slice."""
        covariance = None if self.covariance is None else self.covariance[chosen]
        return RecordedMotion(self.stamps[chosen], self.z[chosen], self.zd[chosen],
                              self.zdd[chosen], covariance)


def read_motion(bag: Bag, mechanism: Mechanism, topic: str) -> RecordedMotion:
    """Return the RecordedMotion of the MechanismStates on a topic of a Bag.

    Of several states at one stamp the last counts.  Raises ValueError.
    """
    def of_mechanism(state):
        if tuple(state.independent) != mechanism.independent:
            raise ValueError(f'{topic}: degrees of freedom {", ".join(state.independent)}, but '
                             f'{mechanism.name} has {", ".join(mechanism.independent)}')
        if {len(state.z), len(state.zd), len(state.zdd)} != {mechanism.g}:
            raise ValueError(f'{topic}: not {mechanism.g} numbers for as many degrees of freedom')
        return state

    found = dict(bag.alike(bag.named(topic, STATE_TYPE), lambda state: len(state.covariance),
                           of_mechanism))
    states = [found[stamp] for stamp in sorted(found)]
    if not states:
        raise ValueError(f'{topic}: no message')
    size = (3 * mechanism.g) ** 2
    covariance = None
    if len(states[0].covariance) == size:
        covariance = np.array([state.covariance for state in states]).reshape(
            len(states), 3 * mechanism.g, 3 * mechanism.g)
    z, zd, zdd = (
        np.array([getattr(state, name) for state in states]) for name in ('z', 'zd', 'zdd'))
    return RecordedMotion(np.array(sorted(found)), z, zd, zdd, covariance)
