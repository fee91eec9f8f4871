"""Mechanisms as URDF, read by MuJoCo, against the multibody model."""

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_evaluation.robot import JointReader, robot_tree, upright, write_urdf
from mb_evaluation.urdf import main
import mb_model
from mb_model import Mechanism, MechanismError, load_mechanism, point_places

SHIPPED = sorted((Path(mb_model.__file__).parent / 'mechanisms').glob('*.yaml'))
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
MECHANISMS = [one for path in (*SHIPPED, MACHINE) for one in [load_mechanism(str(path))]
              if one.dimension == 2 and any(point.fixed for point in one.points.values())] + [BOLT]
every_mechanism = pytest.mark.parametrize('mechanism', MECHANISMS, ids=lambda one: one.name)
# MuJoCo wants a mass of all that moves, and else would melt down what is fixed to one body.
KEPT = {'fusestatic': 'false', 'discardvisual': 'false', 'boundmass': '1e-12',
        'boundinertia': '1e-15'}


def in_mujoco(mechanism):
    """Return MuJoCo's model of the URDF of a mechanism."""
    root = ElementTree.fromstring(write_urdf(mechanism))
    ElementTree.SubElement(ElementTree.SubElement(root, 'mujoco'), 'compiler', KEPT)
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding='unicode'))


def positions(mechanism, random, count=8):
    """Return random positions q of a mechanism, on a way that begins at its start; none bends."""
    reach = max(body.length for body in mechanism.bodies.values())
    steps = [0.0 if name in mechanism.modes else
             0.05 * reach if mechanism.unit(name) == 'm' else 0.2
             for name in mechanism.independent]
    found, places = [mechanism.q0], mechanism.places(mechanism.independent)
    while len(found) < count:
        try:
            found.append(mechanism.assemble(
                found[-1][places] + random.normal(0.0, steps), near=found[-1]))
        except MechanismError:
            continue        # out of reach
    return found


@every_mechanism
def test_mujoco_puts_every_body_where_the_model_does(mechanism):
    model = in_mujoco(mechanism)
    data, tree = mujoco.MjData(model), robot_tree(mechanism)
    reader = JointReader(mechanism, tree)
    assert model.njnt == len(tree.moving)
    for q in positions(mechanism, np.random.default_rng(1)):
        for joint, value in zip(tree.moving, reader.read(q)[0], strict=True):
            data.joint(joint.name).qpos = value
        mujoco.mj_kinematics(model, data)
        ground = data.body(mechanism.name)
        places = dict(zip(mechanism.points, point_places(mechanism, q)[0], strict=True))
        for link in tree.links:
            frame = data.body(link.name)
            for point, local in mechanism.bodies[link.body].points.items() if link.body else ():
                arm = [*np.subtract(local, link.origin), 0.0]
                place = frame.xpos + frame.xmat.reshape(3, 3) @ arm - ground.xpos
                np.testing.assert_allclose(
                    ground.xmat.reshape(3, 3).T @ place, [*places[point], 0.0], atol=1e-8)


@every_mechanism
def test_mujoco_reads_the_same_masses_and_gravity_points_down(mechanism):
    model = in_mujoco(mechanism)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for link in robot_tree(mechanism).links:
        if not link.body:
            continue
        body, read = mechanism.bodies[link.body], model.body(link.name)
        assert read.mass == pytest.approx(body.mass)
        assert read.inertia == pytest.approx([body.inertia] * 3)
        assert read.ipos[:2] == pytest.approx(np.subtract(body.centre_of_gravity, link.origin))
    ground = data.body(mechanism.name).xmat.reshape(3, 3)
    assert ground @ [*mechanism.gravity, 0.0] == pytest.approx(
        [0.0, 0.0, -np.hypot(*mechanism.gravity)], abs=1e-12)


@every_mechanism
def test_joint_velocities_are_derivatives(mechanism):
    random = np.random.default_rng(2)
    reader = JointReader(mechanism, robot_tree(mechanism))
    q = positions(mechanism, random)[-1]
    zd, step = random.normal(size=mechanism.g), 1e-6
    z, qd = q[mechanism.places(mechanism.independent)], mechanism.velocity(q, zd)
    before, after = (reader.read(mechanism.assemble(z + s * zd, near=q))[0]
                     for s in (-step, step))
    difference = np.angle(np.exp(1j * (after - before))) / (2.0 * step)
    scale = 1.0 + np.abs(qd).max()
    assert reader.read(q, qd)[1] == pytest.approx(difference, abs=1e-5 * scale)


@every_mechanism
def test_a_joint_with_the_name_of_a_coordinate_has_its_value(mechanism):
    """So that joint states of the tree and of the estimator's coordinates agree."""
    tree = robot_tree(mechanism)
    q = positions(mechanism, np.random.default_rng(3))[-1]
    for joint, value in zip(tree.moving, JointReader(mechanism, tree).read(q)[0], strict=True):
        if joint.name in mechanism.coordinates:
            assert value == q[mechanism.coordinates.index(joint.name)]
    assert len({joint.name for joint in tree.joints}) == len(tree.joints)
    assert len({link.name for link in tree.links}) == len(tree.links)


@pytest.mark.parametrize('gravity', [(0.0, -9.81), (1.0, -9.0), (-3.0, 2.0), (0.0, 0.0)])
def test_frames_stand_as_the_urdf_does(gravity):
    stand = upright(gravity)
    expected = Rotation.from_euler('xyz', [*stand, 0.0])        # about fixed axes, as URDF's rpy
    assert np.abs(np.dot(stand.quaternion, expected.as_quat())) == pytest.approx(1.0)
    assert expected.apply([*gravity, 0.0]) == pytest.approx([0.0, 0.0, -np.hypot(*gravity)])


def test_the_command_prints_a_file_and_reports_what_is_wrong(capsys):
    main(['crane'])
    assert ElementTree.fromstring(capsys.readouterr().out).get('name') == 'crane'
    with pytest.raises(SystemExit) as end:
        main(['six_bar'])
    assert end.value.code == 2
    assert 'six_bar: unknown mechanism' in capsys.readouterr().err


def test_a_car_without_a_joint_to_the_ground_is_refused():
    with pytest.raises(ValueError, match=r'bodies car, wheel: not joined to any'):
        write_urdf(load_mechanism('racing_car'))
