"""Which models of a world are read, includes, gravity, versions."""

import pytest
from read_machines import lines, poses, read_file
from sdf_texts import joint, link, machine_of, model

from mb_model import MechanismError

SLAB = f'<model name="slab"><static>1</static>{link("l")}</model>'


def world(*parts):
    return f'<world name="w">{"".join(parts)}</world>'


def test_the_only_model_that_moves_is_taken(tmp_path):
    machine, notes = machine_of(tmp_path, world(
        '<gravity>0 0 -1.6</gravity>', SLAB, model(joint('ball'))))
    assert (machine.name, machine.gravity.tolist()) == ('m', [0.0, 0.0, -1.6])
    assert any('left out: model slab: is static' in line for line in lines(notes))


def test_one_of_several_is_chosen_without_a_word_about_the_others(tmp_path):
    text = world('<gravity>0 0 -1.6</gravity>', SLAB, model(joint('ball')),
                 model(joint('ball'), name='n'))
    with pytest.raises(MechanismError, match='there are several models, expected one of m, n'):
        machine_of(tmp_path, text)
    machine, notes = machine_of(tmp_path, text, model='n', base='fixed')
    assert machine.name == 'n'
    assert lines(notes) == []


def test_joints_of_the_world_tie_models(tmp_path):
    machine, _ = machine_of(tmp_path, world(
        model(joint('ball')), '<model name="n"><pose>3 0 0 0 0 0</pose>' + link('hook')
        + '</model>', joint('fixed', name='tie', ends=('m::arm', 'n::hook'))))
    assert list(machine.links) == ['m::base', 'm::arm', 'n::hook']
    assert machine.joints['tie'].links == ('m::arm', 'n::hook')
    assert poses(machine)['n::hook'].at == pytest.approx([3, 0, 0])


@pytest.mark.parametrize(('text', 'words'), [
    ('', 'has no <model>'), (world(SLAB), 'has no <model> that moves'),
    (world() + world(), 'has several worlds')])
def test_files_without_a_machine(tmp_path, text, words):
    with pytest.raises(MechanismError, match=words):
        machine_of(tmp_path, text)


def test_a_static_model_that_is_chosen_is_an_error(tmp_path):
    with pytest.raises(MechanismError, match='model slab: is static: nothing of it moves'):
        machine_of(tmp_path, world(SLAB), model='slab')


@pytest.mark.parametrize(('version', 'words'), [
    ('2.0', "version '2.0' is none of SDF, expected 1.6 to 1.12"), ('x', "version 'x' is none")])
def test_versions_that_are_none(tmp_path, version, words):
    with pytest.raises(MechanismError, match=words):
        machine_of(tmp_path, model(joint('ball')), version)


def test_newer_versions_are_read_with_a_note(tmp_path):
    _, notes = machine_of(tmp_path, model(joint('ball')), '1.13')
    assert any('version 1.13 is read as 1.12' in line for line in lines(notes))


GRIPPER = """<sdf version="1.9"><model name="gripper"><pose>9 9 9 0 0 0</pose>
    <link name="palm"><pose>0 0 0.1 0 0 0</pose></link>
    <frame name="flange" attached_to="palm"><pose>0 0 -0.1 0 0 0</pose></frame></model></sdf>"""


def include(uri, more=''):
    return f'<include><uri>{uri}</uri>{more}</include>'


def test_models_beside_the_file_are_included(tmp_path):
    (tmp_path / 'hand').mkdir()
    (tmp_path / 'hand/model.sdf').write_text(GRIPPER, encoding='utf-8')
    machine, _ = machine_of(tmp_path, model(joint('ball'), include(
        'model://hand', '<name>left</name><pose relative_to="arm">0 2 0 0 0 0</pose>'
        '<placement_frame>palm</placement_frame>'),
        joint('fixed', name='bolt', ends=('arm', 'left::flange'))))
    assert list(machine.links) == ['base', 'arm', 'left::palm']
    assert poses(machine)['left::palm'].at == pytest.approx([0, 2, 1])
    assert machine.joints['bolt'].frames[1].at == pytest.approx([0, 0, -0.1])


def test_the_newest_file_of_a_package_is_merged(tmp_path):
    folder = tmp_path / 'elsewhere/hand'
    folder.mkdir(parents=True)
    (folder / 'new.sdf').write_text(GRIPPER, encoding='utf-8')
    (folder / 'model.config').write_text(
        '<model><sdf version="1.5">old.sdf</sdf><sdf version="1.10">new.sdf</sdf></model>',
        encoding='utf-8')
    text = model(joint('ball'), '<include merge="true"><uri>model://hand</uri>'
                 '<pose>0 0 5 0 0 0</pose></include>',
                 joint('fixed', name='bolt', ends=('arm', 'palm')))
    machine, _ = machine_of(tmp_path, text, packages={'hand': str(folder)})
    assert list(machine.links) == ['base', 'arm', 'palm']
    assert poses(machine)['palm'].at == pytest.approx([0, 0, 5.1])


@pytest.mark.parametrize('uri', [
    'https://fuel.gazebosim.org/1.0/openrobotics/models/Sun', 'model://sun', 'file:///etc/passwd',
    '../outside.sdf', '/etc/passwd', 'ftp://host/a.sdf', '', 'a' * 5000])
def test_what_is_elsewhere_is_left_out(tmp_path, uri):
    home = tmp_path / 'home'
    home.mkdir()
    (tmp_path / 'outside.sdf').write_text(GRIPPER, encoding='utf-8')
    machine, notes = machine_of(home, world(include(uri), model(joint('ball'))))
    assert machine.name == 'm'
    assert any('is neither beside the file nor in a package of import.packages' in line
               for line in lines(notes))


def test_files_that_include_themselves_end(tmp_path):
    path = tmp_path / 'machine.sdf'
    path.write_text(f'<sdf version="1.9">{model(include("machine.sdf"))}</sdf>', encoding='utf-8')
    with pytest.raises(MechanismError, match='more than 50 models within each other'):
        read_file(path)


@pytest.mark.parametrize('merge', ['true', 'false'])
def test_models_within_models_that_include_themselves_end(tmp_path, merge):
    inner = f'<include merge="{merge}"><uri>machine.sdf</uri></include>'
    for level in range(60):
        inner = f'<model name="m{level}">{inner}</model>'
    with pytest.raises(MechanismError, match='more than 50 models within each other'):
        machine_of(tmp_path, inner)


def test_a_description_has_an_end(tmp_path):
    text = ''.join(f'<link name="l{index}"/>' for index in range(2001))
    with pytest.raises(MechanismError, match='more than 2000 links or joints'):
        machine_of(tmp_path, f'<model name="m">{text}</model>')
