"""The pose graph of SDF against products of 4 x 4 matrices."""

from math import pi, radians

import numpy as np
import pytest
from read_machines import poses, read_file

from mb_import.machine import WORLD
from mb_model import MechanismError


def matrix(x, y, z, roll=0.0, pitch=0.0, yaw=0.0):
    """Return the homogeneous matrix of a pose, of its elementary turns."""
    c, s = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    about_x = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    about_y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    about_z = np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]])
    whole = np.eye(4)
    whole[:3, :3] = about_z @ about_y @ about_x
    whole[:3, 3] = x, y, z
    return whole


def as_matrix(pose):
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = pose.turn, pose.at
    return whole


def machine_of(tmp_path, body, version='1.11', **options):
    path = tmp_path / 'machine.sdf'
    path.write_text(f'<sdf version="{version}">{body}</sdf>', encoding='utf-8')
    return read_file(path, **options)[0]


def link(name, pose='', inner=''):
    return (f'<link name="{name}">{pose}<inertial><mass>1</mass><inertia><ixx>1</ixx>'
            f'</inertia></inertial>{inner}</link>')


ARM = matrix(0.1, 0.2, 0.3, 0.4, -0.5, 0.6)
MODEL = matrix(1, 2, 3, 0.3, 0.2, -0.7)
TOOL = matrix(0.0, 0.5, 0.0, 1.1)


def test_links_are_in_their_model_and_in_other_frames(tmp_path):
    machine = machine_of(tmp_path, f"""<model name="m"><pose>1 2 3 .3 .2 -.7</pose>
        {link('tool', '<pose relative_to="mount">0 .5 0 1.1 0 0</pose>')}
        <frame name="mount" attached_to="arm"><pose degrees="true">0 0 2 90 0 0</pose></frame>
        {link('arm', '<pose>.1 .2 .3 .4 -.5 .6</pose>')}</model>""")
    at = poses(machine)
    mount = matrix(0, 0, 2, pi / 2)
    assert as_matrix(at['arm']) == pytest.approx(MODEL @ ARM)
    assert as_matrix(at['tool']) == pytest.approx(MODEL @ ARM @ mount @ TOOL)
    name, pose = machine.frames['mount']
    assert name == 'arm'
    assert as_matrix(pose) == pytest.approx(mount)


def test_a_quaternion_is_an_orientation(tmp_path):
    half = radians(50)
    machine = machine_of(tmp_path, f'''<model name="m">{link('a', f"""<pose
        rotation_format="quat_xyzw">1 2 3 0 0 {2 * np.sin(half)} {2 * np.cos(half)}</pose>""")}
        </model>''')
    assert as_matrix(poses(machine)['a']) == pytest.approx(matrix(1, 2, 3, 0, 0, radians(100)))


def test_a_placement_frame_is_where_the_pose_says(tmp_path):
    body = f"""<model name="m" placement_frame="grip"><pose>1 2 3 .3 .2 -.7</pose>
        {link('arm', '<pose>.1 .2 .3 .4 -.5 .6</pose>')}
        <frame name="grip" attached_to="arm"><pose>0 .5 0 1.1 0 0</pose></frame></model>"""
    machine = machine_of(tmp_path, body)
    name, pose = machine.frames['grip']
    assert as_matrix(poses(machine)[name].then(pose)) == pytest.approx(MODEL)


def test_old_files_name_frames_in_another_attribute(tmp_path):
    machine = machine_of(tmp_path, f"""<model name="m">
        {link('arm', '<pose frame="">.1 .2 .3 .4 -.5 .6</pose>')}
        {link('tool', '<pose frame="arm">0 .5 0 1.1 0 0</pose>')}</model>""", '1.6')
    assert as_matrix(poses(machine)['tool']) == pytest.approx(ARM @ TOOL)


@pytest.mark.parametrize(('version', 'inner', 'expected'), [
    ('1.7', '<xyz>0 0 1</xyz>', ARM @ [0, 0, 1, 0]),
    ('1.7', '<xyz expressed_in="__model__">0 0 1</xyz>', [0, 0, 1, 0]),
    ('1.7', '<xyz expressed_in="mount">0 0 1</xyz>', TOOL @ [0, 0, 1, 0]),
    ('1.6', '<xyz>0 0 1</xyz>', ARM @ [0, 0, 1, 0]),
    ('1.6', '<xyz>0 0 1</xyz><use_parent_model_frame>1</use_parent_model_frame>', [0, 0, 1, 0]),
    ('1.4', '<xyz>0 0 1</xyz>', [0, 0, 1, 0])])
def test_axes_are_of_the_joint_or_of_a_frame(tmp_path, version, inner, expected):
    machine = machine_of(tmp_path, f"""<model name="m">
        {link('base')}{link('arm', '<pose>.1 .2 .3 .4 -.5 .6</pose>')}
        <frame name="mount"><pose>0 .5 0 1.1 0 0</pose></frame>
        <joint name="j" type="revolute"><parent>base</parent><child>arm</child>
        <axis>{inner}</axis></joint></model>""", version)
    joint = machine.joints['j']
    assert joint.frames[0].turn @ joint.axis == pytest.approx(expected[:3])
    assert as_matrix(joint.frames[0]) == pytest.approx(ARM)


def test_a_joint_is_where_its_pose_says(tmp_path):
    machine = machine_of(tmp_path, f"""<model name="m">{link('base')}
        {link('arm', '<pose>.1 .2 .3 .4 -.5 .6</pose>')}
        <joint name="j" type="ball"><pose relative_to="__model__">0 .5 0 1.1 0 0</pose>
        <parent>base</parent><child>arm</child></joint></model>""")
    first, second = machine.joints['j'].frames
    assert as_matrix(first) == pytest.approx(TOOL)
    assert as_matrix(second) == pytest.approx(np.linalg.inv(ARM) @ TOOL)


NESTED = f"""<model name="outer"><pose>1 2 3 .3 .2 -.7</pose>{link('base')}
    <model name="inner"><pose>.1 .2 .3 .4 -.5 .6</pose>
    {link('tip', '<pose>0 .5 0 1.1 0 0</pose>')}
    <joint name="own" type="fixed"><parent>tip</parent><child>nail</child></joint>
    {link('nail')}</model>
    <joint name="j" type="revolute"><parent>base</parent><child>inner::tip</child>
    <axis><xyz>1 0 0</xyz></axis></joint></model>"""


def test_nested_models_have_frames_in_their_model(tmp_path):
    machine = machine_of(tmp_path, NESTED)
    assert list(machine.links) == ['base', 'inner::tip', 'inner::nail']
    assert machine.joints['j'].links == ('base', 'inner::tip')
    assert machine.joints['inner::own'].links == ('inner::tip', 'inner::nail')
    at = poses(machine)
    assert as_matrix(at['inner::tip']) == pytest.approx(MODEL @ ARM @ TOOL)
    assert as_matrix(at['inner::nail']) == pytest.approx(MODEL @ ARM)


def test_joints_to_a_model_are_to_its_canonical_link(tmp_path):
    body = NESTED.replace('inner::tip</child>', 'inner</child>').replace(
        'name="inner"', 'name="inner" canonical_link="nail"')
    joint = machine_of(tmp_path, body).joints['j']
    assert joint.links == ('base', 'inner::nail')
    assert as_matrix(joint.frames[0]) == pytest.approx(ARM)


def test_a_static_model_inside_is_a_part_of_the_world(tmp_path):
    body = NESTED.replace('<model name="inner">', '<model name="inner"><static>1</static>')
    machine = machine_of(tmp_path, body)
    assert list(machine.links) == ['base']
    joint, = machine.joints.values()
    assert joint.links == (WORLD, 'base')
    assert as_matrix(joint.frames[0]) == pytest.approx(MODEL @ ARM @ TOOL)


@pytest.mark.parametrize(('body', 'words'), [
    ('<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>',
     'attached_to leads back to itself'),
    ('<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/>'
     '</frame>', 'relative_to leads back to itself'),
    ('<frame name="arm2" attached_to="armm"/>', "there is no link or frame 'armm', expected one "
     'such as arm'),
    ('<frame name="arm"/>', 'two links or frames of this name'),
    ('<frame name="f"><pose>1 2 3</pose></frame>', "pose: '1 2 3' must be 6 finite numbers"),
    ('<frame name="f"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></frame>',
     'no orientation'),
    ('<frame name="f"><pose rotation_format="axis">0 0 0 0 0 0</pose></frame>',
     'must be euler_rpy or quat_xyzw'),
    ('<frame/>', '<frame>: has no name')])
def test_frames_that_mean_nothing_are_errors(tmp_path, body, words):
    with pytest.raises(MechanismError, match=words):
        machine_of(tmp_path, f'<model name="m">{link("arm")}{body}</model>')
