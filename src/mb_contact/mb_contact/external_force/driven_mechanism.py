"""A mechanism with known forces of its drives: what all methods of finding others start from."""

import numpy as np

from mb_contact.errors import ContactError
from mb_contact.kernels.momentum import balance_at, momentum_at
from mb_model import MechanismError


class DrivenMechanism:
    """A mechanism at a state, and what its drives do to its degrees of freedom."""

    def __init__(self, mechanism, drives=None):
        """Set up.

        drives: names of the coordinates on which drives act (d), any of the mechanism's; default:
        those of its file.  Raises ContactError.
        """
        drives = mechanism.drives if drives is None else drives
        if mechanism.is_sparse or mechanism.model['driven'][0]:
            raise ContactError(f'{mechanism.name}: forces from outside: not for mechanisms '
                               'with prescribed coordinates or sparse storage')
        for name in drives:
            if name not in mechanism.coordinates:
                raise ContactError(f'{mechanism.name}: drives: {name}: unknown coordinate, '
                                   f'expected some of {", ".join(mechanism.coordinates)}')
        self.mechanism = mechanism
        self.drives = tuple(drives)
        self.g = mechanism.g
        self._models, self._works = mechanism.model, mechanism.new_work()
        self._drives = np.array([mechanism.coordinates.index(name) for name in drives], np.int64)
        self.settle(mechanism.z0)

    def settle(self, z):
        """Take the branch of the file at z (g), from where states are followed."""
        self._works[0]['q'][:self.mechanism.n] = self.mechanism.assemble(z)

    def momentum(self, z, zd):
        """Return the momentum M_bar zd and its rate without drives and external forces (g, g)."""
        out, rate = np.empty(self.g), np.empty(self.g)
        self._load(z, zd)
        if not momentum_at(self._models, self._works, out, rate):
            raise self._singular(z)
        return out, rate

    def required(self, z, zd, zdd):
        """Return the force that a motion needs beside the model's own (g): inverse dynamics."""
        self._load(z, zd)
        self._works[0]['zdd'][:self.g] = zdd
        if not balance_at(self._models, self._works):
            raise self._singular(z)
        return self._works[0]['forces'][:self.g].copy()

    def drive_forces(self, torques):
        """Return what drives [N or N m] (d) do on the degrees of freedom (g), at the last state.

        J^-T torques, J the Jacobian from drives to degrees of freedom: rows of R, transposed.
        """
        return self._works[0]['R'][self._drives, :self.g].T @ np.asarray(torques, float)

    def _load(self, z, zd):
        work = self._works[0]
        work['z'][:self.g], work['zd'][:self.g] = z, zd

    def _singular(self, z):
        return MechanismError(f'{self.mechanism.name}: no position, or a singular one, at {z}')
