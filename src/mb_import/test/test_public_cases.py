"""Dynamics of machines that users brought, against the right answers beside their files."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from mb_model import load_mechanism
from mb_model.commands.mechanism_report import report
from mb_model.space_api import body_poses

PUBLIC = Path(__file__).resolve().parents[4] / 'shared' / 'cases' / 'public'
pytestmark = pytest.mark.skipif(not PUBLIC.is_dir(), reason='needs ../shared/cases/public')


def load(tmp_path, name, text='', **section):
    """Return the mechanism of a file of a case, completed by section import and more text."""
    file = tmp_path / 'overlay.yaml'
    file.write_text(f'extends: {PUBLIC / name}\nimport: {section or "{}"}\n{text}')
    return load_mechanism(file)


def of(mechanism, q):
    """Return {coordinate: value}."""
    return dict(zip(mechanism.coordinates, q, strict=True))


BUSHING = ('loops: {pin: {kind: cylindrical, frames: [Bc_bushing, Cb_bushing]}}, '
           'pose: {joint_WA: 1.3, joint_AB: 1.8, joint_WC: 1.8}')


@pytest.fixture
def four_bar(tmp_path):
    file = tmp_path / 'four_bar.yaml'
    file.write_text(f'extends: {PUBLIC / "01-drake-four-bar" / "four_bar.sdf"}\n'
                    f'import: {{gravity: [0.0, 0.0, -9.81], {BUSHING}}}\n'
                    'independent: [joint_WA]\n')
    return load_mechanism(file)


def test_four_bar_hangs_where_drake_says(four_bar):
    assert four_bar.g == 1

    def torque(angle):
        return four_bar.inverse_dynamics([angle], [0.0], [0.0])[0]

    angle = brentq(torque, 1.2, 1.4)
    assert np.degrees(angle) == pytest.approx(75.5225, abs=1e-4)
    q = of(four_bar, four_bar.assemble([angle]))
    assert np.degrees(q['joint_AB']) == pytest.approx(104.4775, abs=1e-4)
    assert np.degrees(q['joint_WC']) == pytest.approx(104.4775, abs=1e-4)
    inertia = four_bar.inverse_dynamics([angle], [0.0], [1.0])[0] - torque(angle)
    assert inertia == pytest.approx(526.300, abs=1e-3)
    slope = (torque(angle + 1e-5) - torque(angle - 1e-5)) / 2e-5
    assert 2.0 * np.pi * np.sqrt(inertia / slope) == pytest.approx(3.63738, abs=1e-5)
    assert four_bar.forward_dynamics([angle], [0.0], [100.0])[0] == pytest.approx(
        0.190006, abs=1e-6)
    assert torque(0.5 * np.pi) == pytest.approx(412.707, abs=1e-3)
    assert four_bar.inverse_dynamics([0.5 * np.pi], [1.0], [0.5])[0] == pytest.approx(
        775.782, abs=1e-3)


def test_four_bar_swings(four_bar):
    start = np.radians(75.52248781407)
    run = solve_ivp(lambda t, y: [y[1], four_bar.forward_dynamics([y[0]], [y[1]])[0]], (0.0, 2.0),
                    [start, 0.3], t_eval=[1.0, 2.0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(run.y[0], [1.488078, 1.265480], atol=1e-6)


def test_loop_of_four_joints_is_a_crank_rocker(tmp_path):
    machine = load(tmp_path, '01-drake-four-bar/four_bar_loop.sdf')
    assert machine.g == 1


@pytest.mark.parametrize(('base', 'accelerations'), [
    ('floating', [1.0, -1.0, 1.0, -1.0]), ('fixed', [0.25, -0.25, 0.25, -0.25])])
def test_four_bar_of_a_factor_graph_accelerates(tmp_path, base, accelerations):
    machine = load(tmp_path, '02-gtdynamics-four-bar/four_bar_linkage_pure.urdf', base=base,
                   gravity=[0.0, 0.0, 0.0])
    names = ['j1', 'j2', 'j3', 'j4']
    q, forces = of(machine, machine.q0), {}
    for name, force in zip(names, (1.0, 0.0, 1.0, 0.0), strict=True):
        if name in q:
            forces[name] = force
    zdd = machine.forward_dynamics(machine.z0, np.zeros(machine.g), forces)
    qdd = machine.acceleration(machine.q0, np.zeros(machine.n), zdd)
    found = [of(machine, qdd)[name] for name in names if name in q]
    np.testing.assert_allclose(np.abs(found), np.abs(accelerations)[:len(found)], atol=1e-9)


def test_equal_masses_accelerate(tmp_path):
    machine = load(tmp_path, '02-gtdynamics-four-bar/simple_urdf_eq_mass.urdf', base='floating',
                   gravity=[0.0, 0.0, 0.0])
    zdd = machine.forward_dynamics(machine.z0, np.zeros(machine.g), {'j1': 1.0})
    qdd = of(machine, machine.acceleration(machine.q0, np.zeros(machine.n), zdd))
    assert qdd['j1'] == pytest.approx(4.0, abs=1e-9)


@pytest.mark.parametrize('as_loop', [False, True])
def test_parallelogram_by_mimic_swings_as_by_a_loop(tmp_path, as_loop):
    machine = load(tmp_path, '04-harmonic-mimic-four-bar/harmonic_mimic_mechanisms.sdf',
                   model='four_bar_linkage_mimic', gravity=[0.0, 0.0, -9.8],
                   base='fixed')
    assert machine.g == 1
    (acceleration,) = machine.forward_dynamics(machine.z0, [0.0])
    assert abs(acceleration) == pytest.approx(9.622635, abs=1e-5)
    inertia = (machine.inverse_dynamics(machine.z0, [0.0], [1.0])
               - machine.inverse_dynamics(machine.z0, [0.0], [0.0]))[0]
    assert inertia == pytest.approx(9.943662, abs=1e-5)


@pytest.mark.parametrize(('file', 'free'), [
    ('06-robotiq-2f85-mjcf/2f85.xml', 3), ('11-gepetto-delta-kangaroo/digit_like_robot.urdf', 9),
    ('11-gepetto-delta-kangaroo/robot_delta_robot.urdf', 5)])
def test_degrees_of_freedom(tmp_path, file, free):
    assert load(tmp_path, file).g == free


def test_check_names_the_joint_equality(tmp_path):
    assert any(line.startswith('constraint ')
               and line.endswith(': right_driver_joint - left_driver_joint = 0')
               for line in report(load(tmp_path, '06-robotiq-2f85-mjcf/2f85.xml')))


def test_palletiser_keeps_its_tool_level(tmp_path):
    machine = load(tmp_path, '09-dobot-magician-urdf/clean_model_no_macros.urdf')
    assert machine.g == 5
    q2, q3 = 0.3, 0.4
    names = {'magician_joint_2': q2, 'magician_joint_3': q3}
    z = [names.get(name, 0.0) for name in machine.independent]
    poses = body_poses(machine, machine.assemble(z))
    (at1,), (turn1,) = poses['magician_link_1']
    (at4,), (turn4,) = poses['magician_link_4']
    np.testing.assert_allclose(turn1, turn4, atol=1e-9)
    local = turn1.T @ (at4 - at1)
    np.testing.assert_allclose(local[[0, 2]], [0.135 * np.sin(q2) + 0.147 * np.cos(q2 + q3),
                                               0.135 * np.cos(q2) - 0.147 * np.sin(q2 + q3)],
                               atol=1e-9)


@pytest.mark.parametrize('file', ['rotated_inertia_hinged.urdf', 'rotated_inertia.mjcf.xml'])
def test_inertia_turned_against_its_link(tmp_path, file):
    machine = load(tmp_path, f'19-urdf-inertia-rotated/{file}', gravity=[0.0, 0.0, 0.0])
    assert machine.inverse_dynamics([0.0], [0.0], [1.0])[0] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize(('motion', 'torque'), [
    ((0.0, 0.0, 0.0), -4.57919327), ((0.7, 0.0, 0.0), -3.38400852),
    ((0.7, 1.5, 2.0), -3.18002928)])
def test_welded_tools_are_one_body(tmp_path, motion, torque):
    machine = load(tmp_path, '20-fixed-joint-lumping/with_fixed_joint.urdf',
                   gravity=[0.0, 0.0, -9.81])
    found = machine.inverse_dynamics(*([value] for value in motion))
    np.testing.assert_allclose(found, [torque], atol=1e-8)
