"""What `describe` and `repr` say of mechanisms and runs."""

import re

import pytest

from mb_model import load_mechanism, mechanism_names, simulate
from mb_model.commands import describe

LOOPS = {       # counted by hand
    'pendulum': 0, 'double_pendulum': 0, 'six_axis_arm': 0, 'four_bar': 1, 'five_bar': 1,
    'slider_crank': 1, 'three_rrr': 2, 'delta': 5, 'stewart': 5, 'excavator': 4}


def described(capsys, name):
    """Return what the command says of a mechanism, without the lines of tables."""
    assert describe.main([str(name)]) == 0
    return re.sub('[│╭╮╰╯├┤┼┬┴─]', ' ', capsys.readouterr().out)


@pytest.mark.parametrize('name', mechanism_names())
def test_it_names_all_that_a_mechanism_is_made_of(capsys, name):
    mechanism = load_mechanism(name)
    words = re.split(r'[\s,]+', described(capsys, name))
    for part in (mechanism.bodies, mechanism.joints, mechanism.coordinates, mechanism.independent,
                 mechanism.described.constraints, mechanism.described.forces, mechanism.sensors,
                 mechanism.parameters, mechanism.drives,
                 mechanism.circuit.cylinders if mechanism.circuit else ()):
        assert set(part) <= set(words)
    mass = sum(body.mass for body in mechanism.bodies.values())
    assert f'{mass:.6g}' in words


@pytest.mark.parametrize(('name', 'loops'), LOOPS.items())
def test_loops_are_counted(capsys, name, loops):
    assert re.search(r'loops +(\d+)', described(capsys, name))[1] == str(loops)


def test_numbers_are_those_of_the_file(capsys):
    text = re.sub(' +', ' ', described(capsys, 'four_bar_spring_damper'))
    for line in ('degrees of freedom 1: theta', 'coupler 8 42.6667 P1, P2',
                 'P2 hinge coupler - rocker', 'theta degree of freedom 1.0472 rad',
                 'spring spring_damper coordinate s, stiffness 25, rest 8, viscous 5',
                 'crank_encoder angle_encoder body crank 0.017453 200'):
        assert line in text


@pytest.mark.parametrize(('text', 'said'), [
    ('extends: four_bar\nbodies: {coupler: {mass: -1}}', 'm.yaml: bodies.coupler.mass: -1'),
    ('extends: four_bar\nbodies: {coupler: {mas: 1}}', 'm.yaml: bodies.coupler.mas'),
    ('extends: six_bar', 'm.yaml: extends: ')])
def test_mistakes_are_reported_as_by_check(capsys, tmp_path, text, said):
    folder = tmp_path / 'a folder'
    folder.mkdir()
    (folder / 'm.yaml').write_text(text)
    assert describe.main([str(folder / 'm.yaml')]) == 2
    assert said in capsys.readouterr().err


def test_a_mechanism_and_a_run_show_what_they_are():
    four_bar = load_mechanism('four_bar')
    assert repr(four_bar).splitlines() == [
        'Mechanism four_bar in the plane: 3 bodies, 15 kg, 5 coordinates',
        '  degrees of freedom: theta',
        '  sensors: crank_encoder, crank_gyro, coupler_gyro, crank_accelerometers']
    first, theta, error = repr(simulate(four_bar, 0.5, 1e-3)).splitlines()
    assert first == 'Run of four_bar: 0.5 s, 501 instants, by index3_al'
    assert re.fullmatch(r'  theta from 0\.8\d+ to 1\.0472 rad', theta)
    assert re.fullmatch(r'  estimated error \S+e-07 in theta', error)
    assert 'in space' in repr(load_mechanism('stewart'))
