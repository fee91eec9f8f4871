"""The prototype of a mechanism in space in MuJoCo: truth from another simulator than the model.

From mb_model it takes the mechanism file as read, and the start: places, rates, pressures.
"""

import mujoco
from numba import float64, intp
import numpy as np

from mb_model.kernel_api import bound
from mb_model.space_api import body_tree
from mb_simulation.prototypes.parts.contacts import StandingObstacles
from mb_simulation.prototypes.parts.mjcf import CLOSURE_IMPEDANCE, FRICTION_TIME_CONSTANT
from mb_simulation.prototypes.parts.mujoco_machine import MujocoMachine
from mb_simulation.prototypes.space.beam_chain import fastest_decay
from mb_simulation.prototypes.space.coordinates import SpatialCoordinates
from mb_simulation.prototypes.space.forces import (
    SpatialJoints,
    accelerate,
    rates,
    spatial_forces,
    step,
)
from mb_simulation.prototypes.space.loads import JointLoads
from mb_simulation.prototypes.space.mjcf import write_spatial_mjcf
from mb_simulation.prototypes.space.pushed import pushed_coordinates
from mb_simulation.prototypes.space.start_rates import start_rates

_STABLE = 2.0       # of the step times the fastest decay of a chain; Runge-Kutta bears 2.8
_RUBBING = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF)


class SpatialMujocoPrototype(MujocoMachine):
    """A mechanism in space in MuJoCo; a Prototype.

    The state follows from places, velocities and accelerations of MuJoCo's bodies alone.
    """

    def __init__(self, mechanism, interval, step, obstacles=()):
        """Start at the mechanism's start; interval of advance() and longest step in seconds.

        obstacles: Obstacles that may come into its way.
        Raises ValueError for a mechanism that MuJoCo cannot simulate.
        """
        self._pushed = pushed_coordinates(mechanism, body_tree(mechanism))
        super().__init__(mechanism, interval, _bearable(mechanism, step, self._pushed))
        self._q0, self._obstacles = mechanism.q0, tuple(obstacles)
        self._loads = JointLoads(mechanism)
        if self._has_oil and any(one.mass > 0.0 for one in self._obstacles):
            raise ValueError(f'{mechanism.file}: hydraulics: in the MuJoCo prototype not beside '
                             'obstacles that float, expected a mass of 0')
        self._load()
        if self._has_oil and self.model.nq > self.model.nv:
            raise ValueError(f'{mechanism.file}: hydraulics: in the MuJoCo prototype not beside '
                             'bodies that ball joints carry or that float, unless they are slender')
        self._coordinates_of = SpatialCoordinates(mechanism, self.model)
        self._compile()
        self._v[:] = start_rates(mechanism, self.model, self.data)
        self._accelerate()

    def advance(self, act=None):
        """Move on by one interval; see Prototype.

        Angles count on and orientations follow from interval to interval: each has its state.
        """
        super().advance(act)
        self._find_state()

    def joint_load(self, joint):
        """Return what a joint transmits (6); see Prototype."""
        self._find_state()
        return self._loads.of(self.model, self.data, joint)

    @property
    def loop_residual(self):
        """The largest gap in a loop closure [m], or error of a massless rod or a screw."""
        data = self.data
        gaps = {}
        for row in range(data.ne):
            gaps.setdefault(int(data.efc_id[row]), []).append(data.efc_pos[row])
        return max((float(np.linalg.norm(gap)) for gap in gaps.values()), default=0.0)

    def _load(self):
        """Have MuJoCo read the mechanism; all joints are zero then."""
        self.mjcf = write_spatial_mjcf(self._mechanism, self._step, pushed=self._pushed, q=self._q0,
                                       obstacles=self._obstacles)
        self.model = mujoco.MjModel.from_xml_string(self.mjcf)
        self._standing = StandingObstacles(self.model, self._obstacles, 3)
        self.data = mujoco.MjData(self.model)
        self._x, self._v, self._a = self.data.qpos, self.data.qvel, self.data.qacc

    def _compile(self):
        """Bind the steps to the present joints and forces."""
        model = self.model
        places = {model.joint(k).name: int(model.jnt_dofadr[k]) for k in range(model.njnt)}
        self._forces = spatial_forces(self._mechanism, self._pushed, model, self.data, self._oil,
                                      places)
        for dof in self._forces.rubbing.dof:
            model.dof_solref[dof] = FRICTION_TIME_CONSTANT * self._step, 1.0
            model.dof_solimp[dof, :2] = CLOSURE_IMPEDANCE
        joints = SpatialJoints(model._address, self.data._address, self._x, self._v, self._a,
                               self._forces, np.empty_like(self._x), np.empty((3, model.nv)))
        self._find = bound(accelerate, (joints,), intp)
        if self._has_oil:
            self._compile_oil(joints, rates)
        else:
            self._go = bound(step, (joints,), float64)

    def _coordinates(self):
        """Return q, qd, qdd (n)."""
        return self._coordinates_of.at(self.model, self.data)

    def _rubs(self, f):
        """Return the force of dry friction of a number on its coordinate [N or N m]."""
        data, dof = self.data, self._forces.rubbing.dof[f]
        its = (data.efc_type == _RUBBING) & (data.efc_id == dof)
        return float(data.efc_force[its].sum())


def _bearable(mechanism, step, pushed):
    """Return the longest step [s], at most that given, that chains of flexible bodies bear."""
    if not mechanism.flexible_bodies:
        return step
    model = mujoco.MjModel.from_xml_string(write_spatial_mjcf(mechanism, step, pushed=pushed))
    return min(step, _STABLE / fastest_decay(model, mujoco.MjData(model)))
