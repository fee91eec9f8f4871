"""The prototype in MuJoCo: the truth comes from another simulator than the model.

From mb_model it takes the mechanism file as read, and the start: places, rates, pressures.
"""

import mujoco
from numba import float64, intp
import numpy as np

from mb_model.kernel_api import bound
from mb_simulation.prototypes.joint_elasticity import fastest_rate, make_elastic, widest_gap
from mb_simulation.prototypes.loops import require_loops
from mb_simulation.prototypes.mjcf import simulated_tree, write_mjcf
from mb_simulation.prototypes.mujoco_steps import Joints, accelerate, rates, step
from mb_simulation.prototypes.parts.contacts import StandingObstacles
from mb_simulation.prototypes.parts.mujoco_library import EVERYTHING
from mb_simulation.prototypes.parts.mujoco_machine import MujocoMachine
from mb_simulation.prototypes.tree_motion import TreeMotion, joint_names
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

_FASTEST = 1.2      # of the step times the rate of joints that give way, which grows on the way
_RUBBING = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON)


class MujocoPrototype(MujocoMachine):
    """A planar mechanism in MuJoCo; a Prototype.

    The state follows from MuJoCo's joint places, rates and accelerations alone.  MuJoCo gives the
    accelerations, dry friction included; mujoco_steps makes the steps or, with oil, stiff_steps.
    """

    def __init__(self, mechanism, interval, step, obstacles=(), unmodelled=None):
        """Start at the mechanism's start; interval of advance() and longest step in seconds.

        obstacles: Obstacles that may come into its way; unmodelled: UnmodelledSettings, of which
        this class takes the joints that close loops: steps are as short as these ask for.
        Raises ValueError for a mechanism that MuJoCo cannot simulate.
        """
        moving = [name for name, point in mechanism.points.items() if not point.fixed]
        self._places = {name: point.position for name, point in mechanism.points.items()}
        self._places |= dict(zip(moving, mechanism.q0[:2 * len(moving)].reshape(-1, 2),
                                 strict=True))
        self._tree, self._obstacles = simulated_tree(mechanism), tuple(obstacles)
        self._joints = unmodelled or UnmodelledSettings()
        require_loops(mechanism, self._joints)
        super().__init__(mechanism, interval, self._short_enough(mechanism, step))
        self._load()
        names = [self.model.joint(k).name for k in range(len(self._applied))]
        self._motion = TreeMotion(self._tree, names, mechanism, self._places)
        self._compile()
        self._machine[1][:] = self._motion.start_rates(mechanism)
        self._accelerate()

    @property
    def loop_residual(self):
        """The largest gap in a loop closure [m], or error of a closing angle [rad]."""
        closing = self.data.efc_pos[:self.data.ne]
        connected = 3 * int((self.model.eq_type == mujoco.mjtEq.mjEQ_CONNECT).sum())
        gaps = closing[:connected].reshape(-1, 3)
        return max(widest_gap(self.model, self.data),
                   float((gaps * gaps).sum(axis=1).max(initial=0.0)) ** 0.5,
                   float(np.abs(closing[connected:]).max(initial=0.0)))

    def _short_enough(self, mechanism, step):
        """Return a step [s] that joints bear; with oil the stiff integrator chooses steps."""
        stiffness, damping = self._joints.joint_stiffness, self._joints.joint_damping
        if not stiffness or mechanism.circuit is not None:
            return step
        rigid = write_mjcf(mechanism, self._tree, self._places, step)
        return min(step, _FASTEST / fastest_rate(rigid, stiffness, damping))

    def _load(self):
        """Have MuJoCo read the mechanism; all joints are zero then."""
        self.mjcf = write_mjcf(self._mechanism, self._tree, self._places, self._step,
                               self._obstacles, self._joints.joint_clearance)
        self.model = mujoco.MjModel.from_xml_string(self.mjcf)
        if self._joints.joint_stiffness:
            make_elastic(self.model, self._joints.joint_stiffness, self._joints.joint_damping)
        self._standing = StandingObstacles(self.model, self._obstacles, 2)
        self.data = mujoco.MjData(self.model)
        # MuJoCo's own arrays: of all joints, and of the machine's, which come first.
        self._x, self._v, self._a = self.data.qpos, self.data.qvel, self.data.qacc
        joints = sum(map(len, map(joint_names, self._tree.joints)))
        self._machine = [values[:joints] for values in (self._x, self._v, self._a)]
        self._applied = self.data.qfrc_applied[:joints]

    def _compile(self):
        """Bind the steps to the present joints and forces."""
        mechanism = self._mechanism
        self._motion.use(mechanism)
        self._forces = self._motion.forces(self._oil, self.model)
        forced = bool(mechanism.described.forces or mechanism.drives or self._has_oil)
        joints = Joints(
            self.model._address, self.data._address, self._x, self._v, self._a, self._applied,
            forced, self._forces, np.empty((4, len(self._x))))
        self._find = bound(accelerate, (joints,), intp)
        self._weigh_tendons()
        if self._has_oil:
            self._compile_oil(joints, rates)
        else:
            self._go = bound(step, (joints,), float64)

    def _weigh_tendons(self):
        """Have MuJoCo find the inertia of tendons that rub, with coefficients at the start."""
        if len(self._forces.rubbing.row):
            self._find(EVERYTHING)
            mujoco.mj_setConst(self.model, self.data)

    def _coordinates(self):
        """Return q, qd, qdd (n)."""
        return self._motion.at(*self._machine)

    def _rubs(self, f):
        """Return the force of dry friction of a number on its coordinate [N or N m]."""
        data, tendon = self.data, self._forces.rubbing.tendon[f]
        its = (data.efc_type == _RUBBING) & (data.efc_id == tendon)
        return float(data.efc_force[its].sum())
