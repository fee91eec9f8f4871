"""A machine's own controller: it reads its drives, follows a trajectory, and reacts to contacts."""

from typing import Any

from numba import float64, int64
import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.kernel_api import bound
from mb_sensors import NoiseSettings, SensorNoise, noisy
from mb_simulation.control.computed_torque import ComputedTorque, gains
from mb_simulation.control.motion import Following, Motion, Trajectory
from mb_simulation.control.polynomial_trajectory import rest, through
from mb_simulation.control.reactions import Braking, Retraction


class Controller:
    """Torques of the drives, step by step.

    reacted: when the last contact was reported [s], None before; lost: steps without a position, in
    which the drives were left without torque.
    """

    def __init__(self, mechanism: Mechanism, trajectory: Trajectory, settings: Any) -> None:
        """Set up for the Mechanism that the controller knows; raises MechanismError."""
        self.settings = settings
        self.period = 1.0 / settings.rate
        self._limits = settings.brake_acceleration, settings.turning_brake_acceleration
        self._angles = np.array([mechanism.unit(name) == 'rad' for name in mechanism.independent])
        self._law = ComputedTorque(mechanism, settings)
        noise = SensorNoise(NoiseSettings(
            sigma=settings.encoder_sigma, resolution=settings.encoder_resolution), settings.seed,
            'controller')
        self._true, self._readings = np.empty((2, len(mechanism.drives)))
        self._read = bound(noisy, (noise.record[0], noise.errors(len(mechanism.drives))), int64,
                           float64[::1], float64[::1])
        self._following = self._wanted = Following(trajectory)
        self.reacted, self.lost = None, 0
        self._left = None       # time along the trajectory at which a reaction left it
        self._rehearse(mechanism)

    def torques(self, t: float, drives: FloatArray) -> FloatArray:
        """Return the torques (d) [N or N m] from t [s] on; drives (d): their true positions."""
        if self._left is not None and self._is_over(t):
            self._resume(t)
        self._true[:] = drives
        self._read(round(t / self.period), self._true, self._readings)
        try:
            return self._law.torques(self._readings, self._wanted.at(t),
                                     self._wanted.at(t + 0.5 * self.period))
        except MechanismError:
            self.lost += 1
            return np.zeros(len(self._readings))

    def react(self, t: float) -> bool:
        """React to a contact from t [s] on, as the settings say.

        A contact during a reaction changes nothing.  Returns whether it reacts.
        """
        reaction = self.settings.reaction
        if self._left is not None or reaction == 'none':
            return False
        self.reacted, self._left = t, self._following.progress(t)
        if reaction == 'release':
            self._law.set_gains(0.0, self.settings.release_damping)
            self._follow(rest(self._law.z), t)
        elif reaction == 'stop':
            z, rate = self._present()
            self._follow(Braking(t, z, rate, self._braking_time(rate)), t)
        else:
            time = self._braking_time(self._following.at(t).zd)
            self._follow(Retraction(self._following, t, time, self.settings.retract_time), t)
        return True

    def wanted(self, t: float) -> Motion:
        """Return the Motion that is followed at t [s]."""
        return self._wanted.at(t)

    def trajectory_time(self, t: float) -> float:
        """Return the time along the trajectory at t [s]: it stands still during a reaction."""
        return self._following.progress(t) if self._left is None else self._left

    def _is_over(self, t: float) -> bool:
        """Return whether a reaction has lasted long enough."""
        after = self.settings.resume_after
        return after > 0.0 and t >= self.reacted + after - 0.5 * self.period

    def _resume(self, t: float) -> None:
        """Go back to where the reaction left the trajectory, and on from there."""
        z, rate = self._present()
        goal = self._following.trajectory.at(self._left).z
        still = np.zeros_like(z)
        return_motion = through(np.array([0.0, self.settings.resume_time]), np.array([z, goal]),
                           np.array([rate, still]), np.array([still, still]))
        self._following = Following(self._following.trajectory, t, self._left, return_motion)
        self._left = None
        self._law.set_gains(*gains(self.settings))
        self._follow(self._following, t)

    def _follow(self, motion: Trajectory | Following, t: float) -> None:
        """Follow another motion from t [s] on."""
        self._wanted = motion
        self._law.expect(motion.at(t))

    def _present(self) -> tuple[FloatArray, FloatArray]:
        """Return pose and rate (g) at the next control step, by the last read ones."""
        rate = self._law.rate.copy()
        return self._law.z + self.period * rate, rate

    def _rehearse(self, mechanism: Mechanism) -> None:
        """Make a step and forget it, so that all is compiled before time runs."""
        self.torques(0.0, mechanism.q0[mechanism.indices(mechanism.drives)])
        self._law.reset()
        self._law.expect(self._wanted.at(0.0))
        self.lost = 0

    def _braking_time(self, zd: FloatArray) -> float:
        """Return how long braking from velocities (g) takes [s], a control period at least."""
        sizes = [np.linalg.norm(zd[chosen]) / limit for chosen, limit in
                 zip((~self._angles, self._angles), self._limits, strict=True)]
        return max(self.period, *sizes)
