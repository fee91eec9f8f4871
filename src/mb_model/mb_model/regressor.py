"""What a motion needs, and how that depends on parameters of the mechanism: for identification."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.kernels import regressor as kernel
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.unweighed import require_masses

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


@dataclass(frozen=True)
class Needed:
    """Along k instants of a motion.

    force (k, g): inverse dynamics [N or N m]; by_parameter (k, g, p): its derivatives by the
    parameters, the regressor; by_state (k, g, 3 g): by z, zd, zdd; R (k, n, g): qd = R zd.
    """

    force: FloatArray
    by_parameter: FloatArray
    by_state: FloatArray
    R: FloatArray


class Regressor:
    """Inverse dynamics as a function of parameters: force(p + dp) = force(p) + by_parameter dp.

    This is exact for what enters linearly: masses, moments of inertia, friction, stiffness; for
    others (lengths, centres of gravity, transition velocities) it is the first order.
    Source: Mohammad et al. 2025, Eq. (2); Atkeson, An and Hollerbach 1986 for the linearity.
    """

    def __init__(self, mechanism: 'Mechanism', parameters: Sequence[str]) -> None:
        """Set up for parameters (p): paths of numbers in the file, or names of its `parameters`.

        Raises MechanismError; not for prescribed coordinates, large mechanisms, bodies that roll.
        """
        mechanism.require_holonomic('regressor')
        require_masses(mechanism.described, 'regressor')
        if mechanism.described.prescribed:
            raise MechanismError(f'{mechanism.file}: regressor: not for mechanisms with prescribed '
                                 'coordinates')
        mechanism = mechanism.in_full('regressor')
        self.mechanism, self.names = mechanism, tuple(parameters)
        self._records = mechanism.parameter_records(self.names)
        self._require_apart()
        self._models, self._works = mechanism.model.copy(), mechanism.workspace()

    def _require_apart(self):
        """Raise MechanismError if two parameters change the same number of the model."""
        owners: dict[tuple[int, ...], str] = {}
        for name, record in zip(self.names, self._records, strict=True):
            for k in range(record['effects']):
                number = record['kind'][k], *record['index'][k]
                if owners.setdefault(number, name) != name:
                    raise MechanismError(f'{self.mechanism.file}: {owners[number]} and {name} are '
                                         'the same number of the model, take one of them')

    @property
    def values(self) -> FloatArray:
        """The values of the parameters (p)."""
        return self._records['value'].copy()

    @values.setter
    def values(self, values: ArrayLike) -> None:
        kernel.set_values(self._models, self._works, self._records,
                          np.ascontiguousarray(values, dtype=float))

    @property
    def mass_properties(self) -> FloatArray:
        """Mass, centre of gravity, inertia about it of each body at these values (bodies, 4 or 10).

        In space the inertia as xx, yy, zz, xy, xz, yz.
        """
        model = self._models[0]
        kind, inertia = (('body', model['body_inertia'][:, np.newaxis])
                         if self.mechanism.dimension == 2 else ('solid', model['solid_inertia']))
        count = len(self.mechanism.bodies)
        return np.column_stack([model[f'{kind}_mass'], model[f'{kind}_centre'], inertia])[:count]

    def along(self, z: ArrayLike, zd: ArrayLike, zdd: ArrayLike) -> Needed:
        """Return the Needed of a motion, each (k, g), on the branch of the file.

        Raises MechanismError at an instant without a position, or with a singular one.
        """
        z, zd, zdd = (np.ascontiguousarray(values, dtype=float) for values in (z, zd, zdd))
        (count, g), n, p = z.shape, self.mechanism.n, len(self.names)
        needed = Needed(np.empty((count, g)), np.empty((count, g, p)), np.empty((count, g, 3 * g)),
                        np.empty((count, n, g)))
        self._works['q'][0, :n] = self.mechanism.assemble(z[0])
        done = kernel.needed_along(self._models, self._works, self._records, z, zd, zdd,
                                   needed.force, needed.by_parameter, needed.by_state, needed.R)
        if done < count:
            raise MechanismError(f'{self.mechanism.file}: no position, or a singular one, at '
                                 f'instant {done}, z = {z[done].tolist()}')
        return needed
