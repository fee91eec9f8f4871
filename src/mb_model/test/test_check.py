"""Files that extend others, and the command that looks at a mechanism."""

import subprocess
import sys

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism, mechanism_names
from mb_model.commands import check
from mb_model.commands.mechanism_report import report
from mb_model.mechanism.analysis import analyse


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


def test_figures_of_the_four_bar():
    four_bar = load_mechanism('four_bar')
    found = analyse(four_bar, four_bar.q0)
    np.testing.assert_allclose(found.reduced_mass, [[24.25056]], atol=1e-5)
    # Potential energy: total weight times the height of the centre of gravity.
    assert 15.0 * 9.81 * found.centre_of_gravity[1] == pytest.approx(387.28467, abs=1e-5)


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


def test_the_command_reports_and_draws(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert check.main(['slider_crank']) == 0
    printed = capsys.readouterr().out
    assert 'degrees of freedom   1 (theta = 0.785398 at the start)' in printed
    assert 'none redundant' in printed
    assert (tmp_path / 'slider_crank.png').read_bytes()[1:4] == b'PNG'


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
