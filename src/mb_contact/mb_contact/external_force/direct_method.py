"""The direct method: forces from outside are what the accelerations leave unexplained."""

from mb_contact.external_force.driven_mechanism import DrivenMechanism


class DirectMethod:
    """F_ext = M_x xdd + c_x + g_x + F_fr - F_m, without delay.

    The accelerations have to be measured or estimated, as by a filter with an accelerometer;
    differences of encoder readings are too noisy.  Source: Mohammad et al. 2025, Eq. (5).
    """

    def __init__(self, mechanism, drives=None):
        """Set up; see DrivenMechanism."""
        self._driven = DrivenMechanism(mechanism, drives)

    def force(self, z, zd, zdd, torques):
        """Return the force from outside on each degree of freedom (g) [N or N m].

        z, zd, zdd (g): near the last state, or that of the file; torques (d): of the drives.
        Raises MechanismError where there is no position or a singular one.
        """
        needed = self._driven.required(z, zd, zdd)
        return needed - self._driven.drive_forces(torques)
