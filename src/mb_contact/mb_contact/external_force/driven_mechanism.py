"""A mechanism with known forces of its drives, for all methods of external forces."""

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.kernels.external_force import DRIVES, FIRST_ORDER, OBSERVER, momentum_at
from mb_model import MechanismError
from mb_model.jit import sizes_of


class DrivenMechanism:
    """A mechanism and its drives, as records for kernels: models, works, records of the drives."""

    def __init__(self, mechanism, drives=None, follows=False):
        """Set up at the mechanism's start.

        drives: names of the coordinates on which drives act (d), any of the mechanism's; default:
        the drives of its file; follows: whether z of orientations counts from where each body is,
        as in estimates, so that zd is its angular velocity in its frame and forces are moments
        there; else from the reference of the file.  Raises ContactError.
        """
        drives = mechanism.drives if drives is None else drives
        if mechanism.is_sparse or mechanism.model['driven'][0]:
            raise ContactError(f'{mechanism.name}: forces from outside: not for mechanisms '
                               'with prescribed coordinates or sparse storage')
        mechanism.require_holonomic('forces from outside')
        if mechanism.flexible_bodies:
            raise ContactError(f'{mechanism.name}: forces from outside: not for flexible bodies, '
                               f'such as {mechanism.flexible_bodies[0]}')
        for name in drives:
            if name not in mechanism.coordinates:
                raise ContactError(f'{mechanism.name}: drives: {name}: unknown coordinate, '
                                   f'expected some of {", ".join(mechanism.coordinates)}')
        if len(set(drives)) < len(drives):
            raise ContactError(f'{mechanism.name}: drives: {", ".join(drives)}: every coordinate '
                               'may be named once')
        self.mechanism, self.drives, self.g = mechanism, tuple(drives), mechanism.g
        self.models, self.works = mechanism.model, mechanism.workspace()
        self.records = DRIVES.of(sizes_of(self.models))
        self.records['count'] = len(self.drives)
        self.records['coordinate'][0, :len(self.drives)] = [
            mechanism.coordinates.index(name) for name in self.drives]
        self.records['start'][0, :mechanism.n] = mechanism.q0
        self.records['follows'] = follows
        turns = self._turns()
        self.records['turns'] = len(turns)
        self.records['turn'][0, :len(turns)] = np.reshape(turns, (-1, 3))
        self.works['q'][0, :mechanism.n] = mechanism.q0

    def _turns(self):
        """Return the three places in z of each orientation; raises ContactError."""
        model, turns = self.models[0], []
        places = model['independent'][:self.g].tolist()
        for chart in model['chart_coordinate'][:model['charts']].tolist():
            found = [places.index(place) for place in chart if place in places]
            if len(found) not in (0, len(chart)):
                raise ContactError(f'{self.mechanism.name}: forces from outside: an orientation is '
                                   'a degree of freedom in part, expected all of it or none')
            turns += [found] if found else []
        return turns

    def settle(self, z):
        """Take the branch of the file at z (g), from where states are followed.

        Orientations count from the reference of the file.
        """
        n, size = self.mechanism.n, int(self.models['n_total'][0])
        self.works['q'][0, n:size] = self.models['fixed'][0, n:size]
        self.works['q'][0, :n] = self.mechanism.assemble(z)

    def momentum(self, z, zd):
        """Return the momentum M_bar zd and its rate without external forces (g, g)."""
        out, rate = np.empty(self.g), np.empty(self.g)
        if not momentum_at(self.models, self.works, self.numbers('z', z, self.g),
                           self.numbers('zd', zd, self.g), out, rate):
            raise self.singular(z)
        return out, rate

    def observers(self, gain, law=FIRST_ORDER):
        """Return the record of an observer with gains, one or g, and the law of its kernels.

        Raises ContactError.
        """
        gain = np.array(gain)
        if gain.size not in (1, self.g) or not (gain > 0.0).all():
            raise ContactError(f'gain: {list(gain)} must be one number > 0, or {self.g}')
        observers = OBSERVER.of(sizes_of(self.models))
        observers['gain'][0, :self.g], observers['law'] = gain, law
        return observers

    def torques(self, torques):
        """Return torques as an array (d); raises ValueError."""
        return self.numbers('torques', torques, len(self.drives))

    def numbers(self, name, values, size):
        """Return values as an array of a size; raises ValueError."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        if values.shape != (size,):
            raise ValueError(f'{name}: shape {values.shape} must be ({size},)')
        return values

    def singular(self, z):
        """Return the error of a state without a motion."""
        return MechanismError(f'{self.mechanism.name}: no position, or a singular one, at {z}')
