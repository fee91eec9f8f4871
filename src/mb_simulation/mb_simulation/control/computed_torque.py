"""Computed torque: a mechanism follows a motion by the torques of its drives."""

from math import exp
from typing import Any

from numba import float64
import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    bound,
    inverse_dynamics,
    lu_factor,
    lu_solve,
    pass_through_drives,
    reach_position,
)
from mb_simulation.control.motion import Motion

_inverse, _reach = inverse_dynamics, reach_position

LAW = np.dtype([('h', float),            # control period [s]
                ('stiffness', float),    # [1/s^2]
                ('damping', float),      # [1/s]
                ('cutoff', float),       # of the rates [rad/s]
                ('limit', float)], align=True)     # of a torque [N or N m]


@kernel
def pose_at(driven, driven_works, models, works, drives, z):
    """Write the pose z (g) where the drives (g) are: forward kinematics from the last position on.

    Returns False where there is none.
    """
    other, own, model, work = driven[0], driven_works[0], models[0], works[0]
    for k in range(model.g):
        own.z[k] = drives[k]
    if not _reach(other, own):
        return False
    for row in range(model.n):
        work.q[row] = own.q[row]
    for k in range(model.g):
        z[k] = work.q[model.independent[k]]
    return True


@kernel
def follow_rates(law, z, wanted, last, rates):
    """Low-pass filter the differences of pose and wanted pose: rates (2, g); last (2, g).

    Both by the same filter, so that their difference has no delay where the error is constant.
    """
    h = law[0].h
    share = 1.0 - exp(-law[0].cutoff * h)
    for k in range(len(z)):
        rates[0, k] += share * ((z[k] - last[0, k]) / h - rates[0, k])
        rates[1, k] += share * ((wanted[k] - last[1, k]) / h - rates[1, k])
        last[0, k], last[1, k] = z[k], wanted[k]


@kernel
def torques_at(models, works, law, driven_rows, z, wanted, rates, system, pivots, torques):
    """Write the torques (d) that make the error fade like a spring and damper would.

    J^T torques = M_bar (zdd_d + D (rate of e) + K e) + c + g + friction, e = z_d - z; J: rows of R.
    wanted (3, g): pose at this instant; velocities and accelerations half a period later, in the
    middle of the time for which the torques hold.  The dynamics are for that time: at the
    pose there, and at wanted velocities, so that dry friction is not driven by noise.
    Returns False where there is no position or a singular one; torques are zero then.
    """
    model, work = models[0], works[0]
    for k in range(model.g):
        torques[k] = 0.0
        work.z[k] = z[k] + 0.5 * law[0].h * wanted[1, k]
        work.zd[k] = wanted[1, k]
        work.zdd[k] = (wanted[2, k] + law[0].stiffness * (wanted[0, k] - z[k])
                       + law[0].damping * (rates[1, k] - rates[0, k]))
    if not _reach(model, work) or not _inverse(model, work, work.forces):
        return False
    pass_through_drives(model, work)
    for row in range(model.g):
        for column in range(model.g):
            system[row, column] = work.R[driven_rows[column], row]
    if lu_factor(system, pivots, model.g) == 0.0:
        return False
    for k in range(model.g):
        torques[k] = work.forces[k]
    lu_solve(system, pivots, torques, model.g)
    for k in range(model.g):
        torques[k] = min(max(torques[k], -law[0].limit), law[0].limit)
    return True


@entry
def control_step(driven, driven_works, models, works, law, driven_rows, z, last, rates, system,
                 pivots, drives, wanted, torques):
    """Write pose, rates and torques for readings of the drives (g) and what is wanted (3, g).

    Returns False where there is no position or a singular one.
    """
    if not pose_at(driven, driven_works, models, works, drives, z):
        return False
    follow_rates(law, z, wanted[0], last, rates)
    return torques_at(models, works, law, driven_rows, z, wanted, rates, system, pivots, torques)


class ComputedTorque:
    """Torques of the drives by inverse dynamics, with feedback of the pose.

    The pose comes from the drives by forward kinematics, its rate from filtered differences.
    z, rate (g): the pose and its rate, as read last.
    """

    def __init__(self, mechanism: Mechanism, settings: Any) -> None:
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
    def rate(self) -> FloatArray:
        """The rate of the pose (g)."""
        return self._rates[0]

    def reset(self) -> None:
        """Begin again at the start of the mechanism, at its velocities."""
        mechanism = self._mechanism
        for work in (self._works, self._driven_works):
            work[0]['q'][:mechanism.n] = mechanism.q0
        self.z[:] = self._last[:] = mechanism.z0
        self._rates[:] = mechanism.zd0

    def set_gains(self, stiffness: float, damping: float) -> None:
        """Take other gains of the feedback [1/s^2, 1/s]."""
        self._law['stiffness'], self._law['damping'] = stiffness, damping

    def expect(self, motion: Motion) -> None:
        """Continue with another wanted motion, which is at this Motion now."""
        self._last[1], self._rates[1] = motion.z, motion.zd

    def torques(self, drives: FloatArray, now: Motion, ahead: Motion) -> FloatArray:
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


def gains(settings: Any) -> tuple[float, float]:
    """Return stiffness [1/s^2] and damping [1/s] of the feedback by ControlSettings."""
    return settings.bandwidth ** 2, 2.0 * settings.damping_ratio * settings.bandwidth
