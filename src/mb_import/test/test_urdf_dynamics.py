"""Mechanisms from URDF against Pinocchio: the forces that a motion needs, loops closed or not.

Power is kept: with R = d(joint coordinates) / d(degrees of freedom) they are R^T of Pinocchio's
forces on the joints of the tree, whose own springs, dampers and rotors are added by hand.
"""

import numpy as np
import pytest
from read_descriptions import OURS

from mb_import import read_machine
from mb_model import load_mechanism

pin = pytest.importorskip('pinocchio')


def tree_forces(model, machine, motions):
    """Return forces by joint of Pinocchio; motions: joint -> (value, rate, acceleration)."""
    q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for name, (value, rate, acceleration) in motions.items():
        one = model.joints[model.getJointId(name)]
        q[one.idx_q:one.idx_q + one.nq] = (
            [value] if one.nq == 1 else [np.cos(value), np.sin(value)])
        v[one.idx_v], a[one.idx_v] = rate, acceleration
    tau = pin.rnea(model, model.createData(), q, v, a)
    forces = {}
    for name, (value, rate, acceleration) in motions.items():
        joint = machine.joints[name]
        forces[name] = (tau[model.joints[model.getJointId(name)].idx_v] + joint.damping * rate
                        + joint.stiffness * (value - joint.rest)
                        + joint.armature * acceleration)
    return forces


@pytest.mark.parametrize(('name', 'rates'), [('palletiser', 0.8), ('gripper', 0.0),
                                             ('five_bar', 1.3), ('excavator', 0.0),
                                             ('transmissions', 0.7), ('lumped_tools', 0.0)])
def test_a_motion_needs_the_forces_of_pinocchio(name, rates):
    """Three stand: the loop of the gripper has a damper, others have friction."""
    path = OURS / f'{name}.urdf'
    mechanism, machine = load_mechanism(str(path)), read_machine(path)[0]
    model = pin.buildModelFromUrdf(str(path))
    generator = np.random.default_rng(3)
    z = mechanism.z0 + 0.05 * generator.uniform(-1.0, 1.0, mechanism.g)
    zd, zdd = rates * generator.uniform(-1.0, 1.0, mechanism.g), generator.uniform(
        -1.0, 1.0, mechanism.g)
    q = mechanism.assemble(z, mechanism.q0)
    qd = mechanism.velocity(q, zd)
    motion = np.column_stack([q, qd, mechanism.acceleration(q, qd, zdd)])
    rows = {joint: mechanism.coordinates.index(joint) for joint in machine.joints
            if joint in mechanism.coordinates}
    forces = tree_forces(model, machine, {joint: motion[row] for joint, row in rows.items()})
    needed = mechanism.R(q)[list(rows.values())].T @ list(forces.values())
    found = mechanism.inverse_dynamics(z, zd, zdd, near=q)
    np.testing.assert_allclose(found, needed, rtol=0.0, atol=1e-9 * np.abs(needed).max())
