"""The equations of motion as they depend on unknown masses, friction, motion and pressures."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.kernels.equations import equations
from mb_contact.payload.unknown_masses import new_instants
from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray


class Equations(NamedTuple):
    """Forces on the degrees of freedom that are missing (g), and their derivatives.

    residual: at the masses of the file; by_mass (g, k), by_friction (g, c): by the share by which
    friction of a cylinder differs from the file's; by_state (g, 3g + v): by z, zd, zdd, p;
    moving (c): cylinders whose friction is known, that of others is left out.
    """

    residual: FloatArray
    by_mass: FloatArray
    by_friction: FloatArray
    by_state: FloatArray
    moving: BoolArray


class MassEquations:
    """Equations of a mechanism with hydraulics, linear in masses (k) named as in PayloadEstimator.

    Source: Pyrhonen et al. 2023b, Eq. (55).  Raises ContactError, MechanismError.
    """

    def __init__(self, mechanism: Mechanism, masses: Sequence[str]) -> None:
        """Set up."""
        circuit = mechanism.circuit
        if circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders carry the masses')
        self._instants, _ = new_instants(mechanism, masses)
        self.values = self._instants['value'][0].copy()
        self._cylinders, self._volumes = len(circuit.cylinders), len(circuit.volumes)
        self._works, self._fluids = mechanism.workspace(), circuit.new_fluid()
        self._g, self._records = mechanism.g, (mechanism.model.copy(), self._works, circuit.record,
                                               self._fluids, self._instants)

    def at(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray, p: FloatArray,
           covariance: FloatArray) -> Equations | None:
        """Return the Equations of an instant, None where there is no position.

        z, zd, zdd (g), q (n); p (v) [Pa]; covariance of z, zd, zdd or the first of them: whether
        a cylinder moves.
        """
        g, work = self._g, self._works[0]
        work['z'][:g], work['zd'][:g], work['zdd'][:g] = z, zd, zdd
        self._fluids['p'][0, :self._volumes] = p
        if not equations(*self._records, np.zeros(0), q, covariance):
            return None
        found = self._instants[0]
        return Equations(*(part.copy() for part in (
            found['residual'][:g], found['by_mass'][:g],
            found['by_factor'][:g, :self._cylinders],
            found['by_state'][:g, :3 * g + self._volumes],
            found['moving'][:self._cylinders] > 0)))
