"""What `check` says of mechanisms in space: figures at the start, doubts, what moves no mass."""

from copy import deepcopy
import re

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from spatial_machines import STRUT, TORQUE_FREE
import yaml

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


def test_figures_are_those_of_the_plane():
    """The four-bar linkage of the papers, whose reduced mass and potential energy are known."""
    mechanism = Mechanism(FOUR_BAR, 'four_bar.yaml')
    found = analyse(mechanism, mechanism.q0)
    np.testing.assert_allclose(found.reduced_mass, [[24.25056]], atol=1e-5)
    assert 15.0 * 9.81 * found.centre_of_gravity[1] == pytest.approx(387.28467, abs=1e-5)
    assert found.freedom == 1
    assert found.mass == 15.0


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
     r'bodies.link.inertia: 5000 kg m\^2 is that of a ring of 50 m radius'),
    (lambda raw: raw['bodies']['barrel']['pose'].update(at=[500.0, 0.0, -500.0]),
     'joints.foot: the places that meet are 706'),
    (lambda raw: raw.update(start={'lift': 90.0}), 'start.lift: 90.0 rad are 14.3 turns')])
def test_what_is_hardly_meant_is_doubted(change, doubt):
    assert any(re.search(doubt, found) for found in changed(change))


def ball(mass, inertia):
    """Return the doubts about a ball at the end of an arm of 5 kg."""
    return findings({
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


def test_a_body_denser_than_any_material_is_doubted():
    dense, heavy = ball(480e3, 3 * [77.0])
    assert re.match(r'bodies\.ball\.mass: 480000 kg with its moments of inertia are 1\.\d+e\+10 '
                    r'kg/m\^3 or more, no material has more than 22600; '
                    r'expected up to 2\.3e\+03 kg', dense)
    assert heavy.startswith('bodies.ball.mass: 480000 kg is 9.6e+04 times that of all other bodies')
    assert ball(1e-8, 3 * [1e-13])[-1].startswith('bodies.ball.mass: 1e-08 kg is 2e-09 of that')


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
    assert changed(lambda raw: None) == ()


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


def test_the_command_reports_and_draws(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'strut.yaml').write_text(yaml.safe_dump(STRUT), 'utf-8')
    assert check.main(['strut.yaml']) == 0
    assert 'degrees of freedom   1 (lift = ' in capsys.readouterr().out
    assert (tmp_path / 'strut.png').read_bytes()[1:4] == b'PNG'
