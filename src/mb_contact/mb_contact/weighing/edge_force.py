"""The force of the ground at the edge of a tool, from moments about the pins of its links."""

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.external_force.direct_method import DirectMethod
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.record.hydraulics import AIR_PRESSURE

LOAD_SIGMA, FORCE_SIGMA = 1e3, 1e5      # kg, N: before anything is known


class EdgeForce:
    """Two components of the force at the edge, and the load that comes in, from as many moments.

    Moments about the pins come from the direct method; as many unknowns leave none to check by.
    """

    def __init__(self, mechanism: Mechanism, settings: ToolSettings) -> None:
        """Set up.  Raises ContactError, MechanismError, ValueError."""
        self._mechanism, self._settings = mechanism, settings
        self._method = DirectMethod(mechanism, list(settings.cylinders))
        circuit = mechanism.circuit
        if circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders move the tool')
        record = circuit.record[0]
        order = [list(circuit.cylinder_coordinates).index(k)
                 for k in mechanism.places(list(settings.cylinders))]
        self._areas = record['area'].reshape(-1, 2)[order] * [1.0, -1.0]
        self._sides = record['chamber'].reshape(-1, 2)[order]
        self._coulomb, self._viscous, self._slow = (
            record[name][order] for name in ('coulomb', 'viscous', 'transition_velocity'))
        self._angles = [mechanism.independent.index(name) for name in settings.angles]
        self._rates = mechanism.places(list(settings.cylinders))
        self._edge = np.array(mechanism.bodies[settings.tool].points[settings.edge])
        self._gravity = np.array(mechanism.raw['gravity'], float)
        self._sigmas = np.array(settings.moment_sigmas)
        self._prior = np.diag(1.0 / np.square([FORCE_SIGMA, FORCE_SIGMA, LOAD_SIGMA]))

    def force(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray,
              qd: FloatArray, p: FloatArray) -> FloatArray:
        """Return the force at the edge along x and z of the frame's body (2) [N].

        z, zd, zdd (g), q, qd (n): the motion; p (v): pressures [Pa].
        """
        rate = qd[self._rates]
        rubs = self._coulomb * np.tanh(rate / self._slow) + self._viscous * rate
        pushes = np.sum((p[self._sides] - AIR_PRESSURE) * self._areas, axis=1) - rubs
        outside = self._method.force(z, zd, zdd, pushes)[self._angles]
        white = self._arms(q) / self._sigmas[:, np.newaxis]
        return np.linalg.solve(white.T @ white + self._prior,
                               white.T @ (outside / self._sigmas))[:2]

    def _arms(self, q):
        """Return moments about the pins (links, 3): of 1 N along x and z at the edge, of 1 kg."""
        settings, motion = self._settings, self._mechanism.body_motion
        turn = motion(settings.frame, q).rotation
        tool, load = motion(settings.tool, q), motion(settings.load_body, q).position
        edge = tool.position + tool.rotation @ self._edge
        pulls = (edge, turn[:, 0]), (edge, turn[:, 2]), (load, self._gravity)
        return np.array([[-turn[:, 1] @ np.cross(place - motion(link, q).position, pull)
                          for place, pull in pulls] for link in settings.links])
