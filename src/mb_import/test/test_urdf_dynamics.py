"""Mechanisms from URDF against Pinocchio: the forces that a motion needs, loops closed or not.

Power is kept: with R = d(joint coordinates) / d(degrees of freedom) they are R^T of Pinocchio's
forces on the joints of the tree, whose own springs and dampers are added by hand.
"""

from pathlib import Path

import numpy as np
import pytest
from read_descriptions import OURS, PUBLIC, needs_public

from mb_import import mapping_of, read_machine
from mb_model import Mechanism

pin = pytest.importorskip('pinocchio')


def mechanism_of(path, **section):
    """Return (Mechanism, Machine) of a file; limits, which push nothing here, are left out."""
    raw = mapping_of(Path(path), section)
    for coordinate in raw['coordinates'].values():
        coordinate.pop('limits', None)
    return Mechanism(raw, str(path)), read_machine(Path(path))[0]


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
    for name, (value, rate, _) in motions.items():
        joint = machine.joints[name]
        forces[name] = (tau[model.joints[model.getJointId(name)].idx_v] + joint.damping * rate
                       + joint.stiffness * (value - joint.rest))
    return forces


@pytest.mark.parametrize(('name', 'rates'), [('palletiser', 0.8), ('gripper', 0.0),
                                             ('five_bar', 1.3), ('excavator', 0.0)])
def test_a_motion_needs_the_forces_of_pinocchio(name, rates):
    """gripper and excavator stand: their loop has a damper, and their cylinders have friction."""
    path = OURS / f'{name}.urdf'
    mechanism, machine = mechanism_of(path)
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
    np.testing.assert_allclose(found, needed, atol=1e-9 * np.abs(needed).max())


@needs_public
@pytest.mark.parametrize(('q', 'qd', 'qdd', 'torque'), [
    (0.0, 0.0, 0.0, -4.57919327), (0.7, 0.0, 0.0, -3.38400852), (0.7, 1.5, 2.0, -3.18002928)])
def test_a_lumped_tool_needs_the_torques_of_its_readme(q, qd, qdd, torque):
    mechanism, _ = mechanism_of(PUBLIC / '20-fixed-joint-lumping' / 'with_fixed_joint.urdf')
    assert mechanism.inverse_dynamics([q], [qd], [qdd]) == pytest.approx([torque], abs=1e-8)


@needs_public
def test_a_turned_inertia_needs_the_torque_of_its_readme():
    mechanism, _ = mechanism_of(PUBLIC / '19-urdf-inertia-rotated' / 'rotated_inertia_hinged.urdf')
    assert mechanism.inverse_dynamics([0.3], [0.0], [1.0]) == pytest.approx([2.0], abs=1e-12)


@needs_public
@pytest.mark.parametrize(('base', 'size'), [('fixed', 0.25), ('floating', 1.0)])
def test_torques_of_a_four_bar_with_two_parents_accelerate_it_as_its_authors_test(base, size):
    """At rest without gravity, torques (1, 0, 1, 0); clamped 8 kg m^2 by hand."""
    mechanism, _ = mechanism_of(PUBLIC / '02-gtdynamics-four-bar' / 'four_bar_linkage_pure.urdf',
                                gravity=[0, 0, 0], base=base)
    q = mechanism.assemble(mechanism.z0, mechanism.q0)
    still = np.zeros(mechanism.g)
    zdd = mechanism.forward_dynamics(mechanism.z0, still, {'j1': 1.0, 'j3': 1.0})
    qdd = mechanism.acceleration(q, mechanism.velocity(q, still), zdd)
    rows = [mechanism.coordinates.index(f'j{k}') for k in (1, 2, 3, 4)]
    np.testing.assert_allclose(q[rows], 0.0, atol=1e-9)
    np.testing.assert_allclose(qdd[rows], size * np.array([1.0, -1.0, 1.0, -1.0]), atol=1e-9)
