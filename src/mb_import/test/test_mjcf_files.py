"""Files that MJCF names, files that are not there, and texts that break MuJoCo."""

import struct

from mujoco_truth import read_mjcf
import numpy as np
import pytest

from mb_import.line_process import LineProcess
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.mjcf import process, read
from mb_model import MechanismError

WORLD = '<mujoco>{}<worldbody><body name="a"><joint name="j"/>{}</body></worldbody></mujoco>'
MESHES = ('<compiler meshdir="parts"/><asset><mesh name="corner" file="corner.stl"/>'
          '<mesh name="gone" file="gone.stl"/><material name="red" rgba="1 0 0 1"/></asset>')


def write_corner(folder):
    """Write the tetrahedron between the origin and 1 m along each axis as STL."""
    folder.mkdir()
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    (folder / 'corner.stl').write_bytes(bytes(80) + struct.pack('<I', 4) + b''.join(
        struct.pack('<12fH', 0, 0, 0, *corners[[*face]].ravel(), 0) for face in faces))


def read_only(folder, text, **options):
    """Return (Machine, notes) of a text that MuJoCo itself would not take as it is."""
    path = folder / 'machine.xml'
    path.write_text(text, encoding='utf-8')
    notes = Notes(path.name)
    return read(path, ImportOptions(**options), notes), [str(note) for note in notes.notes]


def test_an_inertia_follows_from_a_mesh_beside_the_file(tmp_path):
    write_corner(tmp_path / 'parts')
    machine, notes = read_only(tmp_path, WORLD.format(MESHES, (
        '<geom type="mesh" mesh="corner" material="red" pos="1 2 3"/>')))
    body = machine.links['a']
    # a tetrahedron of volume 1/6 with density 1000; about its centre: 3/80 V off axes cancel
    np.testing.assert_allclose(body.inertial.mass, 1000 / 6, rtol=1e-6)
    np.testing.assert_allclose(body.inertial.centre, [1.25, 2.25, 3.25], rtol=1e-6)
    np.testing.assert_allclose(np.diag(body.inertial.inertia), 1000 / 80, rtol=1e-6)
    np.testing.assert_allclose(body.inertial.inertia[0, 1], 1000 / 480, rtol=1e-6)
    (shape,) = body.shapes
    assert (shape.kind, shape.mesh) == ('mesh', 'parts/corner.stl')
    np.testing.assert_allclose(shape.pose.at, [1.0, 2.0, 3.0], atol=1e-7)
    np.testing.assert_allclose(shape.pose.turn, np.eye(3), atol=1e-7)
    assert not any(note.startswith('left out') for note in notes)


@pytest.mark.parametrize('name', ['gone', 'outside'])
def test_an_inertia_from_a_mesh_that_is_not_there_is_left_out(name, tmp_path):
    folder = tmp_path / 'inner'
    folder.mkdir()
    write_corner(tmp_path / 'parts')
    assets = MESHES.replace('gone.stl', '../../parts/corner.stl') if name == 'outside' else MESHES
    machine, notes = read_only(folder, WORLD.format(assets, '<geom type="mesh" mesh="gone"/>'))
    assert machine.links['a'].inertial is None
    assert any(note.startswith('left out: body a: its inertia follows from') for note in notes)


def test_meshes_that_are_only_seen_need_no_file(tmp_path):
    machine, notes = read_only(tmp_path, WORLD.format(MESHES, (
        '<inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/>'
        '<geom type="mesh" mesh="gone" pos="0 1 0" euler="0 0 90"/>')))
    (shape,) = machine.links['a'].shapes
    assert (shape.mesh, shape.size) == ('parts/gone.stl', (1.0, 1.0, 1.0))
    np.testing.assert_allclose(shape.pose.turn @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    assert machine.links['a'].inertial.mass == 2.0
    assert not any(note.startswith('left out') for note in notes)


def test_files_are_included_within_the_folder_only(tmp_path):
    inner = '<inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/>'
    (tmp_path / 'body.xml').write_text(f'<mujocoinclude>{inner}</mujocoinclude>', encoding='utf-8')
    included = WORLD.format('', '<include file="body.xml"/>')
    assert read_only(tmp_path, included)[0].links['a'].inertial.mass == 2.0
    folder = tmp_path / 'inner'
    folder.mkdir()
    for name, said in (('../body.xml', 'outside of the folder'), ('other.xml', 'no such file'),
                       ('', 'missing file')):
        with pytest.raises(MechanismError, match=f'include {name}: {said}'):
            read_only(folder, WORLD.format('', f'<include file="{name}"/>'))
    with pytest.raises(MechanismError, match=r'include body\.xml: included twice'):
        read_only(tmp_path, WORLD.format('<include file="body.xml"/>' * 2, ''))


def test_plugins_and_contacts_are_left_out(tmp_path):
    _, notes = read_only(tmp_path, WORLD.format(
        '<extension><plugin plugin="mujoco.elasticity.cable"/></extension>'
        '<actuator><plugin name="p" plugin="mujoco.pid" joint="j"/></actuator>',
        '<plugin plugin="mujoco.elasticity.cable"/><geom name="g" size="0.1"/>'))
    assert any(note == 'left out: plugin p: a plugin' for note in notes)


@pytest.mark.parametrize(('text', 'said'), [
    ('<robot name="r"/>', '<robot>: expected <mujoco>'),
    ('<mujoco/>', 'worldbody: expected a body'),
    ('<!DOCTYPE mujoco [<!ENTITY a "b">]><mujoco/>', 'declares a DOCTYPE or entities'),
    ('<mujoco>', 'is no XML'),
    (WORLD.format('', ''), 'MJCF: .*mass and inertia of moving bodies'),
    (WORLD.format('', '<geom size="0.1" colour="1"/>'), "MJCF: .*unrecognized attribute: 'colour'"),
    (WORLD.format('', '<geom size="0.1"/><joint name="j"/>'), "MJCF: .*repeated name 'j'")])
def test_what_no_machine_is_is_refused_in_words(text, said, tmp_path):
    with pytest.raises(MechanismError, match=said):
        read_only(tmp_path, text)


SOUND = WORLD.format('', '<geom size="0.1"/>')


@pytest.mark.parametrize(('start', 'said'), [
    ('import os; input(); os.abort()', 'MuJoCo broke off'),
    ('import time; time.sleep(60)', 'MuJoCo read it for 0.5 s without an end')])
def test_a_text_that_breaks_mujoco_costs_its_process_alone(start, said, tmp_path, monkeypatch):
    (tmp_path / 'broken_reader.py').write_text(start, encoding='utf-8')
    monkeypatch.syspath_prepend(tmp_path)
    compiler = LineProcess('broken_reader', 0.5)
    with pytest.raises(MechanismError, match=said):
        process.compile_mjcf(SOUND, tmp_path, Notes('machine.xml'), compiler)
    compiler.close()
    compiled = process.compile_mjcf(SOUND, tmp_path, Notes('machine.xml'))
    assert compiled.bodies[1].name == 'a'


def test_without_mujoco_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(process, 'find_spec', lambda name: None)
    with pytest.raises(MechanismError, match='needs MuJoCo: pip install mujoco'):
        read_mjcf(tmp_path, SOUND)
