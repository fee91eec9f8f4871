"""Meshes of a description in the view in a browser: which, where, and why one is not shown."""

import numpy as np
import pytest

from mb_evaluation.live import server
from mb_evaluation.robot import meshes_of
from mb_model import load_mechanism
from mb_model.space_api import rotation

pytest.importorskip('rerun', reason=f'the view in a browser needs {server.NEEDED}')
from recorded_view import recorded

from mb_evaluation.nodes.drawn.meshes import Meshes

CORNER = 'solid corner\n' + ''.join(
    'facet normal 0 0 0\nouter loop\n' + ''.join(f'vertex {one}\n' for one in corners)
    + 'endloop\nendfacet\n' for corners in (
        ('0 0 0', '0 1 0', '1 0 0'), ('0 0 0', '1 0 0', '0 0 1'), ('0 0 0', '0 0 1', '0 1 0'),
        ('1 0 0', '0 1 0', '0 0 1'))) + 'endsolid corner\n'
INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial>')
ROBOT = """<robot name="arm"><link name="world"/>
  <link name="base"><visual><geometry><mesh filename="base.stl"/></geometry></visual></link>
  <link name="upper-arm">{inertial}<visual><origin xyz="0.5 0 0" rpy="0 0 0.3"/>
    <geometry><mesh filename="package://parts/arm.obj" scale="0.1 0.2 0.3"/></geometry></visual>
    <visual><geometry><mesh filename="{other}"/></geometry></visual></link>
  <link name="tool"><visual><geometry><mesh filename="base.stl"/></geometry></visual></link>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base"/>
    <origin xyz="0 0 1"/></joint>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper-arm"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="flange" type="fixed"><parent link="upper-arm"/><child link="tool"/>
    <origin xyz="1 0 0" rpy="0 0 0.5"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path):
    """Return the folder of arm.yaml, which extends arm.urdf, with its meshes."""
    for file in ('robot/base.stl', 'parts/arm.obj', 'robot/arm.dae', 'robot/in.yaml'):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(CORNER)
    (tmp_path / 'secret.stl').write_text(CORNER)
    (tmp_path / 'robot/arm.yaml').write_text(
        'extends: arm.urdf\nimport: {packages: {parts: ../parts}}\n')
    return tmp_path / 'robot'


def meshes_with(arm, other):
    (arm / 'arm.urdf').write_text(ROBOT.format(inertial=INERTIAL, other=other))
    mechanism = load_mechanism(str(arm / 'arm.yaml'))
    return mechanism, meshes_of(mechanism, str(arm / 'arm.yaml'))


@pytest.mark.parametrize(('other', 'problem'), [
    ('arm.dae', 'the view draws .stl, .obj, .glb alone'),
    ('../secret.stl', 'no file beside the description or in its packages'),
    ('package://parts/../secret.stl', 'no file beside the description or in its packages'),
    ('http://example.org/arm.stl', 'no file beside the description or in its packages'),
    ('/etc/hostname', 'no file beside the description or in its packages')])
def test_a_mesh_that_cannot_be_shown_says_why(arm, other, problem):
    _, meshes = meshes_with(arm, other)
    assert {one.name: one.problem for one in meshes} == {
        'base.stl': '', 'package://parts/arm.obj': '', other: problem}


def test_meshes_are_where_the_links_are_at_any_state(arm, tmp_path):
    mechanism, meshes = meshes_with(arm, 'arm.dae')
    assert [(one.body, one.scale) for one in meshes] == [
        ('', (1.0, 1.0, 1.0)), ('upper_arm', (0.1, 0.2, 0.3)), ('upper_arm', (1.0, 1.0, 1.0)),
        ('upper_arm', (1.0, 1.0, 1.0))]
    recording = server.rerun().RecordingStream('test')
    recording.save(tmp_path / 'view.rrd')
    shown = Meshes(recording, mechanism, [one for one in meshes if not one.problem])
    shown.move(mechanism.assemble([0.7]))
    shown.move(np.array([np.nan]))
    recording.flush()
    recording.disconnect()
    found = recorded(tmp_path / 'view.rrd')
    arm_at, still = found['/machine/meshes/upper_arm'], found['/machine/meshes/ground/0']
    np.testing.assert_allclose(arm_at['translation'], [[[0.0, 0.0, 1.0]]], atol=1e-6)
    np.testing.assert_allclose(arm_at['quaternion'][0][0], [0, 0, np.sin(0.35), np.cos(0.35)],
                               atol=1e-6)
    np.testing.assert_allclose(still['translation'][0], [[0.0, 0.0, 1.0]])
    assert still['media_type'] == [['model/stl']]
    tool = found['/machine/meshes/upper_arm/2']
    np.testing.assert_allclose(tool['translation'][0], [[1.0, 0.0, 0.0]])
    np.testing.assert_allclose(found['/machine/meshes/upper_arm/1']['scale'][0], [[0.1, 0.2, 0.3]])
    np.testing.assert_allclose(meshes[3].pose.turn, rotation([0.0, 0.0, 0.5]), atol=1e-12)


def test_a_machine_of_yaml_has_none():
    assert meshes_of(load_mechanism('crane'), 'crane') == []
