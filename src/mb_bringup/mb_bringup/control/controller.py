"""A machine's own controller: it reads its drives, follows a trajectory, and reacts to contacts."""

import numpy as np

from mb_bringup.control.computed_torque import ComputedTorque
from mb_bringup.control.polynomial_trajectory import rest
from mb_bringup.control.reactions import Braking, Retraction
from mb_model import MechanismError
from mb_sensors.noise import SensorNoise
from mb_sensors.noise_settings import NoiseSettings


class Controller:
    """Torques of the drives, step by step.

    reacted: when a contact was told [s], None before; lost: steps without a position, in which the
    drives were left without torque.
    """

    def __init__(self, mechanism, trajectory, settings):
        """Set up for the Mechanism that the controller knows; raises MechanismError."""
        self.settings = settings
        self.period = 1.0 / settings.rate
        self._limits = settings.brake_acceleration, settings.turning_brake_acceleration
        self._angles = np.array([mechanism.unit(name) == 'rad' for name in mechanism.independent])
        self._law = ComputedTorque(mechanism, settings)
        self._noise = SensorNoise(NoiseSettings(
            sigma=settings.encoder_sigma, resolution=settings.encoder_resolution), settings.seed,
            'controller')
        self._trajectory = self._wanted = trajectory
        self.reacted, self.lost = None, 0
        self._rehearse(mechanism)

    def torques(self, t, drives):
        """Return the torques (d) [N or N m] from t [s] on; drives (d): where they are in truth."""
        number = round(t / self.period)
        readings = self._noise.readings([number], np.reshape(drives, (1, -1)))[0]
        try:
            return self._law.torques(readings, self._wanted.at(t),
                                     self._wanted.at(t + 0.5 * self.period))
        except MechanismError:
            self.lost += 1
            return np.zeros(len(readings))

    def react(self, t):
        """React from t [s] on to something that is touched, as the settings say.

        Only the first contact counts.  Returns whether this was it.
        """
        reaction = self.settings.reaction
        if self.reacted is not None or reaction == 'none':
            return False
        self.reacted = t
        if reaction == 'release':
            self._law.set_gains(0.0, self.settings.release_damping)
            self._wanted = rest(self._law.z)
        elif reaction == 'stop':
            rate = self._law.rate       # as read a control step ago
            self._wanted = Braking(t, self._law.z + self.period * rate, rate,
                                   self._braking_time(rate))
        else:
            time = self._braking_time(self._trajectory.at(t).zd)
            self._wanted = Retraction(self._trajectory, t, time, self.settings.retract_time)
        self._law.expect(self._wanted.at(t))
        return True

    def wanted(self, t):
        """Return the Motion that is followed at t [s]."""
        return self._wanted.at(t)

    def _rehearse(self, mechanism):
        """Make a step and forget it: what is to be compiled is so before time begins to run."""
        self.torques(0.0, mechanism.q0[mechanism.places(mechanism.drives)])
        self._law.reset()
        self._law.expect(self._wanted.at(0.0))
        self.lost = 0

    def _braking_time(self, zd):
        """Return how long braking from velocities (g) takes [s], a control period at least."""
        sizes = [np.linalg.norm(zd[chosen]) / limit for chosen, limit in
                 zip((~self._angles, self._angles), self._limits, strict=True)]
        return max(self.period, *sizes)
