"""Machines read from MJCF move as MuJoCo moves them, and their loops close where MuJoCo's do."""

from pathlib import Path

import mujoco
from mujoco_truth import compare, read_mjcf, residuals
import numpy as np
import pytest

from mb_model.space_api import rotation_vector

OURS = Path(__file__).parent / 'descriptions'
MACHINES = 'gripper', 'biped', 'geared_arm'


def machine_of(folder, name, **section):
    """Return (Machine, notes, MuJoCo's model) of a description of ours."""
    return read_mjcf(folder, (OURS / f'{name}.xml').read_text(encoding='utf-8'), **section)


@pytest.mark.parametrize('name', MACHINES)
def test_dynamics_are_those_of_mujoco(name, tmp_path):
    machine, _, model = machine_of(tmp_path, name)
    for seed in range(5):
        compare(machine, model, seed)


def random_tree(rng, bodies=7):
    """Return the text of a tree with turned frames, several joints on a body, references."""
    parents, inner = [-1, *(int(rng.integers(k)) for k in range(1, bodies))], [''] * bodies

    def numbers(size, scale=1.0):
        return ' '.join(f'{scale * value:.17g}' for value in rng.normal(size=size))

    for k in reversed(range(bodies)):
        moments = rng.uniform(0.5, 1.0, 3)
        joints = ''.join(
            f'<joint name="j{k}_{i}" type="{rng.choice(["hinge", "slide"])}" axis="{numbers(3)}" '
            f'pos="{numbers(3, 0.2)}" ref="{rng.normal():.17g}" armature="{rng.random():.17g}" '
            f'stiffness="{rng.random():.17g}" springref="{rng.normal():.17g}" '
            f'damping="{rng.random():.17g}"/>' for i in range(rng.integers(0 if k else 1, 4)))
        inner[k] = (
            f'<body name="b{k}" pos="{numbers(3, 0.3)}" quat="{numbers(4)}">{joints}'
            f'<inertial mass="{rng.uniform(0.5, 2.0):.17g}" pos="{numbers(3, 0.2)}" '
            f'quat="{numbers(4)}" diaginertia="{" ".join(f"{one:.17g}" for one in moments)}"/>'
            + ''.join(inner[child] for child in range(k + 1, bodies) if parents[child] == k)
            + '</body>')
    return (f'<mujoco><compiler angle="radian"/><option gravity="{numbers(3, 5.0)}"/><worldbody>'
            f'{inner[0]}</worldbody></mujoco>')


@pytest.mark.parametrize('seed', range(8))
def test_random_trees_move_as_in_mujoco(seed, tmp_path):
    machine, _, model = read_mjcf(tmp_path, random_tree(np.random.default_rng(seed)))
    compare(machine, model, seed)


INERTIAL = '<inertial mass="1" pos="0.1 0 0" diaginertia="1 1 1"/>'
TWO = '<joint name="h0" axis="1 0 0"/><joint name="h1" axis="0 1 0"/>'
HINGES = TWO + '<joint name="h2" axis="0 0 1"/>'
SLIDES = '<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>'


@pytest.mark.parametrize(('joints', 'kind', 'links'), [
    (TWO, 'universal', 1),
    (HINGES, 'spherical', 1),
    (SLIDES + '<joint name="h" axis="0 1 0"/>', 'planar', 1),
    (SLIDES + '<joint name="h" axis="1 0 0"/>', 'prismatic', 3),
    (HINGES.replace('axis="0 1 0"', 'axis="0 1 0.1"'), 'revolute', 3),
    (HINGES.replace('axis="0 1 0"', 'axis="0 1 0" damping="1"'), 'revolute', 3),
    (HINGES.replace('axis="0 1 0"', 'axis="0 1 0" pos="0 0.1 0"'), 'revolute', 3)])
def test_joints_of_a_body_become_one_where_that_is_exact(joints, kind, links, tmp_path):
    machine, notes, _ = read_mjcf(tmp_path, '<mujoco><worldbody><body name="b" pos="1 2 3">'
                                  f'{joints}{INERTIAL}</body></worldbody></mujoco>')
    first = next(iter(machine.joints.values()))
    assert (first.kind, len(machine.links)) == (kind, links)
    assert any('together' in note for note in notes) == (links == 1)
    np.testing.assert_allclose(first.frames[0].at, [1.0, 2.0, 3.0])


def test_a_universal_joint_has_its_axes_on_parent_and_child(tmp_path):
    machine, *_ = read_mjcf(tmp_path, '<mujoco><worldbody><body name="b" quat="1 1 0 0">'
                            f'{TWO}{INERTIAL}</body>'
                            '</worldbody></mujoco>')
    joint = machine.joints['h0']
    np.testing.assert_allclose(joint.frames[0].turn @ joint.axis, [1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(joint.frames[0].turn @ joint.second_axis, [0.0, 0.0, 1.0],
                               atol=1e-12)


def test_loops_close_where_those_of_mujoco_do(tmp_path):
    text = (OURS / 'geared_arm.xml').read_text(encoding='utf-8').replace(' active="false"', '')
    text = text.replace('</equality>', '<connect name="tip" body1="rod" body2="lower" '
                        'anchor="0.1 -0.2 0.3"/></equality>')
    machine, _, model = read_mjcf(tmp_path, text)
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    for _ in range(4):
        data.qpos[:] = rng.uniform(-1.0, 1.0, model.nq)
        mujoco.mj_forward(model, data)
        gaps, lacks = residuals(machine, data)

        def violated(name):
            return data.efc_pos[:data.ne][data.efc_id[:data.ne] == model.eq(name).id]

        np.testing.assert_allclose(gaps['tip'][0], violated('tip'), atol=1e-12)
        held = violated('held')
        np.testing.assert_allclose(gaps['held'][0], held[:3], atol=1e-12)
        turn = rotation_vector(gaps['held'][1])        # MuJoCo: the vector of its quaternion
        angle = np.linalg.norm(turn)
        np.testing.assert_allclose(np.linalg.norm(held[3:]), np.sin(0.5 * angle), atol=1e-12)
        np.testing.assert_allclose(lacks['gear'], violated('gear')[0], atol=1e-12)
        np.testing.assert_allclose(lacks['belt'], violated('belt')[0], atol=1e-12)


def test_two_points_that_meet_are_a_hinge(tmp_path):
    bodies = ''.join(
        f'<body name="{name}" pos="{pos}"><joint name="{name}_pin" axis="0 1 0"/>{INERTIAL}</body>'
        for name, pos in (('a', '0 0 0'), ('b', '1 0 0')))
    points = ((0.5, 0.0, 0.2), (0.5, 0.3, 0.2), (0.5, 0.0, 0.9))

    def closures(*pairs):
        held = ''.join(f'<connect body1="{first}" body2="{second}" anchor="{x} {y} {z}"/>'
                       for first, second, (x, y, z) in pairs)
        return list(read_mjcf(tmp_path, f'<mujoco><worldbody>{bodies}</worldbody><equality>{held}'
                              '</equality></mujoco>')[0].closures.values())

    (hinge,) = closures(('a', 'b', points[0]), ('a', 'b', points[1]))
    assert hinge.kind == 'revolute'
    np.testing.assert_allclose(hinge.axis, [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(hinge.frames[1].at, [-0.5, 0.0, 0.2], atol=1e-12)
    turned = (points[1][0] - 1.0, *points[1][1:])        # the same point in the frame of b
    (hinge,) = closures(('a', 'b', points[0]), ('b', 'a', turned))
    assert hinge.kind == 'revolute'
    assert [one.kind for one in closures(*(('a', 'b', point) for point in points))] == [
        'spherical'] * 3


def test_the_coupler_of_the_gripper_is_pinned_where_it_was_drawn(tmp_path):
    machine, *_ = machine_of(tmp_path, 'gripper')
    # crank + coupler start at (0.03 + 0.03, 0.05 - 0.004), the finger at (0.012 + 0.055, 0.096)
    np.testing.assert_allclose(machine.closures['right_pin'].frames[1].at,
                               [0.0, 0.067 - 0.06, 0.096 - 0.046], atol=1e-12)
    assert machine.relations['together'].terms == {'right_crank_pin': 1.0, 'left_crank_pin': -1.0}
    assert machine.joints['palm_fixed'].kind == 'weld'


def test_an_equality_of_one_joint_holds_it_as_in_mujoco(tmp_path):
    text = (OURS / 'geared_arm.xml').read_text(encoding='utf-8').replace(
        '</equality>', '<joint name="still" joint1="elbow" polycoef="0.2 0 0 0 0"/></equality>')
    machine, _, model = read_mjcf(tmp_path, text)
    data = mujoco.MjData(model)
    data.qpos[:] = np.random.default_rng(5).uniform(-1.0, 1.0, model.nq)
    mujoco.mj_forward(model, data)
    held = data.efc_pos[:data.ne][data.efc_id[:data.ne] == model.eq('still').id]
    np.testing.assert_allclose(residuals(machine, data)[1]['still'], held[0], atol=1e-12)
