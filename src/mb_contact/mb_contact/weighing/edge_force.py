"""The force of the ground at the edge of a tool, by moments about the pins of links; its means."""

from collections import deque

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.mass_equations import MassEquations
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray

LOAD_SIGMA, FORCE_SIGMA = 1e3, 1e5      # kg, N: before anything is known


class CentredMeans:
    """Means of what is added from half a window before a stamp to half a window after it."""

    def __init__(self, window: float) -> None:
        """Set up; window [s]: 0.0 for the values themselves."""
        self._half = round(5e8 * window)
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._values: deque[tuple[int, FloatArray]] = deque()
        self._wanted: deque[int] = deque()

    def add(self, stamp: int, value: FloatArray, wanted: bool) -> list[tuple[int, FloatArray]]:
        """Add a value (k) at a stamp [ns], later than all before; return means that are complete.

        wanted: whether there shall be a mean about this stamp.
        """
        self._values.append((stamp, value))
        if wanted:
            self._wanted.append(stamp)
        means = []
        while self._wanted and self._wanted[0] + self._half <= stamp:
            centre = self._wanted.popleft()
            while self._values[0][0] < centre - self._half:
                self._values.popleft()
            means.append((centre, np.mean([value for at, value in self._values
                                           if at <= centre + self._half], axis=0)))
        return means


class EdgeForce:
    """Two components of the force at the edge, and the load that comes in, from as many moments.

    Moments about the pins are what the equations of motion miss; the load weighs and is moved as
    part of the machine.  As many unknowns leave none to check by.
    """

    def __init__(self, mechanism: Mechanism, settings: ToolSettings) -> None:
        """Set up.  Raises ContactError, MechanismError, ValueError."""
        if mechanism.circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders move the tool')
        self._mechanism, self._settings = mechanism, settings
        self._equations = MassEquations(mechanism, [settings.load])
        self._angles = [mechanism.independent.index(name) for name in settings.angles]
        self._edge = np.array(mechanism.bodies[settings.tool].points[settings.edge])
        self._moving = np.zeros(2 * (3 * mechanism.g,))     # what moves at all, moves
        self._sigmas = np.array(settings.moment_sigmas)
        self._prior = np.diag(1.0 / np.square([FORCE_SIGMA, FORCE_SIGMA, LOAD_SIGMA]))

    def force(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray,
              p: FloatArray) -> FloatArray:
        """Return the force at the edge along x and z of the frame's body (2) [N].

        z, zd, zdd (g), q (n): the motion; p (v): pressures [Pa].  Raises MechanismError
        where there is no position.
        """
        equations, rows = self._equations.at(z, zd, zdd, q, p, self._moving), self._angles
        if equations is None:
            raise MechanismError(f'{self._mechanism.name}: no position at z = {z}')
        arms = np.column_stack([self._arms(q), -equations.by_mass[rows, 0]])
        white = arms / self._sigmas[:, np.newaxis]
        return np.linalg.solve(white.T @ white + self._prior,
                               white.T @ (equations.residual[rows] / self._sigmas))[:2]

    def _arms(self, q: FloatArray) -> FloatArray:
        """Return moments about the pins (links, 2): of 1 N along x and z at the edge."""
        settings, motion = self._settings, self._mechanism.body_motion
        turn = motion(settings.frame, q).rotation
        tool = motion(settings.tool, q)
        edge = tool.position + tool.rotation @ self._edge
        arms = [edge - motion(link, q).position for link in settings.links]
        return np.array([[-turn[:, 1] @ np.cross(arm, turn[:, axis]) for axis in (0, 2)]
                         for arm in arms])
