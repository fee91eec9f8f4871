"""Mechanisms for MuJoCo, in the plane and in space: one description, two simulators.

The bodies of MuJoCo form a tree, see bodies_in_mujoco.  What closes loops are `connect`
constraints, tendons of constant length for massless rods, and tendons over hinges that keep welded
bodies of the plane at their angle.  In the plane, tendons over all joints rub, see planar_forces.

MuJoCo's constraints are springs and dampers (`solref`: time constant, damping ratio) that act with
an impedance below one (`solimp`).  With the explicit Runge-Kutta integrator and a time constant of
five steps the loops of the benchmark linkages stay closed within 1e-6 m and the energy is kept;
MuJoCo's semi-implicit integrators dissipate enough to lose the crank angle within seconds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, SpatialTree, kind_of, single
from mb_simulation.prototypes.bodies_in_mujoco import MujocoBodies
from mb_simulation.prototypes.joint_elasticity import add_clearance
from mb_simulation.prototypes.joint_shares import JointShares, turned
from mb_simulation.prototypes.known_to_mujoco import require_known
from mb_simulation.prototypes.laws import STOP, rubbing_parts
from mb_simulation.prototypes.obstacle import Obstacle
from mb_simulation.prototypes.obstacles_in_mujoco import add_obstacles
from mb_simulation.prototypes.pushed import (
    Pushed,
    add_actuators,
    joint_name,
    joint_names,
    joint_of,
)

CLOSURE_TIME_CONSTANT = 5.0      # in integration steps: shorter ones ring in the accelerations
CLOSURE_IMPEDANCE = 0.9999       # the largest that MuJoCo accepts
FRICTION_TIME_CONSTANT = 2.0     # in integration steps: the shortest that MuJoCo accepts
_SOLIMP = CLOSURE_IMPEDANCE, CLOSURE_IMPEDANCE, 1e-3, 0.5, 2.0
_WIDTH = 0.003                   # of tendons as they are seen [m]
_FAR = 1e4                       # where there is no limit [rad or m]
_EQUALITY, _OBJECT = mujoco.mjtEq, mujoco.mjtObj


def mujoco_spec(mechanism: Mechanism, tree: SpatialTree, step: float, loops: bool = True,
                pushed: Pushed | None = None, q: FloatArray | None = None,
                obstacles: Sequence[Obstacle] = (), clearance: float = 0.0) -> mujoco.MjSpec:
    """Return MuJoCo's MjSpec of a mechanism; tree: its body_tree; step: of integration [s].

    loops: False leaves out what closes loops; pushed: coordinates in space that have actuators in
    place of springs and dampers; q (n): where it is, None: at its start; obstacles: that shapes of
    bodies may touch; clearance: of the joints in the plane that close loops [m].
    Raises ValueError for what MuJoCo does not know, see require_known.
    """
    require_known(mechanism, tree, loops, springs=pushed is None)
    spec = mujoco.MjSpec()
    spec.modelname = mechanism.name
    spec.compiler.degree = False
    # Inertia is exact: not taken from what is seen.
    spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
    spec.option.timestep, spec.option.iterations, spec.option.tolerance = step, 100, 1e-14
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    spec.option.gravity = [*mechanism.gravity, 0.0][:3]
    if not obstacles:
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    in_space = mechanism.dimension == 3
    bodies = MujocoBodies(mechanism, tree, spec, mechanism.q0 if q is None else q,
                          springs=in_space and pushed is None)
    links = _Links(spec, bodies, mechanism, step)
    if not in_space:
        for name in rubbing_parts(mechanism):
            links.add_rubbing(name, joint_names(tree))
    elif pushed is None:
        links.add_springs()
        links.add_stops(tree)
    else:
        add_actuators(spec, bodies.named, mechanism, pushed)
    links.add_screws(tree)
    shares = JointShares(mechanism, tree)
    links.add_armatures(shares)
    links.add_relations(shares)
    for joint in tree.closures if loops else ():
        if in_space:
            links.close(joint)
        elif joint.constraints:
            links.keep_angle(joint, tree)
        else:
            links.pin(joint, clearance)
    if obstacles:
        add_obstacles(spec, obstacles, bodies.touchable, mechanism.dimension)
    return spec


class _Links:
    """What ties bodies beside the joints of their tree: constraints, rods, springs."""

    def __init__(self, spec: mujoco.MjSpec, bodies: MujocoBodies, mechanism: Mechanism,
                 step: float) -> None:
        """Take a spec and its bodies; step: of integration [s]."""
        self._spec, self._bodies, self._mechanism = spec, bodies, mechanism
        self._step = step
        self._firm = {'solref': [CLOSURE_TIME_CONSTANT * step, 1.0], 'solimp': _SOLIMP}

    def add_springs(self) -> None:
        """Add a tendon for each spring or damper between points."""
        for name, force in self._mechanism.described.forces.items():
            on = self._mechanism.described.coordinates[force.coordinate]
            if on.kind == 'distance' and force.kind == 'spring_damper':
                self._rod(name, on.bodies, on.offsets, stiffness=[force.stiffness, 0.0, 0.0],
                          damping=[force.viscous, 0.0, 0.0], springlength=[force.rest] * 2)

    def add_stops(self, tree: SpatialTree) -> None:
        """Give joints in space the limits of coordinates, soft as MuJoCo's constraints are."""
        for force in self._mechanism.described.forces.values():
            if force.kind != STOP:
                continue
            joint = self._spec.joint(joint_of(self._mechanism, tree, force.coordinate))
            start = self._mechanism.q0[self._mechanism.coordinates.index(force.coordinate)]
            lower, upper, stiffness, damping = force.values
            joint.limited = mujoco.mjtLimited.mjLIMITED_TRUE
            joint.range = np.clip([lower, upper], -_FAR, _FAR) - start + joint.ref
            joint.solref_limit = [-stiffness, -damping]

    def add_rubbing(self, name: str, joints: Sequence[str]) -> None:
        """Add a tendon over all joints that rubs; planar_forces sets its coefficients and its loss.

        In the file it does not rub: other forces of the mechanism are not in the file either.
        """
        tendon = self._spec.add_tendon(
            name=name, solref_friction=[FRICTION_TIME_CONSTANT * self._step, 1.0],
            solimp_friction=_SOLIMP)
        for joint in joints:
            tendon.wrap_joint(joint, 1.0)

    def add_screws(self, tree: SpatialTree) -> None:
        """Couple the turns and slides of screws."""
        for hinge in tree.hinges:
            for motion in hinge.chain:
                if motion.pitch:
                    slide, turn = (joint_name(hinge, one) for one in single([motion]))
                    self._hold(_EQUALITY.mjEQ_JOINT, _OBJECT.mjOBJ_JOINT, (slide, turn),
                               (0.0, motion.pitch))

    def add_armatures(self, shares: JointShares) -> None:
        """Give joints, or tendons over what coordinates are of, the inertia of their rotors."""
        for name, one in self._mechanism.described.coordinates.items():
            if one.armature == 0.0:
                continue
            parts = shares.of(name)
            if len(parts) == 1 and abs(abs(next(iter(parts.values()))) - 1.0) < 1e-9:
                self._spec.joint(next(iter(parts))).armature += one.armature
            elif parts:
                self._tendon(f'{name}/armature', parts, armature=one.armature)
            elif one.kind == 'distance' and one.offsets:
                self._rod(f'{name}/armature', one.bodies, one.offsets, armature=one.armature)
            else:
                raise ValueError(f'{self._mechanism.file}: coordinates.{name}.armature: in MuJoCo '
                                 'rotors are on angles and travels of joints that close no loop, '
                                 'in space on distances, too')

    def add_relations(self, shares: JointShares) -> None:
        """Keep linear relations of coordinates."""
        for name, relation in self._mechanism.described.constraints.items():
            if relation.kind != 'linear':
                continue
            total: dict[str, float] = {}
            for coordinate, factor in relation.terms.items():
                parts = shares.of(coordinate)
                if not parts:
                    raise ValueError(f'{self._mechanism.file}: constraints.{name}.terms.'
                                     f'{coordinate}: in MuJoCo relations are of angles and travels '
                                     'of joints that close no loop')
                for joint, share in parts.items():
                    total[joint] = total.get(joint, 0.0) + factor * share
            if len(total) == 2:
                (first, one), (second, other) = total.items()
                self._hold(_EQUALITY.mjEQ_JOINT, _OBJECT.mjOBJ_JOINT, (first, second),
                           (0.0, -other / one), name)
            else:
                self._tendon(name, total)
                self._hold_tendon(name)

    def close(self, joint: Any) -> None:
        """Add what closes a loop in space."""
        held = kind_of(joint).held
        if held == 'distance':
            self._rod(joint.name, joint.bodies, joint.offsets)
            self._hold_tendon(joint.name)
            return
        side = int(joint.bodies[0] == GROUND)       # the first body is not the ground
        bodies = joint.bodies[side], joint.bodies[1 - side]
        position, axis = joint.offsets[side], joint.frames[side][:, 2]
        self._connect(joint.name, bodies, position)
        if held == 'line':
            size = max(self._mechanism.model['scale'][0, 0], 1e-9)
            self._connect(f'{joint.name}/axis', bodies, position + size * axis)

    def pin(self, joint: Any, clearance: float) -> None:
        """Add the pin that closes a loop in the plane, with clearance [m]."""
        if clearance:
            position = self._bodies.motions[joint.bodies[0]].position_of(joint.offsets[0])
            add_clearance(self._spec, joint.name, position, [
                '' if body == GROUND else f'{body}/{joint.point}' for body in joint.bodies],
                clearance)
        else:
            self._connect(joint.name, joint.bodies, joint.offsets[0])

    def keep_angle(self, joint: Any, tree: SpatialTree) -> None:
        """Keep the sum of the hinges to one body equal to the sum to another."""
        self._tendon(joint.name, turned(tree, joint.bodies))
        self._hold_tendon(joint.name)

    def _tendon(self, name: str, shares: Mapping[str, float], **more: Any) -> None:
        """Add a tendon whose length is the sum of shares of joints."""
        tendon = self._spec.add_tendon(name=name, **more)
        for joint, share in shares.items():
            tendon.wrap_joint(joint, share)

    def _rod(self, name: str, bodies: Sequence[str], positions: Sequence[FloatArray],
             **more: Any) -> None:
        """Add a tendon between two points."""
        tendon = self._spec.add_tendon(name=name, width=_WIDTH, **more)
        for side, (body, position) in enumerate(zip(bodies, positions, strict=True)):
            self._bodies.named[body].add_site(name=f'{name}/{side}', pos=position)
            tendon.wrap_site(f'{name}/{side}')

    def _hold_tendon(self, name: str) -> None:
        """Keep the length of a tendon."""
        self._hold(_EQUALITY.mjEQ_TENDON, _OBJECT.mjOBJ_TENDON, (name, ''), (0.0, 1.0), name)

    def _connect(self, name: str, bodies: Sequence[str], position: FloatArray) -> None:
        """Hold two bodies together at a point of the first."""
        first, second = ('' if body == GROUND else body for body in bodies)
        self._hold(_EQUALITY.mjEQ_CONNECT, _OBJECT.mjOBJ_BODY, (first, second), position, name)

    def _hold(self, kind: Any, objects: Any, names: tuple[str, str], data: Sequence[float],
              name: str = '') -> None:
        """Add a constraint of two of MuJoCo's objects; data: its numbers."""
        first, second = names
        equality = self._spec.add_equality(type=kind, objtype=objects, name1=first, name2=second,
                                           data=[*data, *np.zeros(12 - len(data))], **self._firm)
        if name:
            equality.name = name
