"""The prototype in MuJoCo: the truth comes from another simulator than the model.

From mb_model it takes the mechanism file as read, and the start: places, rates, pressures.
"""

import mujoco
from numba import float64, intp
import numpy as np

from mb_model import equal_steps
from mb_model.kernel_api import bound
from mb_simulation.prototypes.contact_mjcf import set_stiffness
from mb_simulation.prototypes.contacts import ObstaclePlaces, contacts_of
from mb_simulation.prototypes.mjcf import simulated_tree, write_mjcf
from mb_simulation.prototypes.mujoco_library import EVERYTHING, FORCES
from mb_simulation.prototypes.mujoco_steps import (
    Joints,
    accelerate,
    get_state,
    rates,
    set_state,
    step,
)
from mb_simulation.prototypes.oil import cylinder_force
from mb_simulation.prototypes.oil_parts import make_oil
from mb_simulation.prototypes.parameters import with_parameters
from mb_simulation.prototypes.prototype import OilState, State
from mb_simulation.prototypes.stiff_steps import StiffSteps
from mb_simulation.prototypes.tree_motion import TreeMotion, joint_names

_RUBBING = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON)


class MujocoPrototype:
    """A planar mechanism in MuJoCo; a Prototype.

    The state follows from MuJoCo's joint places, rates and accelerations alone.  MuJoCo gives the
    accelerations, dry friction included; mujoco_steps makes the steps or, with oil, stiff_steps.
    """

    def __init__(self, mechanism, interval, step, obstacles=()):
        """Start at the mechanism's start; interval of advance() and longest step in seconds.

        obstacles: Obstacles that may come into its way.
        Raises ValueError for a mechanism that MuJoCo cannot simulate.
        """
        self._steps = equal_steps(interval, step)
        self._step, self._made = interval / self._steps, 0
        self._mechanism = mechanism
        moving = [name for name, point in mechanism.points.items() if not point.fixed]
        self._places = {name: point.position for name, point in mechanism.points.items()}
        self._places |= dict(zip(moving, mechanism.q0[:2 * len(moving)].reshape(-1, 2),
                                 strict=True))
        self._z = mechanism.places(mechanism.independent)
        self._tree = simulated_tree(mechanism)
        self._oil, self._has_oil = make_oil(mechanism), mechanism.circuit is not None
        self._obstacles = tuple(obstacles)
        self._load(mechanism)
        names = [self.model.joint(k).name for k in range(len(self._applied))]
        self._motion = TreeMotion(self._tree, names, mechanism, self._places)
        self._compile()
        self._machine[1][:] = self._motion.start_rates(mechanism)
        self._accelerate()

    def advance(self, act=None):
        """Move on by one interval; see Prototype."""
        for _ in range(self._steps):
            if act is not None:
                act(round(1e9 * self._made * self._step))
            self._advance()
            self._made += 1
        self.data.time = self._made * self._step

    def set_valves(self, commands):
        """Command the valves (u); see Prototype."""
        from mb_model import checked_commands  # here: with all kernels of hydraulics
        commands = checked_commands(self._mechanism.circuit, commands)
        if (commands != self._oil.command).any():
            self._oil.command[:] = commands
            self._interrupt()

    def set_drive_torques(self, torques):
        """Let the drives push (d); see Prototype."""
        self._motion.drive_torques, self._outdated = torques, True
        self._interrupt()

    def set_parameters(self, values):
        """Give parameters of the mechanism file other values; see Prototype."""
        self._mechanism = with_parameters(self._mechanism, values)
        before, oil = self.data, self._oil
        self._oil = make_oil(self._mechanism)
        for now, then in ((self._oil.p, oil.p), (self._oil.spool, oil.spool),
                          (self._oil.command, oil.command)):
            now[:] = then
        self._load(self._mechanism)
        self._motion.use(self._mechanism)
        self._compile()
        self._x[:], self._v[:], self.data.time = before.qpos, before.qvel, before.time
        self.data.mocap_pos = before.mocap_pos
        self._accelerate()

    def place(self, obstacle, at):
        """Have an obstacle, by name, stand still at a place (2) [m]; None: out of the way."""
        self._standing.put(self.data, obstacle, at)
        self._accelerate()
        self._interrupt()

    @property
    def contacts(self):
        """Contacts of the machine now."""
        return contacts_of(self.model, self.data) if self._obstacles else ()

    @property
    def parameters(self):
        """The parameters of the mechanism file as they are now."""
        return self._mechanism.parameters

    @property
    def state(self):
        """The present state, continuous in angles of more than a turn."""
        if self._state is None:
            q, qd, qdd = self._coordinates()
            self._state = State(q[self._z], qd[self._z], qdd[self._z], q, qd, qdd)
        return self._state

    @property
    def oil(self):
        """The present state of the circuit."""
        if not self._has_oil:
            return None
        oil, (_, qd, _) = self._oil, self._coordinates()
        force = [cylinder_force(oil, c, qd[row]) for c, row in enumerate(oil.row)]
        for f, row in enumerate(self._forces.rubbing.row):
            force += self._rubs(f) * (oil.row == row)
        return OilState(oil.p[:len(oil.hose)].copy(), oil.spool.copy(), np.array(force))

    @property
    def loop_residual(self):
        """The largest gap in a loop closure [m], or error of a closing angle [rad]."""
        connected, closing = 3 * len(self._tree.closures), self.data.efc_pos[:self.data.ne]
        gaps = closing[:connected].reshape(-1, 3)
        return max(float((gaps * gaps).sum(axis=1).max(initial=0.0)) ** 0.5,
                   float(np.abs(closing[connected:]).max(initial=0.0)))

    @property
    def energy(self):
        """Kinetic and potential energy [J], the latter zero at the origin."""
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)

    def _load(self, mechanism):
        """Have MuJoCo read a mechanism; all joints are zero then."""
        self.mjcf = write_mjcf(mechanism, self._tree, self._places, self._step, self._obstacles)
        self.model = mujoco.MjModel.from_xml_string(self.mjcf)
        set_stiffness(self.model, self._obstacles)
        self._standing = ObstaclePlaces(self.model, self._obstacles)
        self.data = mujoco.MjData(self.model)
        # MuJoCo's own arrays: of all joints, and of the machine's, which come first.
        self._x, self._v, self._a = self.data.qpos, self.data.qvel, self.data.qacc
        joints = sum(map(len, map(joint_names, self._tree.joints)))
        self._machine = [values[:joints] for values in (self._x, self._v, self._a)]
        self._applied = self.data.qfrc_applied[:joints]

    def _compile(self):
        """Bind the steps to the present joints and forces."""
        mechanism = self._mechanism
        self._forces = self._motion.forces(self._oil, self.model)
        forced = bool(mechanism.described.forces or mechanism.drives or self._has_oil)
        joints = Joints(
            self.model._address, self.data._address, self._x, self._v, self._a, self._applied,
            forced, self._forces, np.empty((4, len(self._x))))
        self._find = bound(accelerate, (joints,), intp)
        self._weigh_tendons()
        if self._has_oil:
            rates_of, self._get, self._set = (
                bound(kernel, (joints,), *count * [float64[::1]]) for kernel, count in (
                    (rates, 2), (get_state, 1), (set_state, 1)))
            volumes, spools = len(self._oil.hose), len(self._oil.spool)
            self._y = np.empty(2 * len(self._x) + volumes + spools)
            self._stiff = StiffSteps(rates_of, len(self._x), volumes, spools, self._step)
        else:
            self._go = bound(step, (joints,), float64)

    def _weigh_tendons(self):
        """Have MuJoCo find the inertia of tendons that rub, with coefficients at the start."""
        if len(self._forces.rubbing.row):
            self._find(EVERYTHING)
            mujoco.mj_setConst(self.model, self.data)

    def _interrupt(self):
        """Restart the multistep integrator: other forces act from now on."""
        if self._has_oil:
            self._stiff.interrupt()

    def _advance(self):
        """Make a step; raises StepError if that is impossible, and keeps the state before it."""
        if self._outdated:      # the drives' forces differ from the end of the last step
            self._accelerate(FORCES)
        if self._has_oil:
            self._get(self._y)
            try:
                self._stiff.advance(self._y, self._step)
            finally:            # y is the state before, where the integrator gives up
                self._set(self._y)
                self._accelerate()
        else:
            self._go(self._step)
            self._accelerate()

    def _accelerate(self, outdated=EVERYTHING):
        """Have MuJoCo find the accelerations of the joints in the state of the data."""
        self._find(outdated)
        self._outdated, self._state = False, None

    def _coordinates(self):
        """Return q, qd, qdd (n)."""
        return self._motion.at(*self._machine)

    def _rubs(self, f):
        """Return the force of dry friction of a number on its coordinate [N or N m]."""
        data, tendon = self.data, self._forces.rubbing.tendon[f]
        its = (data.efc_type == _RUBBING) & (data.efc_id == tendon)
        return float(data.efc_force[its].sum())
