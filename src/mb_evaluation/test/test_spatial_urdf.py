"""Mechanisms in space as URDF, read by MuJoCo, against the multibody model."""

import json
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from spatial_machines import JOINTS, ROLLING, STRUT, TORQUE_FREE, on_joint

from mb_evaluation.robot.space.tree import joint_values, spatial_robot_tree
from mb_evaluation.robot.space.urdf import roll_pitch_yaw, write_spatial_urdf
from mb_evaluation.robot.upright import standing
from mb_evaluation.urdf import main
from mb_model import Mechanism, MechanismError, load_mechanism

KEPT = {'fusestatic': 'false', 'discardvisual': 'false', 'boundmass': '1e-6',
        'boundinertia': '1e-6'}        # of links between joints, which have none


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


def in_mujoco(mechanism):
    """Return MuJoCo's model of the URDF of a mechanism."""
    root = ElementTree.fromstring(write_spatial_urdf(mechanism))
    ElementTree.SubElement(ElementTree.SubElement(root, 'mujoco'), 'compiler', KEPT)
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding='unicode'))


def positions(mechanism):
    """Return positions q of a mechanism near its start."""
    random = np.random.default_rng(1)
    return [mechanism.assemble(mechanism.z0 + 0.03 * random.normal(size=mechanism.g))
            for _ in range(4)]


@pytest.mark.parametrize('raw', [
    *(on_joint(kind) for kind in JOINTS), *(on_joint(kind, 'ground') for kind in JOINTS), STRUT,
    TORQUE_FREE, *ROLLING.values(), BEAM, BEAM_BY_ITS_END], ids=lambda raw: raw['name'])
def test_mujoco_puts_every_body_where_the_model_does(raw):
    mechanism = Mechanism(raw, 'm.yaml')
    model, tree = in_mujoco(mechanism), spatial_robot_tree(mechanism)
    data = mujoco.MjData(model)
    assert model.njnt == len(tree.moving)
    upright = standing(mechanism.gravity)
    for q in positions(mechanism):
        for name, value in joint_values(mechanism, tree, q).items():
            data.joint(name).qpos = value
        mujoco.mj_kinematics(model, data)
        for link in tree.links:
            if link.body:
                motion, frame = mechanism.body_motion(link.body, q), data.body(link.name)
                np.testing.assert_allclose(frame.xpos, upright @ motion.place(link.origin),
                                           atol=1e-9)
                np.testing.assert_allclose(frame.xmat.reshape(3, 3),
                                           upright @ motion.rotation @ link.axes, atol=1e-9)


def test_mass_properties_are_exact():
    mechanism = Mechanism(on_joint('universal'), 'm.yaml')
    model, tree = in_mujoco(mechanism), spatial_robot_tree(mechanism)
    for link in (one for one in tree.links if one.body):
        body, other = mechanism.bodies[link.body], model.body(link.name)
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, other.iquat)
        axes = link.axes @ turn.reshape(3, 3)
        np.testing.assert_allclose(axes @ np.diag(other.inertia) @ axes.T, body.inertia, atol=1e-9)
        np.testing.assert_allclose(link.origin + link.axes @ other.ipos, body.centre_of_gravity,
                                   atol=1e-12)


@pytest.mark.parametrize('angles', [(0.3, -0.4, 0.5), (0.0, 0.5 * np.pi, 0.7),
                                    (3.0, 1.2, -2.0), (0.0, -0.5 * np.pi, -0.2)])
def test_roll_pitch_and_yaw_turn_back(angles):
    roll, pitch, yaw = angles
    x, y, z = (np.eye(3) for _ in range(3))
    for matrix, (i, j), angle in ((x, (1, 2), roll), (y, (2, 0), pitch), (z, (0, 1), yaw)):
        matrix[[i, i, j, j], [i, j, i, j]] = (np.cos(angle), -np.sin(angle), np.sin(angle),
                                              np.cos(angle))
    np.testing.assert_allclose(roll_pitch_yaw(z @ y @ x), angles, atol=1e-12)


def test_the_command_writes_both(tmp_path, capsys):
    (tmp_path / 'strut.yaml').write_text(json.dumps(STRUT), 'utf-8')
    main([str(tmp_path / 'strut.yaml')])
    assert ElementTree.fromstring(capsys.readouterr().out).get('name') == 'strut'
    with pytest.raises(MechanismError, match='only for mechanisms in space'):
        write_spatial_urdf(load_mechanism('four_bar'))
