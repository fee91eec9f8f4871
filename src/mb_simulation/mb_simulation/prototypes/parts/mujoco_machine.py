"""What prototypes in MuJoCo share, in the plane and in space: time, commands, oil, energy."""

import mujoco
from numba import float64
import numpy as np

from mb_model import StepError, equal_steps
from mb_model.kernel_api import bound
from mb_simulation.prototypes.parts.joint_state import get_state, set_state
from mb_simulation.prototypes.parts.mujoco_library import EVERYTHING, FORCES
from mb_simulation.prototypes.parts.oil import TIME, cylinder_force
from mb_simulation.prototypes.parts.oil_parts import make_oil
from mb_simulation.prototypes.parts.parameters import with_parameters
from mb_simulation.prototypes.parts.prototype import OilState, State
from mb_simulation.prototypes.parts.stiff_steps import StiffSteps


class MujocoMachine:
    """A mechanism in MuJoCo, which gives the accelerations, dry friction included.

    A class that derives from it has `model`, `data`, `_x`, `_v` (MuJoCo's own places and rates),
    `_forces`, `_standing` (StandingObstacles), and the methods `_load` (MuJoCo reads the
    mechanism), `_compile` (binds steps to it), `_coordinates` (q, qd, qdd) and `_rubs` (the force
    of dry friction of a number).
    """

    def __init__(self, mechanism, interval, step):
        """Take a mechanism; interval of advance() and longest step in seconds."""
        self._steps = equal_steps(interval, step)
        self._step, self._made = interval / self._steps, 0
        self._mechanism = mechanism
        self._z = mechanism.places(mechanism.independent)
        self._driven = mechanism.places(mechanism.drives)
        self._oil, self._has_oil = make_oil(mechanism), mechanism.circuit is not None

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

    def place(self, obstacle, at, axes=None, velocity=None):
        """Have an obstacle stand still at a place; see Prototype."""
        self._standing.put(self.data, obstacle, at, axes, velocity)
        self._accelerate()
        self._interrupt()

    @property
    def contacts(self):
        """Contacts of the machine now."""
        return self._standing.contacts(self.data)

    def set_drive_torques(self, torques):
        """Let the drives push (d); see Prototype."""
        self._forces.drives[self._driven] = torques
        self._outdated = True
        self._interrupt()

    def set_parameters(self, values):
        """Give parameters of the mechanism file other values; see Prototype."""
        self._mechanism = with_parameters(self._mechanism, values)
        before, oil, drives = self.data, self._oil, self._forces.drives
        self._oil = make_oil(self._mechanism)
        for now, then in ((self._oil.p, oil.p), (self._oil.spool, oil.spool),
                          (self._oil.command, oil.command), (self._oil.ripple, oil.ripple)):
            now[:] = then
        self._load()
        self._compile()
        self._forces.drives[:] = drives
        self._x[:], self._v[:], self.data.time = before.qpos, before.qvel, before.time
        self.data.mocap_pos, self.data.mocap_quat = before.mocap_pos, before.mocap_quat
        self._accelerate()

    @property
    def drive_torques(self):
        """The torques of the drives (d); see Prototype."""
        return self._forces.drives[self._driven]

    def joint_load(self, joint):
        """Refuse; see Prototype."""
        raise ValueError(f'{joint}: what joints transmit is known of machines in space')

    @property
    def parameters(self):
        """The parameters of the mechanism file as they are now."""
        return self._mechanism.parameters

    @property
    def state(self):
        """The present state, continuous in angles of more than a turn."""
        self._find_state()
        return self._state

    @property
    def oil(self):
        """The present state of the circuit."""
        if not self._has_oil:
            return None
        self._find_state()
        oil, qd = self._oil, self._qd
        force = [cylinder_force(oil, c, qd[row]) for c, row in enumerate(oil.row)]
        for f, row in enumerate(self._forces.rubbing.row):
            force += self._rubs(f) * (oil.row == row)
        volumes = len(oil.hose)      # places: volumes, supplies, the atmosphere
        return OilState(oil.p[:volumes].copy(), oil.p[volumes:-1].copy(), oil.spool.copy(),
                        np.array(force))

    @property
    def energy(self):
        """Kinetic and potential energy [J], the latter zero at the origin."""
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)

    def _find_state(self):
        """Read the state, unless that is done."""
        if self._state is None:
            q, qd, qdd = self._coordinates()
            self._qd = qd       # of the coordinates that forces act on
            self._state = State(q[self._z], qd[self._z], qdd[self._z], q, qd, qdd)

    def _compile_oil(self, joints, rates):
        """Bind steps of bodies and oil together; rates: compiled, of a state, see StiffSteps."""
        rates_of, self._get, self._set = (
            bound(kernel, (joints,), *count * [float64[::1]]) for kernel, count in (
                (rates, 2), (get_state, 1), (set_state, 1)))
        volumes, spools = len(self._oil.hose), len(self._oil.spool)
        self._y = np.empty(2 * len(self._x) + volumes + spools)
        self._stiff = StiffSteps(rates_of, len(self._x), volumes, spools, self._step,
                                 self._oil.ripple[TIME:TIME + 1])

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
            before = self._x.copy(), self._v.copy()
            self._go(self._step)
            lost = self._is_lost()
            if lost:
                self._x[:], self._v[:] = before
            self._accelerate()
            if lost:
                raise StepError(f'{self._mechanism.file}: no step of {self._step:g} s in MuJoCo: '
                                'forces are too stiff for it, expected a shorter step')

    def _is_lost(self):
        """Return whether numbers are beyond what MuJoCo works with, or were left out for that."""
        return bool(self.data.warning[mujoco.mjtWarning.mjWARN_BADCTRL].number or not (
            np.abs(self._x).max(initial=0.0) < mujoco.mjMAXVAL
            and np.abs(self._v).max(initial=0.0) < mujoco.mjMAXVAL))

    def _accelerate(self, outdated=EVERYTHING):
        """Have MuJoCo find the accelerations of the joints in the state of the data."""
        self._find(outdated)
        self._outdated, self._state = False, None
