"""Parametric mechanisms: entries that a file repeats."""

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism, simulate
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.file import parse_mechanism

ROW = {
    'name': 'row', 'parameters': {'links': 3, 'size': 0.5},
    'repeat': {
        'links': {
            'count': 'links',
            'points': {'P<i + 1>': {'start': ['size * (i + 1)', 0.0]}},
            'bodies': {'link<i>': {'points': ['P<i>', 'P<i+1>'], 'length': 'size',
                                   'mass': '2 ** -i'}},
            'coordinates': {'theta<i>': {'kind': 'angle', 'body': 'link<i>'}},
            'forces': {'joint<i>': {'kind': 'friction', 'coordinate': 'theta<i>',
                                    'viscous': '0.1 * (i + 1)'}},
            'start': {'theta<i>': '0.1 * i'}}},
    'points': {'P0': {'fixed': [0.0, 0.0]}}, 'bodies': {},
    'independent': ['theta0', 'theta1', 'theta2']}


def with_repeat(**changes):
    """Return ROW with its repetition changed."""
    return ROW | {'repeat': {'links': ROW['repeat']['links'] | changes}}


def test_names_and_numbers_follow_the_index():
    row = Mechanism(ROW, 'row.yaml')
    assert list(row.points) == ['P1', 'P2', 'P3', 'P0']
    assert [body.mass for body in row.bodies.values()] == [1.0, 0.5, 0.25]
    assert tuple(row.bodies['link2'].points) == ('P2', 'P3')
    assert [force.viscous for force in row.described.forces.values()] == pytest.approx(
        [0.1, 0.2, 0.3])
    np.testing.assert_allclose(row.z0, [0.0, 0.1, 0.2])


def test_parameters_change_how_often_and_how():
    row = Mechanism(ROW, 'row.yaml')
    long = row.replace(parameters={'links': 5, 'size': 0.25},
                       independent=[f'theta{k}' for k in range(5)])
    assert (len(long.bodies), long.g, long.bodies['link4'].length) == (5, 5, 0.25)


def test_what_is_written_out_is_merged_over_what_is_repeated(tmp_path):
    (tmp_path / 'heavy.yaml').write_text(
        'extends: rod_array\nparameters: {loops: 6}\nbodies: {bar5: {mass: 7.0}}\n')
    heavy = load_mechanism(tmp_path / 'heavy.yaml')
    assert [heavy.bodies[f'bar{k}'].mass for k in range(6)] == [0.5] * 5 + [7.0]
    assert tuple(heavy.bodies['bar5'].points) == ('B5', 'B6')


def test_an_entry_that_is_repeated_can_be_removed():
    forces = {'motor': {'kind': 'constant', 'coordinate': 'theta0', 'force': 1.0}}
    row = Mechanism(ROW | {'forces': forces}, 'row.yaml').replace(
        forces={'joint1': None, 'joint2': {'viscous': 7.0}})
    for one in (row, row.replace(gravity=[0.0, 0.0]), Mechanism(
            parse_mechanism(row.text, 'row.yaml')[0], 'row.yaml')):
        assert set(one.described.forces) == {'motor', 'joint0', 'joint2'}
        assert one.described.forces['joint2'].viscous == 7.0


@pytest.mark.parametrize(('raw', 'message'), [
    (with_repeat(count=2.5), 'repeat.links.count: 2.5 must be a whole number'),
    (with_repeat(count='links - 4'), "repeat.links.count: 'links - 4' must be >= 0"),
    (with_repeat(count=1e9), 'repeat.links.count: 1000000000.0 must be <= 2000'),
    (with_repeat(count='many'), "repeat.links.count: 'many' names the unknown 'many'"),
    (with_repeat(count=None), 'repeat.links.count: None must be a whole number'),
    (with_repeat(counts=3), 'repeat.links.counts: unknown key, expected one of count'),
    (with_repeat(index='links'), 'repeat.links.index: links is the name of a parameter already'),
    (with_repeat(points={'P': {'start': [0, 0]}}),
     'repeat.links.points.P: is there twice: its name must depend on <i>'),
    (with_repeat(points={'P<j>': {'start': [0, 0]}}),
     "repeat.links.points: <j> in 'P<j>' names the unknown 'j'"),
    (with_repeat(points={'P<i / 2>': {'start': [0, 0]}}),
     "repeat.links.points: <i / 2> in 'P<i / 2>' is 0.5, it must be whole"),
    (with_repeat(points={'P<i>': {'start': ['j', 0]}}),
     "repeat.links.points.P0.start[0]: 'j' names the unknown 'j'"),
    (with_repeat(points={'Q<-i>': {'start': [0, 0]}}), 'points.Q-1: a name has letters'),
    (with_repeat(points={'P<i': {'start': [0, 0]}}), 'repeat.links.points.P<i: a name has'),
    (ROW | {'points': {'P<0>': {'fixed': [0, 0]}}}, 'points.P<0>: a name has letters'),
    (ROW | {'repeat': {'links': 3}}, 'repeat.links: 3 must be a mapping'),
    (ROW | {'repeat': [3]}, 'repeat: [3] must be a mapping')])
def test_wrong_repetitions_are_reported(raw, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(raw, 'row.yaml')
    assert str(caught.value).startswith(f'row.yaml: {message}')


@pytest.mark.parametrize('loops', [1, 4, 7])
def test_the_rod_array_swings_like_one_pendulum(loops):
    """N + 1 rods (l^2 / 3 each, weight at half length), N bars that only translate."""
    array = load_mechanism('rod_array').replace(parameters={'loops': loops})
    rods, bars = (loops + 1) * 1.0, loops * 0.5
    inertia, moment = rods / 3 + bars, (rods / 2 + bars) * 9.81
    for z in (-0.6, -1.3, -2.4):
        zdd = array.forward_dynamics([z], [1.5])
        np.testing.assert_allclose(zdd, -moment / inertia * np.cos(z), rtol=1e-10)
    run = simulate(array, 0.5, 1e-3, 'matrix_r', 'rk4')
    energy = 0.5 * inertia * run.zd[:, 0] ** 2 + moment * np.sin(run.z[:, 0])
    np.testing.assert_allclose(energy, energy[0], atol=1e-8)
