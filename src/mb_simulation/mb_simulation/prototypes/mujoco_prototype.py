"""The prototype in MuJoCo: the truth comes from another simulator than the model.

From mb_model it takes the mechanism file as read, and the start: coordinates, rates, pressures.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mujoco
from numba import float64, intp
import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism, StepError, equal_steps
from mb_model.arrays import FloatArray, Kernel
from mb_model.kernel_api import bound
from mb_simulation.prototypes.beam_chain import fastest_decay
from mb_simulation.prototypes.joint_elasticity import fastest_rate, make_elastic, widest_gap
from mb_simulation.prototypes.joint_steps import (
    EVERYTHING,
    FORCES,
    StiffSteps,
    get_state,
    set_state,
)
from mb_simulation.prototypes.known_to_mujoco import simulated_tree
from mb_simulation.prototypes.mjcf import mujoco_spec
from mb_simulation.prototypes.obstacle import Contact, Obstacle
from mb_simulation.prototypes.obstacles_in_mujoco import StandingObstacles
from mb_simulation.prototypes.oil import TIME, cylinder_force, make_oil
from mb_simulation.prototypes.parameters import with_parameters
from mb_simulation.prototypes.prototype import OilState, State
from mb_simulation.prototypes.unmodelled import UnmodelledSettings, require_loops
from mb_simulation.prototypes.weightless import make_firm

_FASTEST = 1.2      # of the step times the rate of joints that give way, which grows in motion
_STABLE = 2.0       # of the step times the fastest decay of a chain; Runge-Kutta bears 2.8


class MujocoPrototype:
    """A mechanism in MuJoCo, which gives the accelerations, dry friction included; a Prototype.

    joint_steps makes the steps.  What differs in the plane and in space is in TreeMotion and
    SpatialMotion: coordinates and rates at the start, forces, and compiled functions of these.
    """

    def __init__(self, mechanism: Mechanism, interval: float, step: float,
                 obstacles: Sequence[Obstacle] = (),
                 unmodelled: UnmodelledSettings | None = None) -> None:
        """Start at the mechanism's start; interval of advance() and longest step in seconds.

        obstacles: Obstacles that may come into its way; unmodelled: UnmodelledSettings, of which
        this class takes the joints that close loops: steps are as short as these ask for.
        Raises ValueError for a mechanism that MuJoCo cannot simulate.
        """
        if mechanism.dimension == 3:        # imported where needed: kernels of the other one
            from mb_simulation.prototypes.spatial_motion import SpatialMotion as Motion
        else:
            from mb_simulation.prototypes.tree_motion import TreeMotion as Motion
        self._mechanism, self._q0, self._obstacles = mechanism, mechanism.q0, tuple(obstacles)
        self._tree, self._elastic = simulated_tree(mechanism), unmodelled or UnmodelledSettings()
        require_loops(mechanism, self._elastic)
        self._oil, self._has_oil = make_oil(mechanism), mechanism.circuit is not None
        self._motion = Motion(mechanism, self._tree)
        self._steps = equal_steps(interval, self._short_enough(mechanism, step))
        self._step, self._made = interval / self._steps, 0
        self._z = mechanism.indices(mechanism.independent)
        self._driven = mechanism.indices(mechanism.drives)
        if mechanism.dimension == 3 and self._has_oil and any(
                one.mass > 0.0 for one in self._obstacles):
            raise ValueError(f'{mechanism.file}: hydraulics: in the MuJoCo prototype not beside '
                             'obstacles that float, expected a mass of 0')
        self._load()
        if self._has_oil and self.model.nq > self.model.nv:
            raise ValueError(f'{mechanism.file}: hydraulics: in the MuJoCo prototype not beside '
                             'bodies that ball joints carry or that float, unless they are slender')
        self._compile()
        start = self._motion.start_rates(self.model)
        self._v[:len(start)] = start        # obstacles stand still
        self._accelerate()

    def advance(self, act: Callable[[int], object] | None = None) -> None:
        """Move on by one interval; see Prototype.

        The state is read: angles count on and orientations follow from interval to interval.
        """
        for _ in range(self._steps):
            if act is not None:
                act(round(1e9 * self._made * self._step))
            self._advance()
            self._made += 1
        self.data.time = self._made * self._step
        if self._mechanism.dimension == 3:
            self._find_state()

    def set_valves(self, commands: ArrayLike) -> None:
        """Command the valves (u); see Prototype."""
        from mb_model import checked_commands  # here: with all kernels of hydraulics
        commands = checked_commands(self._mechanism.circuit, commands)
        if (commands != self._oil.command).any():
            self._oil.command[:] = commands
            self._interrupt()

    def put(self, obstacle: str, at: FloatArray | None, axes: FloatArray | None = None,
            velocity: FloatArray | None = None) -> None:
        """Have an obstacle stand still at a position; see Prototype."""
        self._standing.put(self.data, obstacle, at, axes, velocity)
        self._accelerate()
        self._interrupt()

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Contacts of the machine now."""
        return self._standing.contacts(self.data)

    def set_drive_torques(self, torques: FloatArray) -> None:
        """Let the drives push (d); see Prototype."""
        self._motion.forces.drives[self._driven] = torques
        self._outdated = True
        self._interrupt()

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Give parameters of the mechanism file other values; see Prototype."""
        self._mechanism = with_parameters(self._mechanism, values)
        self._tree = simulated_tree(self._mechanism)
        before, oil, drives = self.data, self._oil, self._motion.forces.drives
        self._oil = make_oil(self._mechanism)
        for now, then in ((self._oil.p, oil.p), (self._oil.spool, oil.spool),
                          (self._oil.command, oil.command), (self._oil.ripple, oil.ripple)):
            now[:] = then
        self._load()
        self._compile()
        self._motion.forces.drives[:] = drives
        self._x[:], self._v[:], self.data.time = before.qpos, before.qvel, before.time
        self.data.mocap_pos, self.data.mocap_quat = before.mocap_pos, before.mocap_quat
        self._accelerate()

    @property
    def drive_torques(self) -> FloatArray:
        """The torques of the drives (d); see Prototype."""
        return self._motion.forces.drives[self._driven]

    def joint_load(self, joint: str) -> FloatArray:
        """Return what a joint transmits (6); see Prototype."""
        self._find_state()
        return self._motion.joint_load(self.model, joint)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the mechanism file as they are now."""
        return self._mechanism.parameters

    @property
    def state(self) -> State:
        """The present state, continuous in angles of more than a turn."""
        self._find_state()
        return self._state

    @property
    def oil(self) -> OilState | None:
        """The present state of the circuit."""
        if not self._has_oil:
            return None
        self._find_state()
        oil, qd = self._oil, self._qd
        force = [cylinder_force(oil, c, qd[row]) for c, row in enumerate(oil.row)]
        for f, row in enumerate(self._motion.forces.rubbing.row):
            force += self._motion.friction(f) * (oil.row == row)
        volumes = len(oil.hose)      # oil nodes: volumes, supplies, the atmosphere
        return OilState(oil.p[:volumes].copy(), oil.p[volumes:-1].copy(), oil.spool.copy(),
                        np.array(force))

    @property
    def loop_residual(self) -> float:
        """The largest gap in a loop closure [m], or error of a rod, a screw or an angle [rad]."""
        data, gaps = self.data, {}
        for row in range(data.ne):
            gaps.setdefault(int(data.efc_id[row]), []).append(data.efc_pos[row])
        return max([widest_gap(self.model, data), *(
            float(np.linalg.norm(gap)) for gap in gaps.values())])

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy [J], the latter zero at the origin."""
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        potential, kinetic = self.data.energy
        return float(kinetic), float(potential)

    def _find_state(self) -> None:
        """Read the state, unless that is done."""
        if self._state is None:
            q, qd, qdd = self._motion.coordinates()
            self._qd = qd       # of the coordinates that forces act on
            self._state = State(q[self._z], qd[self._z], qdd[self._z], q, qd, qdd)

    def _load(self) -> None:
        """Have MuJoCo read the mechanism; all joints are zero then."""
        self.model = self._spec(self._mechanism, self._step, self._obstacles,
                                self._elastic.joint_clearance).compile()
        if self._elastic.joint_stiffness:
            make_elastic(self.model, self._elastic.joint_stiffness, self._elastic.joint_damping)
        self._standing = StandingObstacles(self.model, self._obstacles, self._mechanism.dimension)
        self.data = mujoco.MjData(self.model)
        # MuJoCo's own arrays: of all joints; obstacles' joints come last.
        self._x, self._v = self.data.qpos, self.data.qvel
        self._motion.take(self.model, self.data)

    def _spec(self, mechanism: Mechanism, step: float, obstacles: Sequence[Obstacle] = (),
              clearance: float = 0.0) -> mujoco.MjSpec:
        """Return MuJoCo's description of a mechanism, where this one starts."""
        return mujoco_spec(mechanism, self._tree, step, pushed=self._motion.pushed, q=self._q0,
                           obstacles=obstacles, clearance=clearance)

    def _short_enough(self, mechanism: Mechanism, step: float) -> float:
        """Return the longest step [s], at most that given, that chains and joints bear."""
        if mechanism.dimension == 3 and mechanism.flexible_bodies:
            model = self._spec(mechanism, step).compile()
            return min(step, _STABLE / fastest_decay(model, mujoco.MjData(model)))
        stiffness, damping = self._elastic.joint_stiffness, self._elastic.joint_damping
        if not stiffness or self._has_oil:      # with oil the stiff integrator chooses steps
            return step
        return min(step, _FASTEST / fastest_rate(self._spec(mechanism, step), stiffness, damping))

    def _compile(self) -> None:
        """Bind the steps to the present joints and forces."""
        motion = self._motion
        joints = motion.joints(self._mechanism, self._oil, self.model)
        accelerate, step, rates = motion.kernels
        self._find = bound(accelerate, (joints,), intp)
        motion.weigh(self.model, self._find)
        make_firm(self.model, self._mechanism)
        if self._has_oil:
            self._compile_oil(joints, rates)
        else:
            self._go = bound(step, (joints,), float64)

    def _compile_oil(self, joints: Any, rates: Kernel) -> None:
        """Bind steps of bodies and oil together."""
        rates_of, self._get, self._set = (
            bound(kernel, (joints,), *count * [float64[::1]]) for kernel, count in (
                (rates, 2), (get_state, 1), (set_state, 1)))
        volumes, spools = len(self._oil.hose), len(self._oil.spool)
        self._y = np.empty(2 * len(self._x) + volumes + spools)
        self._stiff = StiffSteps(rates_of, len(self._x), volumes, spools, self._step,
                                 self._oil.ripple[TIME:TIME + 1])

    def _interrupt(self) -> None:
        """Restart the multistep integrator: other forces act from now on."""
        if self._has_oil:
            self._stiff.interrupt()

    def _advance(self) -> None:
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
                                'forces are too stiff for it, expected a shorter step or the '
                                'multibody prototype')

    def _is_lost(self) -> bool:
        """Return whether numbers are beyond what MuJoCo works with, or were left out for that."""
        return bool(self.data.warning[mujoco.mjtWarning.mjWARN_BADCTRL].number or not (
            np.abs(self._x).max(initial=0.0) < mujoco.mjMAXVAL
            and np.abs(self._v).max(initial=0.0) < mujoco.mjMAXVAL))

    def _accelerate(self, outdated: int = EVERYTHING) -> None:
        """Have MuJoCo find the accelerations of the joints in the state of the data."""
        self._find(outdated)
        self._outdated, self._state = False, None
