"""Mechanisms that are written as descriptions and read back move as before."""

import json

import numpy as np
import pytest
from round_trips import bare, differences
from tree_dynamics import WIDTHS, TreeDynamics

from mb_import.commands.export import main
from mb_import.mapping.reading import read_machine
from mb_import.notes import Notes
from mb_import.writers.files import FORMATS, description_files
from mb_import.writers.machine import machine_of
from mb_model import Mechanism, MechanismError, load_mechanism, mechanism_names
from mb_model.file_api import read_mechanism_file
from mb_model.space_api import rotation

# What no description has: bodies that bend, contacts that roll, wheels in the plane, loose bodies
NEVER = {'bicycle': 'rolls', 'double_track_car': 'not joined to any fixed point',
         'racing_car': 'not joined to any fixed point', 'flexible_crane': 'bends',
         'flexible_slider_crank': 'bends'}
# What some do not have: massless rods are tendons in MJCF
REFUSED = {(name, format_): 'distance' for name in ('car', 'quarter_car')
           for format_ in ('urdf', 'sdf')}
FLOATING = {'car'}       # its degrees of freedom are no joints


def written(mechanism, format_, folder):
    """Return (mapping of what was read back, Machine) of files that were written."""
    files = description_files(mechanism, format_, Notes(mechanism.name))
    for name, text in files.items():
        (folder / name).write_text(text, encoding='utf-8')
    raw, _ = read_mechanism_file(str(folder / [*files][-1]))
    return raw, machine_of(mechanism, Notes(mechanism.name))


@pytest.mark.parametrize('format_', FORMATS)
@pytest.mark.parametrize('name', sorted({*mechanism_names()} - {*NEVER} - FLOATING))
def test_a_round_trip_keeps_energies_and_accelerations(name, format_, tmp_path):
    mechanism = bare(load_mechanism(name))
    if said := REFUSED.get((name, format_)):
        with pytest.raises(MechanismError, match=said):
            written(mechanism, format_, tmp_path)
        return
    raw, machine = written(mechanism, format_, tmp_path)
    shift = {key: joint.drawn for key, joint in machine.joints.items()} if format_ == 'sdf' else {}
    assert differences(mechanism, machine, raw, shift) < 1e-9


def test_a_floating_machine_keeps_its_tree_and_its_rods(tmp_path):
    mechanism = load_mechanism('car')
    machine = machine_of(mechanism, Notes('car'))
    path = tmp_path / 'car.xml'
    path.write_text(description_files(mechanism, 'mjcf', Notes('car'))['car.xml'], 'utf-8')
    back, _ = read_machine(path)
    assert {*back.joints} == {*machine.joints}
    rng, values, rates = np.random.default_rng(2), {}, {}
    for name, joint in machine.joints.items():
        turn = rotation(rng.normal(size=3))
        values[name] = {'free': (rng.normal(size=3), turn), 'spherical': turn}.get(
            joint.kind, rng.normal())
        rates[name] = rng.normal(size=WIDTHS[joint.kind])
    # Frames of a ball are as drawn, in MuJoCo with the axes of the link: what it turns by differs.
    ours, theirs = (TreeDynamics(one, with_balls(one, values), rates) for one in (machine, back))
    for name in machine.links:
        np.testing.assert_allclose(theirs.links[name][0], ours.links[name][0], atol=1e-9)
    order = np.concatenate([np.r_[theirs.slices[name]] for name in machine.joints])
    mass, bias = theirs.mass_matrix()[np.ix_(order, order)], theirs.bias()[order]
    np.testing.assert_allclose(mass, ours.mass_matrix(), atol=1e-9 * np.abs(mass).max())
    np.testing.assert_allclose(bias, ours.bias(), atol=1e-9 * np.abs(bias).max())
    for name, closure in machine.closures.items():
        assert back.closures[name].kind == closure.kind
        assert back.closures[name].length == pytest.approx(closure.length, abs=1e-12)
        for one, other in zip(closure.frames, back.closures[name].frames, strict=True):
            np.testing.assert_allclose(one.at, other.at, atol=1e-12)


def with_balls(machine, values):
    """Return values with the turns of balls given in axes of the child's link, as drawn."""
    return values | {name: joint.frames[1].turn.T @ values[name] @ joint.frames[1].turn
                     for name, joint in machine.joints.items() if joint.kind == 'spherical'}


@pytest.mark.parametrize('name', NEVER)
def test_what_no_description_has_is_refused_in_words(name):
    with pytest.raises(MechanismError, match=NEVER[name]):
        description_files(load_mechanism(name), 'mjcf', Notes(name))


@pytest.mark.parametrize('format_', ['mjcf', 'sdf'])
def test_springs_and_dampers_of_joints_are_written(format_, tmp_path):
    swing = Mechanism({
        'name': 'swing', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81],
        'bodies': {'bar': {'mass': 2.0, 'centre_of_gravity': [0.4, 0.0, 0.0],
                           'inertia': [0.01, 0.1, 0.1]}},
        'joints': {'pin': {'kind': 'revolute', 'bodies': ['ground', 'bar'],
                           'at': [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]], 'axis': [0.0, 1.0, 0.0]}},
        'coordinates': {'angle': {'kind': 'angle', 'joint': 'pin'}}, 'start': {'angle': 0.3},
        'independent': ['angle'],
        'forces': {'spring': {'kind': 'spring_damper', 'coordinate': 'angle', 'stiffness': 40.0,
                              'rest': 0.2, 'damping': 1.5}}}, 'swing.yaml')
    raw, machine = written(swing, format_, tmp_path)
    back = Mechanism({key: value for key, value in raw.items() if key != 'origin'}, 'back.yaml')
    less = machine.joints['pin'].drawn if format_ == 'sdf' else 0.0
    for angle, rate in ((0.5, 0.0), (-0.2, 1.0)):
        ours, theirs = (one.forward_dynamics([at], [rate]) for one, at in (
            (swing, angle), (back, angle - less)))
        np.testing.assert_allclose(theirs, ours, rtol=1e-9)
        slope = (0.1 + 2.0 * 0.4 ** 2) * ours[0]
        weight = 2.0 * 9.81 * 0.4 * np.cos(angle)
        np.testing.assert_allclose(slope, weight - 40.0 * (angle - 0.2) - 1.5 * rate, rtol=1e-9)


def test_the_command_writes_files_and_says_what_is_left_out(tmp_path, capsys):
    assert main(['four_bar_spring_damper', '--format', 'urdf', '--folder', str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f'wrote {tmp_path / "four_bar_spring_damper.urdf"}' in said
    assert (tmp_path / 'four_bar_spring_damper_loops.yaml').is_file()
    assert 'left out: forces.spring' in said
    assert '<!-- left out: forces.spring' in (tmp_path / 'four_bar_spring_damper.urdf').read_text()


def test_the_command_says_what_it_cannot_write(tmp_path, capsys):
    assert main(['flexible_crane', '--format', 'mjcf', '--folder', str(tmp_path)]) == 2
    assert 'bodies.boom: bends' in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
    (tmp_path / 'broken.yaml').write_text(json.dumps({'name': 'x'}), encoding='utf-8')
    assert main([str(tmp_path / 'broken.yaml'), '--folder', str(tmp_path)]) == 2
