"""A machine from URDF is shown as its own file says: meshes, names, frames by kinematics."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_evaluation.robot import original_robot
from mb_model import load_mechanism

ARM = """<robot name="arm">
  <link name="world"/>
  <link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
    iyz="0"/></inertial><visual><geometry><mesh filename="package://arm/base.stl"/></geometry></visual>
  </link>
  <link name="upper-arm"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="camera"/>
  <link name="rod"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base"/>
    <origin xyz="0 0 1" rpy="0 0 0.5"/></joint>
  <joint name="shoulder-joint" type="continuous"><parent link="base"/><child link="upper-arm"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 -0.2 0.3"/><axis xyz="0 0.6 0.8"/></joint>
  <joint name="eye" type="fixed"><parent link="upper-arm"/><child link="camera"/>
    <origin xyz="0.3 0 0.1" rpy="0 1.0 0"/></joint>
  <joint name="stroke" type="prismatic"><parent link="camera"/><child link="rod"/>
    <origin xyz="0 0.1 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>"""


@pytest.fixture
def robot(tmp_path):
    """Return (mechanism, its OriginalRobot)."""
    file = tmp_path / 'arm.urdf'
    file.write_text(ARM)
    mechanism = load_mechanism(file)
    return mechanism, original_robot(mechanism, str(file))


def test_text_and_names_are_the_files_own(robot):
    mechanism, original = robot
    assert original.urdf == ARM
    assert original.names == ['shoulder-joint', 'stroke']
    assert 'upper_arm' in mechanism.bodies


def test_frames_follow_from_forward_kinematics(robot):
    mechanism, original = robot
    q = mechanism.assemble([0.7, 0.25])
    values, rates = original.read(q, 2.0 * q)
    values = dict(zip(original.names, values, strict=True))
    assert values == pytest.approx({'shoulder-joint': 0.7, 'stroke': 0.25})
    np.testing.assert_array_equal(rates, [2.0 * value for value in values.values()])
    expected = {
        'world': ('arm', (0, 0, 0), Rotation.identity()),
        'base': ('arm', (0, 0, 1), Rotation.from_euler('xyz', (0, 0, 0.5))),
        'upper-arm': ('base', (0.1, 0.2, 0.3), Rotation.from_euler('xyz', (0.1, -0.2, 0.3))
                      * Rotation.from_rotvec(0.7 * np.array([0.0, 0.6, 0.8]))),
        'camera': ('upper-arm', (0.3, 0, 0.1), Rotation.from_euler('xyz', (0, 1.0, 0))),
        'rod': ('camera', (0.25, 0.1, 0), Rotation.identity())}
    frames = original.frames(q)
    assert [child for _, child, *_ in frames] == list(expected)
    for parent, child, origin, turn in frames:
        base, at, rotation = expected[child]
        assert parent == base
        np.testing.assert_allclose(origin, at, atol=1e-12)
        np.testing.assert_allclose((Rotation.from_quat(turn) * rotation.inv()).magnitude(), 0.0,
                                   atol=1e-9)


def test_a_machine_of_yaml_has_none():
    assert original_robot(load_mechanism('four_bar'), 'four_bar') is None


def test_one_whose_bodies_an_overlay_took_away_has_none(tmp_path):
    (tmp_path / 'arm.urdf').write_text(ARM)
    file = tmp_path / 'stump.yaml'
    file.write_text('extends: arm.urdf\nbodies: {rod: null}\njoints: {stroke: null}\n'
                    'coordinates: {stroke: null}\nsensors: null\nsensor_groups: null\n')
    assert original_robot(load_mechanism(file), str(file)) is None
