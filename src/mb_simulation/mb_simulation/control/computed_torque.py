"""The law of control: a mechanism follows a motion by the torques of its drives."""

from numba import float64
import numpy as np

from mb_model import MechanismError
from mb_model.kernel_api import bound
from mb_simulation.control.kernels.computed_torque import LAW, control_step


class ComputedTorque:
    """Torques of the drives by inverse dynamics, with feedback of the pose.

    The pose comes from the drives by forward kinematics, its rate from filtered differences.
    z, rate (g): the pose and its rate, as read last.
    """

    def __init__(self, mechanism, settings):
        """Set up at the start of a Mechanism, with ControlSettings; raises MechanismError."""
        mechanism.require_holonomic('computed torque')
        g, drives = mechanism.g, mechanism.drives
        if len(drives) != g:
            raise MechanismError(f'{mechanism.file}: drives: {len(drives)} for {g} degrees of '
                                 'freedom, computed torque needs as many')
        self._mechanism = mechanism
        self._works = mechanism.workspace()
        self._driven_works = mechanism.workspace()
        self._law = np.zeros(1, LAW)
        self._law['h'], self._law['limit'] = 1.0 / settings.rate, settings.torque_limit
        self._law['cutoff'] = 2.0 * np.pi * settings.rate_cutoff
        self.set_gains(*gains(settings))
        self._last, self._rates = np.empty((2, g)), np.empty((2, g))
        self.z, self._drives, self._wanted = np.empty(g), np.empty(g), np.empty((3, g))
        self._step = bound(control_step, (
            mechanism.driven_by(drives), self._driven_works, mechanism.model, self._works,
            self._law, mechanism.indices(drives), self.z, self._last, self._rates,
            np.empty((g, g)), np.empty(g, np.int64), self._drives, self._wanted), float64[::1])
        self.reset()

    @property
    def rate(self):
        """The rate of the pose (g)."""
        return self._rates[0]

    def reset(self):
        """Begin again at the start of the mechanism, at its velocities."""
        mechanism = self._mechanism
        for work in (self._works, self._driven_works):
            work[0]['q'][:mechanism.n] = mechanism.q0
        self.z[:] = self._last[:] = mechanism.z0
        self._rates[:] = mechanism.zd0

    def set_gains(self, stiffness, damping):
        """Take other gains of the feedback [1/s^2, 1/s]."""
        self._law['stiffness'], self._law['damping'] = stiffness, damping

    def expect(self, motion):
        """Continue with another wanted motion, which is at this Motion now."""
        self._last[1], self._rates[1] = motion.z, motion.zd

    def torques(self, drives, now, ahead):
        """Return the torques (g) [N or N m] for readings of the drives (g).

        now, ahead: the wanted Motion at this instant and half a period later.  Raises
        MechanismError where there is no position or a singular one.
        """
        torques, wanted = np.empty(len(self.z)), self._wanted
        self._drives[:] = drives
        wanted[0], wanted[1], wanted[2] = now.z, ahead.zd, ahead.zdd
        if self._step(torques):
            return torques
        raise MechanismError(f'{self._mechanism.name}: no position, or a singular one, where the '
                             f'drives are at {drives}')


def gains(settings):
    """Return stiffness [1/s^2] and damping [1/s] of the feedback by ControlSettings."""
    return settings.bandwidth ** 2, 2.0 * settings.damping_ratio * settings.bandwidth
