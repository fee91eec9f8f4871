"""Mechanisms as URDF, read by MuJoCo, against the multibody model."""

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import JOINTS, ROLLING, STRUT, TORQUE_FREE, on_joint

from mb_evaluation.robot import (
    JointReader,
    RobotDescription,
    standing,
    standing_quaternion,
    write_urdf,
)
from mb_import import robot_tree
from mb_model import Mechanism, MechanismError, load_mechanism, mechanism_names
from mb_model.space_api import body_poses, quaternion

MACHINE = Path(__file__).parents[2] / 'mb_simulation/test/mechanisms/machine.yaml'
BOLT = Mechanism({     # a rod that slides on two pins, with a pendulum at its end
    'name': 'bolt', 'gravity': [0.0, -9.81],
    'points': {'A': {'fixed': [0.5, 0.5]}, 'B': {'fixed': [1.0, 1.0]}, 'R': {'start': [0.1, 0.1]},
               'S': {'start': [1.5, 1.5]}, 'T': {'start': [1.5, 0.5]}},
    'bodies': {'bolt': {'points': ['R', 'S'], 'length': 2.0, 'mass': 1.0},
               'swing': {'points': {'T': [0.0, 0.0], 'S': [1.0, 0.0]}, 'mass': 0.5,
                         'centre_of_gravity': [0.4, 0.1], 'inertia': 0.1}},
    'coordinates': {'place': {'kind': 'slider', 'point': 'A', 'along': ['R', 'S']},
                    'lean': {'kind': 'relative_angle', 'bodies': ['bolt', 'swing']}},
    'constraints': {'one': {'kind': 'slider', 'point': 'A', 'along': ['R', 'S']},
                    'two': {'kind': 'slider', 'point': 'B', 'along': ['R', 'S']}},
    'independent': ['place', 'lean'], 'start': {'place': 0.6, 'lean': 1.0}}, 'bolt.yaml')
PLANAR = [one for name in (*mechanism_names(), str(MACHINE)) for one in [load_mechanism(name)]
          if one.dimension == 2 and any(point.fixed for point in one.points.values())] + [BOLT]
# A beam carries a box at its end and a ring amid it; it hangs on its second end in another machine.
BEAM = {
    'name': 'beam', 'dimension': 3, 'ground': {'A': [0.1, 0.2, 0.3]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [1, 0, 0], 'C': [0.4, 0, 0]}, 'mass': 0.4,
                'flexible': {'bending_stiffness': {'about_y': 6.0, 'about_z': 9.0},
                             'axial_inertia': 1e-3, 'torsion': {'stiffness': 2.0}}},
        'box': {'mass': 1.0, 'centre_of_gravity': [0.0, 0.05, 0.0], 'inertia': [0.1, 0.1, 0.1]},
        'ring': {'mass': 1.0, 'centre_of_gravity': [0.0, 0.05, 0.0], 'inertia': [0.1, 0.1, 0.1]}},
    'joints': {'foot': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': ['A', [0, 0, 0]]},
               'end': {'kind': 'weld', 'bodies': ['arm.B', 'box'], 'at': [[0, 0, 0], [0, 0, 0]]},
               'mid': {'kind': 'weld', 'bodies': ['arm.C', 'ring'], 'at': [[0, 0, 0], [0, 0, 0]]}}}
BEAM_BY_ITS_END = {**BEAM, 'name': 'beam_by_its_end', 'joints': {
    **BEAM['joints'], 'foot': {'kind': 'weld', 'bodies': ['ground', 'arm.B'], 'at': [
        'A', [0, 0, 0]]}}}
UNIVERSAL = Mechanism(on_joint('universal'), 'universal.yaml')
SPATIAL = [Mechanism(raw, 'm.yaml') for raw in (
    *(on_joint(kind) for kind in JOINTS), *(on_joint(kind, 'ground') for kind in JOINTS), STRUT,
    TORQUE_FREE, *ROLLING.values(), BEAM, BEAM_BY_ITS_END)]
SHIPPED_IN_SPACE = [one for one in map(load_mechanism, mechanism_names()) if one.dimension == 3]
every_planar = pytest.mark.parametrize('mechanism', PLANAR, ids=lambda one: one.name)
# MuJoCo wants a mass of all that moves, and else would melt down what is fixed to one body.
KEPT = {'fusestatic': 'false', 'discardvisual': 'false', 'boundmass': '1e-12',
        'boundinertia': '1e-12'}


def in_mujoco(mechanism):
    """Return MuJoCo's model of the URDF of a mechanism."""
    root = ElementTree.fromstring(write_urdf(mechanism))
    ElementTree.SubElement(ElementTree.SubElement(root, 'mujoco'), 'compiler', KEPT)
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding='unicode'))


def positions(mechanism, random, count=8):
    """Return random positions q of a mechanism, on a path that begins at its start."""
    steps = np.full(mechanism.g, 0.03)
    if mechanism.dimension == 2:        # none bends there
        reach = max(body.length for body in mechanism.bodies.values())
        steps = [0.0 if name in mechanism.modes else
                 0.05 * reach if mechanism.unit(name) == 'm' else 0.2
                 for name in mechanism.independent]
    path, z = [mechanism.q0], mechanism.z0
    while len(path) < count:
        try:
            path.append(mechanism.assemble(z + random.normal(0.0, steps), near=path[-1]))
            z = path[-1][mechanism.indices(mechanism.independent)]
        except MechanismError:
            continue        # out of reach
    return path


@pytest.mark.parametrize('mechanism', PLANAR + SPATIAL, ids=lambda one: one.name)
def test_mujoco_puts_every_body_where_the_model_does(mechanism):
    model = in_mujoco(mechanism)
    data, tree = mujoco.MjData(model), robot_tree(mechanism)
    reader, upright = JointReader(mechanism, tree), standing(mechanism.gravity)
    assert model.njnt == len(tree.moving)
    for q in positions(mechanism, np.random.default_rng(1)):
        for joint, value in zip(tree.moving, reader.read(q)[0], strict=True):
            data.joint(joint.name).qpos = value
        mujoco.mj_kinematics(model, data)
        for link in tree.links:
            if link.body:
                motion, frame = mechanism.body_motion(link.body, q), data.body(link.name)
                np.testing.assert_allclose(frame.xpos, upright @ motion.position_of(link.origin),
                                           atol=1e-8)
                np.testing.assert_allclose(frame.xmat.reshape(3, 3),
                                           upright @ motion.rotation @ link.axes, atol=1e-8)


@pytest.mark.parametrize('mechanism', [*PLANAR, *SHIPPED_IN_SPACE], ids=lambda one: one.name)
def test_frames_of_the_tree_are_where_bodies_are(mechanism):
    """Along joints from the ground: also where loops are cut."""
    robot, zd = RobotDescription(mechanism), 0.1 * np.random.default_rng(1).normal(size=mechanism.g)
    zd[[name in mechanism.modes for name in mechanism.independent]] *= mechanism.dimension == 3
    q = mechanism.assemble(mechanism.z0 + 0.05 * zd)
    qd = mechanism.velocity(q, zd)
    values, velocities = robot.read(q, qd)
    later, _ = robot.read(q + 1e-5 * qd, qd)
    turn = (later - values + np.pi) % (2.0 * np.pi) - np.pi
    np.testing.assert_allclose(velocities, turn / 1e-5, atol=1e-2)
    values = dict(zip(robot.names, values, strict=True))
    frames = {mechanism.name: (np.zeros(3), np.eye(3))}
    for joint in robot.joints:
        origin, turned = joint.transform(values.get(joint.name, 0.0))
        at, axes = frames[joint.parent]
        frames[joint.child] = at + axes @ origin, axes @ Rotation.from_quat(turned).as_matrix()
    poses = body_poses(mechanism, q)
    for link in robot_tree(mechanism).links:
        if link.body:
            (origin,), (axes,) = poses[link.body]
            np.testing.assert_allclose(frames[link.name][0], origin + axes @ link.origin,
                                       atol=1e-8)
            if not getattr(mechanism.bodies[link.body], 'slender', False):
                np.testing.assert_allclose(frames[link.name][1], axes @ link.axes, atol=1e-8)
    root = ElementTree.fromstring(robot.urdf)
    assert {one.get('name') for one in root.findall('joint')} >= set(values)
    assert not root.findall('joint/mimic')


@pytest.mark.parametrize('mechanism', [*PLANAR, UNIVERSAL], ids=lambda one: one.name)
def test_mujoco_reads_the_same_masses_and_gravity_points_down(mechanism):
    model, gravity = in_mujoco(mechanism), np.zeros(3)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for link in robot_tree(mechanism).links:
        if not link.body:
            continue
        body, read = mechanism.bodies[link.body], model.body(link.name)
        assert read.mass == pytest.approx(body.mass)
        turn, centre = np.empty(9), np.zeros(3)
        mujoco.mju_quat2Mat(turn, read.iquat)
        axes = link.axes @ turn.reshape(3, 3)
        inertia = body.inertia if np.ndim(body.inertia) else body.inertia * np.eye(3)
        np.testing.assert_allclose(axes @ np.diag(read.inertia) @ axes.T, inertia, atol=1e-9)
        centre[:mechanism.dimension] = body.centre_of_gravity
        np.testing.assert_allclose(link.origin + link.axes @ read.ipos, centre, atol=1e-12)
    gravity[:mechanism.dimension] = mechanism.gravity
    ground = data.body(mechanism.name).xmat.reshape(3, 3)
    assert ground @ gravity == pytest.approx([0.0, 0.0, -np.linalg.norm(gravity)], abs=1e-12)


@every_planar
def test_joint_velocities_are_derivatives(mechanism):
    random = np.random.default_rng(2)
    reader = JointReader(mechanism, robot_tree(mechanism))
    q = positions(mechanism, random)[-1]
    zd, step = random.normal(size=mechanism.g), 1e-6
    z, qd = q[mechanism.indices(mechanism.independent)], mechanism.velocity(q, zd)
    before, after = (reader.read(mechanism.assemble(z + s * zd, near=q))[0]
                     for s in (-step, step))
    difference = np.angle(np.exp(1j * (after - before))) / (2.0 * step)
    scale = 1.0 + np.abs(qd).max()
    assert reader.read(q, qd)[1] == pytest.approx(difference, abs=1e-5 * scale)


@every_planar
def test_a_joint_with_the_name_of_a_coordinate_has_its_value(mechanism):
    """So that joint states of the tree and of the estimator's coordinates agree."""
    tree = robot_tree(mechanism)
    q = positions(mechanism, np.random.default_rng(3))[-1]
    for joint, value in zip(tree.moving, JointReader(mechanism, tree).read(q)[0], strict=True):
        if joint.name in mechanism.coordinates:
            assert value == q[mechanism.coordinates.index(joint.name)]
    assert len({joint.name for joint in tree.joints}) == len(tree.joints)
    assert len({link.name for link in tree.links}) == len(tree.links)


@pytest.mark.parametrize('gravity', [(0.0, -9.81), (1.0, -9.0), (-3.0, 2.0), (0.0, 0.0),
                                     (1.0, 2.0, 3.0), (0.0, 0.0, 0.0)])
def test_machines_stand_against_their_gravity(gravity):
    turn, whole = standing(gravity), np.pad(gravity, (0, 3 - len(gravity)))
    assert turn @ whole == pytest.approx([0.0, 0.0, -np.linalg.norm(gravity)])
    x, y, z, w = standing_quaternion(gravity)
    np.testing.assert_array_equal([w, x, y, z], quaternion(turn))
    if len(gravity) == 2 and any(gravity):      # the plane is upright
        assert turn[2, 2] == pytest.approx(0.0)


def test_a_car_without_a_joint_to_the_ground_is_refused():
    with pytest.raises(MechanismError, match=r'bodies car, wheel: not joined to any'):
        write_urdf(load_mechanism('racing_car'))
