"""What `check` says of mechanisms: files that extend others, figures, doubts."""

from copy import deepcopy
import re
import subprocess
import sys

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from spatial_machines import STRUT, TORQUE_FREE
import yaml

from mb_model import MechanismError, load_mechanism, mechanism_names
from mb_model.checking import findings
from mb_model.commands import check
from mb_model.commands.mechanism_report import report
from mb_model.mechanism import Mechanism
from mb_model.mechanism.analysis import analyse

FOUR_BAR = {
    'name': 'four_bar_in_space', 'dimension': 3, 'gravity': [0.0, -9.81, 0.0],
    'bodies': {name: {
        'mass': mass, 'points': {first: [0.0, 0.0, 0.0], second: [length, 0.0, 0.0]},
        'shapes': [{'kind': 'rod', 'from': first, 'to': second}], 'pose': pose}
        for name, mass, length, first, second, pose in (
            ('crank', 2.0, 2.0, 'A', 'P1', {'turn': [0.0, 0.0, 'pi/3']}),
            ('coupler', 8.0, 8.0, 'P1', 'P2', {'at': [1.0, 1.732, 0.0], 'turn': [0.0, 0.0, 0.3]}),
            ('rocker', 5.0, 5.0, 'B', 'P2', {'at': [10.0, 0.0, 0.0], 'turn': [0.0, 0.0, 1.9]}))},
    'joints': {
        'A': {'kind': 'revolute', 'bodies': ['ground', 'crank'], 'at': [[0, 0, 0], 'A'],
              'axis': [0, 0, 1]},
        'P1': {'kind': 'revolute', 'bodies': ['crank', 'coupler'], 'at': 'P1', 'axis': [0, 0, 1]},
        'P2': {'kind': 'spherical', 'bodies': ['coupler', 'rocker'], 'at': 'P2'},
        'B': {'kind': 'revolute', 'bodies': ['rocker', 'ground'], 'at': ['B', [10, 0, 0]],
              'axis': [0, 0, 1]}},
    'coordinates': {'theta': {'kind': 'angle', 'joint': 'A'}}, 'independent': ['theta'],
    'start': {'theta': 'pi/3'}}


def test_a_file_extends_another_and_changes_what_it_names(tmp_path):
    (tmp_path / 'wrong.yaml').write_text(
        'extends: four_bar_spring_damper\nname: wrong\ngravity: [0.0, -8.81]\n'
        'bodies: {coupler: {mass: 9.0}}\n')
    (tmp_path / 'free.yaml').write_text('extends: wrong.yaml\nforces: {spring: null}\n')
    right = load_mechanism('four_bar_spring_damper')
    wrong, free = (load_mechanism(tmp_path / f'{name}.yaml') for name in ('wrong', 'free'))
    assert (wrong.name, free.name, wrong.file) == ('wrong', 'wrong', 'wrong.yaml')
    expected = right.replace(gravity=[0.0, -8.81], bodies={'coupler': {'mass': 9.0}})
    assert wrong.model.tobytes() == expected.model.tobytes()
    assert wrong.gravity[1] == -8.81
    assert (right.model['forces'][0], free.model['forces'][0]) == (1, 0)


@pytest.mark.parametrize(('text', 'message'), [
    ('extends: six_bar', 'm.yaml: extends: '),
    ('extends: nowhere.yaml', 'nowhere.yaml: no such file'),
    ('extends: [four_bar]', "m.yaml: extends: ['four_bar'] must be the name or file of a mech"),
    ('extends: m.yaml', 'm.yaml: extends: '),
    ('extends: four_bar\nbodies: {coupler: {mass: -1}}', 'm.yaml: bodies.coupler.mass: -1')])
def test_what_cannot_be_extended_is_reported(tmp_path, text, message):
    (tmp_path / 'm.yaml').write_text(text)
    with pytest.raises(MechanismError) as caught:
        load_mechanism(tmp_path / 'm.yaml')
    assert message in str(caught.value)


@pytest.mark.parametrize('name', mechanism_names())
def test_shipped_mechanisms_start_far_from_singular_positions(name):
    mechanism = load_mechanism(name)
    found = analyse(mechanism, mechanism.q0)
    assert bool(mechanism.redundant) == (name in ('bricard', 'spatial_four_bar'))
    assert found.freedom == mechanism.g
    assert found.singularity > 0.02
    assert len(found.best_independent) == mechanism.g
    assert found.mass == pytest.approx(sum(body.mass for body in mechanism.bodies.values()))


def test_an_excavator_weighs_what_its_bodies_do_together():
    """At rest, what holds its boom up is the moment of all that it carries."""
    excavator = load_mechanism('excavator')
    found = analyse(excavator, excavator.q0)
    ways = 1e-5 * np.eye(excavator.g)[1]
    heights = [found.mass * 9.81 * analyse(
        excavator, excavator.assemble(z)).centre_of_gravity[2]
        for z in (excavator.z0 + ways, excavator.z0 - ways)]
    still = np.zeros(excavator.g)
    held = excavator.inverse_dynamics(excavator.z0, still, still)
    assert held[1] == pytest.approx((heights[0] - heights[1]) / 2e-5, rel=1e-6)


@pytest.mark.parametrize('name', ['andrews_squeezer', 'five_bar', 'crane', 'three_rrr'])
def test_the_reduced_mass_is_the_force_per_acceleration(name):
    mechanism = load_mechanism(name)
    still = np.zeros(mechanism.g)
    forces = [mechanism.inverse_dynamics(mechanism.z0, still, zdd, near=mechanism.q0)
              for zdd in (still, *np.eye(mechanism.g))]
    np.testing.assert_allclose(analyse(mechanism, mechanism.q0).reduced_mass,
                               np.transpose(np.array(forces[1:]) - forces[0]),
                               rtol=1e-9, atol=1e-12)


def test_drives_are_named_where_there_are_some():
    assert 'drives               drive1, drive2, drive3' in report(load_mechanism('three_rrr'))
    assert not any(line.startswith('drives') for line in report(load_mechanism('four_bar')))


def test_a_dead_point_is_nearly_singular():
    """The block cannot drive the crank where crank and rod are in line, s = 0.5 + 1.5 m."""
    driven = load_mechanism('slider_crank').replace(
        independent=['s'], start={'theta': None, 's': 1.8})
    far, near, nearest = driven.singularity(
        [driven.assemble([2.0 - gap]) for gap in (0.1, 1e-4, 1e-8)])
    assert far > 0.01
    # The crank's angle, and with it the determinant, goes like the root of the gap.
    assert near / far == pytest.approx(np.sqrt(1e-3), rel=0.3)
    assert nearest / near == pytest.approx(1e-2, rel=0.3)


def test_the_singularity_is_one_over_the_greatest_gain():
    driven = load_mechanism('slider_crank').replace(
        independent=['s'], start={'theta': None, 's': 1.8})
    q = driven.assemble([1.9])
    rates, size = driven.velocity(q, [1.0]), driven.model['scale'][0, 0]
    lengths = np.array([driven.unit(name) == 'm' for name in driven.coordinates])
    gains = np.abs(rates) * np.where(lengths, 1.0, size)
    assert driven.singularity(q) == pytest.approx(1.0 / gains.max(), rel=1e-9)


def test_the_number_of_coordinates_makes_no_platform_singular():
    """Six legs with mass have 42 coordinates, and move what they carry as far as themselves."""
    assert any('(0: singular)' in line and 'WARNING' not in line
               for line in report(load_mechanism('stewart')))


@pytest.mark.parametrize(('given', 'start'), [
    ('slider_crank', 'theta = 0.785398 at the start)'), ('strut.yaml', 'lift = ')])
def test_the_command_reports_and_draws(given, start, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'strut.yaml').write_text(yaml.safe_dump(STRUT), 'utf-8')
    assert check.main([given]) == 0
    printed = capsys.readouterr().out
    assert f'degrees of freedom   1 ({start}' in printed
    assert 'none redundant' in printed
    assert (tmp_path / given).with_suffix('.png').read_bytes()[1:4] == b'PNG'


def test_the_command_reports_what_it_chose_and_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'guided.yaml').write_text(
        'extends: slider_crank\nname: guided\nindependent: null\nstart: null\n'
        'constraints: {again: {kind: slider, point: P3, along: [E, A]}}\n')
    assert check.main(['guided.yaml']) == 0
    printed = capsys.readouterr().out
    assert 'independent          theta (chosen, the file names none)' in printed
    assert '7, and 1 redundant, left out: constraints.again' in printed


@pytest.mark.parametrize(('arguments', 'message'), [
    (['six_bar'], 'six_bar: unknown mechanism'),
    (['four_bar', '--picture', '/nowhere/x.png'], 'picture: '),
    (['four_bar', '--picture', 'x.nothing'], 'picture: ')])
def test_the_command_reports_mistakes_in_one_line(arguments, message, capsys):
    assert check.main(arguments) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert len(printed.strip().splitlines()) == 1


def test_a_reader_who_leaves_early_causes_no_traceback(tmp_path):
    with subprocess.Popen([sys.executable, '-m', 'mb_model.commands.check', 'four_bar'],
                          cwd=tmp_path, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as command:
        command.stdout.close()
        assert command.stderr.read() == ''
        assert command.wait() == 1


def test_check_imports_no_kernels_before_it_reads_its_arguments():
    program = ('import sys, mb_model.commands.check\n'
               'print({"numba", "scipy", "matplotlib", "jsonschema"} & set(sys.modules))')
    done = subprocess.run([sys.executable, '-c', program], text=True, check=True,
                          capture_output=True)
    assert done.stdout == 'set()\n'


@pytest.mark.parametrize('four_bar', [
    load_mechanism('four_bar'), Mechanism(FOUR_BAR, 'four_bar.yaml')], ids=['plane', 'space'])
def test_figures_of_the_four_bar(four_bar):
    """The linkage of the papers, whose reduced mass and potential energy are known."""
    found = analyse(four_bar, four_bar.q0)
    np.testing.assert_allclose(found.reduced_mass, [[24.25056]], atol=1e-5)
    # Potential energy: total weight times the height of the centre of gravity.
    assert 15.0 * 9.81 * found.centre_of_gravity[1] == pytest.approx(387.28467, abs=1e-5)
    assert (found.freedom, found.mass) == (1, 15.0)


def test_a_free_body_has_its_own_mass_and_inertia():
    mechanism = Mechanism(TORQUE_FREE, 'free.yaml')
    found = analyse(mechanism, mechanism.q0)
    np.testing.assert_allclose(found.reduced_mass, np.diag([2.0, 2.0, 2.0, 0.1, 0.25, 0.3]),
                               atol=1e-12)
    np.testing.assert_allclose(found.centre_of_gravity, mechanism.z0[:3])


def test_the_report_names_bodies_and_joints():
    lines = report(Mechanism(STRUT, 'strut.yaml'))
    assert 'joint                sleeve: cylindrical, barrel - rod' in lines
    assert any(line.startswith('body                 barrel: 1 kg, principal moments 0, 0.02, 0.02 '
                               'kg m^2, C - end, slender') for line in lines)


def test_the_report_says_what_ties_coordinates():
    assert ('constraint           gear: rotor_turn - 6 elbow = 0'
            in report(load_mechanism('geared_double_pendulum')))


def changed(change):
    """Return the doubts about the strut after a change of its file."""
    raw = deepcopy(STRUT)
    change(raw)
    return findings(raw, 'strut.yaml').doubts


@pytest.mark.parametrize(('change', 'doubt'), [
    (lambda raw: raw['bodies']['link']['pose'].update(turn=[0.0, 30.0, 0.0]),
     r'bodies.link.pose.turn\[1\]: 30.0 rad are 4.77 turns; for degrees write radians\(30.0\)'),
    (lambda raw: raw.update(gravity=[0.0, 0.0, -9810.0]), 'is more than any planet has'),
    (lambda raw: raw['bodies']['link'].update(inertia=[1000.0, 5000.0, 5000.0]),
     r'bodies.link.inertia: 5000 kg m\^2 is as of a ring of 50 m radius'),
    (lambda raw: raw['bodies']['barrel']['pose'].update(at=[500.0, 0.0, -500.0]),
     'joints.foot: the points that meet are 706'),
    (lambda raw: raw.update(start={'lift': 90.0}), 'start.lift: 90.0 rad are 14.3 turns')])
def test_what_is_hardly_meant_is_doubted(change, doubt):
    assert any(re.search(doubt, found) for found in changed(change))


def ball(mass, inertia):
    """Return the doubts about a ball at the end of an arm of 5 kg; nothing reads it."""
    *about, nothing = findings({
        'name': 'ball', 'dimension': 3,
        'bodies': {'arm': {'mass': 5.0, 'centre_of_gravity': [0.25, 0.0, 0.0],
                           'inertia': [0.001, 0.1, 0.1], 'pose': {}},
                   'ball': {'mass': mass, 'centre_of_gravity': [0.0, 0.0, 0.0],
                            'inertia': inertia, 'pose': {'at': [0.5, 0.0, 0.0]}}},
        'joints': {'shoulder': {'kind': 'revolute', 'bodies': ['ground', 'arm'],
                                'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0, 1, 0]},
                   'wrist': {'kind': 'revolute', 'bodies': ['arm', 'ball'],
                             'at': [[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0, 1, 0]}},
        'coordinates': {'q': {'kind': 'angle', 'joint': 'shoulder'},
                        'w': {'kind': 'angle', 'joint': 'wrist'}}}, 'ball.yaml').doubts
    assert nothing.startswith('sensors: none')
    return tuple(about)


def test_a_body_denser_than_any_material_is_doubted():
    dense, heavy = ball(480e3, 3 * [77.0])
    assert re.match(r'bodies\.ball\.mass: 480000 kg with its moments of inertia are 1\.\d+e\+10 '
                    r'kg/m\^3 or more, no material has more than 22600; '
                    r'expected up to 2\.3e\+03 kg', dense)
    assert heavy.startswith('bodies.ball.mass: 480000 kg is 9.6e+04 times the mass of all '
                            'other bodies')
    assert ball(1e-8, 3 * [1e-13])[-1].startswith('bodies.ball.mass: 1e-08 kg is 2e-09 of ')


@settings(max_examples=60, deadline=None)
@given(density=st.floats(100.0, 22_500.0), sides=st.tuples(*3 * [st.floats(0.02, 0.5)]),
       denser=st.floats(3.0, 1e4))
def test_boxes_of_materials_are_not_doubted_and_others_are(density, sides, denser):
    """Boxes of any proportion; one is 1.15 times as large as the ellipsoid with its moments."""
    a, b, c = sides
    mass = density * a * b * c
    inertia = np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 12.0
    assert ball(mass, (mass * inertia).tolist()) == ()
    mass *= denser * 22_600.0 / density
    assert any('kg/m^3 or more' in doubt for doubt in ball(mass, (mass * inertia).tolist()))


def test_what_is_ordinary_is_not_doubted():
    assert changed(lambda raw: None) == ('sensors: none, and every filter needs one at least',)


def test_bodies_without_mass_that_move_are_named():
    raw = deepcopy(TORQUE_FREE)
    raw['bodies']['ghost'] = {'mass': 0.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                              'inertia': [0.0, 0.0, 0.0], 'points': {'end': [0.3, 0.0, 0.0]}}
    raw['joints'] = {'pin': {'kind': 'revolute', 'bodies': ['box', 'ghost'],
                             'at': [[0.2, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0, 0, 1]}}
    raw['coordinates']['swing'] = {'kind': 'angle', 'joint': 'pin'}
    raw['independent'] = [*raw['independent'], 'swing']
    mechanism = Mechanism(raw, 'ghost.yaml')
    assert any(line.startswith('warning') and 'ghost can move without moving any mass' in line
               for line in report(mechanism))
