"""A mechanism in space in MuJoCo: its forces, its coordinates, and how it moves at the start."""

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import SpatialTree, section_poses
from mb_simulation.prototypes.beam_chain import segment_names, segment_positions
from mb_simulation.prototypes.joint_loads import JointLoads
from mb_simulation.prototypes.mjcf import CLOSURE_IMPEDANCE, FRICTION_TIME_CONSTANT
from mb_simulation.prototypes.oil import Oil
from mb_simulation.prototypes.pushed import pushed_coordinates
from mb_simulation.prototypes.spatial_coordinates import SpatialCoordinates
from mb_simulation.prototypes.spatial_forces import (
    SpatialJoints,
    accelerate,
    rates,
    spatial_forces,
    step,
)

_RUBBING = int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF)
_SHORT = 1e-5           # of differences in time [s]


class SpatialMotion:
    """Reads q, qd, qdd of a mechanism in space from MuJoCo's bodies; forces are of actuators.

    The state follows from positions, velocities and accelerations of these bodies alone.
    """

    kernels = accelerate, step, rates       # see spatial_forces

    def __init__(self, mechanism: Mechanism, tree: SpatialTree) -> None:
        """Take a mechanism and its tree; raises ValueError for forces that MuJoCo does not know."""
        self._mechanism, self._tree = mechanism, tree
        self.pushed = pushed_coordinates(mechanism, tree)
        self._loads = JointLoads(mechanism, tree)
        self._coordinates: SpatialCoordinates | None = None

    def take(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Take a compiled model and its data, at their start or where another one was."""
        self._model, self._data = model, data
        if self._coordinates is None:
            self._coordinates = SpatialCoordinates(self._mechanism, model)

    def joints(self, mechanism: Mechanism, oil: Oil, model: mujoco.MjModel) -> SpatialJoints:
        """Return the joints with the forces of a mechanism of the same geometry, and of its oil."""
        data = self._data
        rows = {model.joint(k).name: int(model.jnt_dofadr[k]) for k in range(model.njnt)}
        self.forces = spatial_forces(mechanism, self.pushed, model, data, oil, rows,
                                     self._coordinates.last)
        for dof in self.forces.rubbing.dof:
            model.dof_solref[dof] = FRICTION_TIME_CONSTANT * model.opt.timestep, 1.0
            model.dof_solimp[dof, :2] = CLOSURE_IMPEDANCE
        return SpatialJoints(model._address, data._address, data.qpos, data.qvel, data.qacc,
                             self.forces, np.empty_like(data.qpos), np.empty((3, model.nv)))

    def weigh(self, model: mujoco.MjModel, find: Any) -> None:
        """Do nothing: no tendon rubs."""

    def coordinates(self) -> FloatArray:
        """Return q, qd, qdd (n)."""
        return self._coordinates.at(self._model, self._data)

    def start_rates(self, model: mujoco.MjModel) -> FloatArray:
        """Return the rates of the joints (nv) as the mechanism moves at its start."""
        return start_rates(self._mechanism, model, self._data)

    def friction(self, number: int) -> float:
        """Return the force of dry friction of a number on its coordinate [N or N m]."""
        data, dof = self._data, self.forces.rubbing.dof[number]
        its = (data.efc_type == _RUBBING) & (data.efc_id == dof)
        return float(data.efc_force[its].sum())

    def joint_load(self, model: mujoco.MjModel, joint: str) -> FloatArray:
        """Return what a joint transmits (6); see Prototype."""
        return self._loads.of(model, self._data, joint)


def start_rates(mechanism: Mechanism, model: mujoco.MjModel, data: mujoco.MjData) -> FloatArray:
    """Return MuJoCo's qvel (nv) at the start of a mechanism, for a compiled model.

    What moves all bodies, as points of rigid bodies, just as the mechanism moves them; segments of
    bodies that bend turn as their sections do.
    """
    mujoco.mj_forward(model, data)
    qd = mechanism.velocity(mechanism.q0, mechanism.zd0)
    rows, wanted = [], []
    for name, body in mechanism.bodies.items():
        if body.beam is not None:
            for segment, turns in _segment_rates(mechanism, name, qd):
                turning = np.zeros((3, model.nv))
                mujoco.mj_jacBody(model, data, None, turning, model.body(segment).id)
                rows.append(turning)
                wanted.append(turns)
            continue
        motion = mechanism.body_motion(name, mechanism.q0, qd)
        linear, turning = np.zeros((2, 3, model.nv))
        mujoco.mj_jac(model, data, linear, turning, motion.position, model.body(name).id)
        if body.slender:
            line = motion.rotation @ body.line
            turning -= np.outer(line, line @ turning)
        rows += [linear, turning]
        wanted += [motion.velocity, motion.angular_velocity]
    return np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]


def _segment_rates(mechanism: Mechanism, name: str,
                   qd: FloatArray) -> Iterator[tuple[str, FloatArray]]:
    """Return the segments of a flexible body and their angular velocities (3), by differences."""
    x = segment_positions(mechanism.bodies[name])
    before, after = (section_poses(mechanism, name, x, mechanism.q0 + h * qd)[1]
                     for h in (-_SHORT, _SHORT))
    rates = (after - before) @ np.swapaxes(0.5 * (after + before), 1, 2) / (2.0 * _SHORT)
    return zip(segment_names(name), 0.5 * np.stack([
        rates[:, 2, 1] - rates[:, 1, 2], rates[:, 0, 2] - rates[:, 2, 0],
        rates[:, 1, 0] - rates[:, 0, 1]], axis=1), strict=True)
