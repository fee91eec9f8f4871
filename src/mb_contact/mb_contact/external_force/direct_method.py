"""The direct method: forces from outside are the residual of the equations of motion."""

from collections.abc import Sequence

import numpy as np

from mb_contact.external_force.driven_mechanism import DrivenMechanism
from mb_contact.kernels.external_force import direct_at
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_NONE = np.zeros(0)


class DirectMethod:
    """F_ext = M_x xdd + c_x + g_x + F_fr - F_m, without delay.

    The accelerations have to be measured or estimated, as by a filter with an accelerometer;
    differences of encoder readings are too noisy.  Source: Mohammad et al. 2025, Eq. (5).
    """

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None) -> None:
        """Set up; see DrivenMechanism."""
        self._driven = DrivenMechanism(mechanism, drives)

    def force(self, z: FloatArray, zd: FloatArray, zdd: FloatArray,
              torques: FloatArray) -> FloatArray:
        """Return the force from outside on each degree of freedom (g) [N or N m].

        z, zd, zdd (g): near the last state, or the file's; torques (d): of the drives.
        Raises MechanismError where there is no position or a singular one, ValueError.
        """
        driven = self._driven
        motion = [driven.numbers(name, values, driven.g)
                  for name, values in (('z', z), ('zd', zd), ('zdd', zdd))]
        if not direct_at(driven.models, driven.works, driven.records, *motion,
                         driven.torques(torques), _NONE):
            raise driven.singular(z)
        return driven.works['forces'][0, :driven.g].copy()
