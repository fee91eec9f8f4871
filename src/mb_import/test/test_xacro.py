"""xacro: arguments, packages, the folders that it may read, and what is wrong in words."""

from shutil import copy
import sys

import numpy as np
import pytest
from read_descriptions import PUBLIC, needs_public, read, read_text

from mb_import.drawing import drawn_poses
from mb_import.line_process import LineProcess
from mb_import.readers.xacro.reader import expanded
from mb_model import MechanismError

pytest.importorskip('xacro')

HEAD = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">'
ARM = HEAD + """
  <xacro:arg name="length" default="0.5"/>
  <xacro:property name="length" value="$(arg length)"/>
  <xacro:macro name="bar" params="name mass">
    <link name="${name}"><inertial><origin xyz="${length / 2} 0 0"/><mass value="${mass}"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="${mass * length**2 / 12}" iyz="0"
               izz="${mass * length**2 / 12}"/></inertial></link>
  </xacro:macro>
  <xacro:bar name="base" mass="1"/>
  <xacro:bar name="arm" mass="${2 * 1.5}"/>
  <joint name="elbow" type="continuous"><parent link="base"/><child link="arm"/>
    <origin xyz="${length} 0 0" rpy="0 0 ${pi / 2}"/><axis xyz="0 0 1"/></joint>
</robot>"""


@pytest.mark.parametrize(('section', 'length'), [({}, 0.5), ({'arguments': {'length': 2}}, 2.0)])
def test_macros_and_expressions_are_expanded_with_arguments(tmp_path, section, length):
    machine, _ = read_text(tmp_path, ARM, 'urdf.xacro', **section)
    arm = machine.links['arm'].inertial
    assert arm.mass == 3.0
    np.testing.assert_allclose(np.diag(arm.inertia), [0.0, *2 * [3.0 * length ** 2 / 12.0]])
    pose = drawn_poses(machine, {})['arm']
    np.testing.assert_allclose(pose.of(arm.centre), [length, length / 2.0, 0.0], atol=1e-15)


@pytest.fixture
def package(tmp_path):
    """A package beside a folder of robots, with a file that is included."""
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'robots').mkdir()
    (tmp_path / 'parts' / 'base.xacro').write_text(HEAD + '<link name="base"/></robot>')
    return tmp_path


def including(file):
    return HEAD + f'<xacro:include filename="{file}"/><link name="tool"/></robot>'


def test_files_of_given_packages_are_included(package):
    machine, _ = read_text(package / 'robots', including('$(find parts)/base.xacro'), 'xacro',
                           packages={'parts': str(package / 'parts')})
    assert set(machine.links) == {'base', 'tool'}
    relative, _ = read_text(package / 'robots', including('$(find parts)/base.xacro'), 'xacro',
                            packages={'parts': '../parts'})
    assert set(relative.links) == {'base', 'tool'}


@pytest.mark.parametrize('spelled', ['$(find parts)/base.xacro', "${'$(find parts)'}/base.xacro"])
def test_a_package_that_is_not_known_ends_in_words(package, spelled):
    with pytest.raises(MechanismError, match=r'robot\.xacro: there is no package parts; '
                                             r'import: packages: \{parts: FOLDER\} says'):
        read_text(package / 'robots', including(spelled), 'xacro')
    with pytest.raises(MechanismError, match=r'import\.packages\.parts: \.\./none: no such folder'):
        read_text(package / 'robots', including(spelled), 'xacro', packages={'parts': '../none'})


@pytest.mark.parametrize('spelled', [
    '../parts/base.xacro', '../parts/*.xacro', '/etc/hostname'])
def test_no_file_outside_is_included(package, spelled):
    with pytest.raises(MechanismError, match='is outside its folder and the folders of its'):
        read_text(package / 'robots', including(spelled), 'xacro')


def test_no_yaml_outside_is_loaded_and_one_beside_is(package):
    (package / 'secret.yaml').write_text('mass: 3')
    text = (HEAD + """<xacro:property name="known" value="${xacro.load_yaml('FILE')}"/>"""
            '<link name="a"><inertial><mass value="${known.mass}"/></inertial></link></robot>')
    with pytest.raises(MechanismError, match='is outside its folder'):
        read_text(package / 'robots', text.replace('FILE', '../secret.yaml'), 'xacro')
    machine, _ = read_text(package, text.replace('FILE', 'secret.yaml'), 'xacro')
    assert machine.links['a'].inertial.mass == 3.0


@pytest.mark.parametrize(('expression', 'said'), [
    ('(lambda: ().__class__)()', '__class__ is no name'), ('9**9**9', 'have no end'),
    ('1 << 99999999', 'have no end'), ('1 / 0', 'division'), ('nothing', "'nothing'"),
    ('1 +', 'syntax')])
def test_expressions_that_are_wrong_end_in_words(tmp_path, expression, said):
    text = HEAD + f'<link name="a"><visual name="${{{expression}}}"/></link></robot>'
    with pytest.raises(MechanismError, match=r'robot\.xacro: xacro: .*' + said):
        read_text(tmp_path, text.replace('<<', '&lt;&lt;'), 'xacro')


def test_macros_that_grow_without_end_stop(tmp_path):
    ends = '<xacro:macro name="m0"><link name="a"/></xacro:macro>'
    grows = ''.join(f'<xacro:macro name="m{k + 1}">' + 10 * f'<xacro:m{k}/>' + '</xacro:macro>'
                    for k in range(8))
    with pytest.raises(MechanismError, match='more than 10000 calls of macros'):
        read_text(tmp_path, HEAD + ends + grows + '<xacro:m8/></robot>', 'xacro')
    with pytest.raises(MechanismError, match=r'robot\.xacro: xacro: '):
        read_text(tmp_path, including('robot.xacro'), 'xacro')


def test_a_file_without_an_end_is_ended_and_the_next_one_is_read(tmp_path):
    path = tmp_path / 'robot.xacro'
    path.write_text(HEAD + '<link name="${max(range(10**12))}"/></robot>', encoding='utf-8')
    hasty = LineProcess('mb_import.readers.xacro.expanding', 1.5)
    with pytest.raises(MechanismError, match=r'robot\.xacro: xacro expanded it for 1\.5 s without '
                                             'an end'):
        expanded(path, {}, {}, hasty)
    path.write_text(HEAD + '<link name="${max(range(4))}"/></robot>', encoding='utf-8')
    assert '<link name="3"/>' in expanded(path, {}, {}, LineProcess(
        'mb_import.readers.xacro.expanding', 20.0))


def test_what_takes_all_memory_ends_in_words(tmp_path):
    with pytest.raises(MechanismError, match=r'robot\.xacro: .*, which takes more than 4 GB'):
        read_text(tmp_path, HEAD + """<link name="${len('a' * 10**11)}"/></robot>""", 'xacro')


def test_a_file_is_expanded_again_where_it_or_what_it_includes_changes(package):
    """Asked: how often another process expands."""
    class Counted(LineProcess):
        """Counts what it is asked."""

        asked = 0

        def ask(self, question):
            """Count."""
            self.asked += 1
            return super().ask(question)

    counted = Counted('mb_import.readers.xacro.expanding', 20.0)
    path, part = package / 'robots' / 'robot.xacro', package / 'parts' / 'base.xacro'
    path.write_text(including('$(find parts)/base.xacro'), encoding='utf-8')
    packages = {'parts': str(package / 'parts')}
    assert [expanded(path, {}, packages, counted) for _ in range(3)] == 3 * [
        expanded(path, {}, packages, counted)]
    assert counted.asked == 1
    part.write_text(HEAD + '<link name="other"/></robot>')
    assert 'other' in expanded(path, {}, packages, counted)
    path.write_text(including('$(find parts)/base.xacro').replace('tool', 'hand'))
    assert 'hand' in expanded(path, {}, packages, counted)
    expanded(path, {'a': '1'}, packages, counted)
    assert counted.asked == 4
    counted.close()


@pytest.mark.parametrize(('text', 'said'), [
    ('<robot', 'is no XML'), (HEAD + '</robot>', 'it has no <link>'),
    ('<!DOCTYPE robot [<!ENTITY a "b">]><robot name="r"/>', 'DOCTYPE or entities'),
    (HEAD + '<xacro:none/></robot>', 'none')])
def test_texts_that_are_no_robots_end_in_words(tmp_path, text, said):
    with pytest.raises(MechanismError, match=rf'robot\.xacro: .*{said}'):
        read_text(tmp_path, text, 'xacro')


def test_entities_of_included_files_are_refused(tmp_path):
    (tmp_path / 'part.xacro').write_text('<!DOCTYPE r [<!ENTITY a "b">]><robot/>')
    with pytest.raises(MechanismError, match=r'part\.xacro: declares a DOCTYPE or entities'):
        read_text(tmp_path, including('part.xacro'), 'xacro')


def test_words_say_what_to_do_without_xacro(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'xacro', None)
    with pytest.raises(MechanismError, match=r'xacro is not installed: .*pip install xacro.*or '
                                             r'expand the file where it is: xacro robot\.xacro'):
        read_text(tmp_path, ARM, 'xacro')


@needs_public
@pytest.mark.parametrize('loops', ['Constraints', 'Bushings'])
def test_the_walker_has_its_links_and_loops(loops):
    """Counted by its README: 12 legs of 10 bars, 6 pairs of 3, floor, crossbar and crank."""
    machine, _ = read(PUBLIC / '13-strandbeest-xacro' / f'Strandbeest{loops}.urdf.xacro')
    assert len(machine.links) == 12 * 10 + 6 * 3 + 3
    assert len(machine.closures) == 36
    kinds = {'Constraints': 'spherical', 'Bushings': 'revolute'}
    assert {closure.kind for closure in machine.closures.values()} == {kinds[loops]}
    assert machine.joints['crossbar_base'].kind == 'free'
    mass = sum(link.inertial.mass for name, link in machine.links.items() if name != 'floor')
    leg = 0.5 + 0.619 + 0.393 + 0.49 + 0.367 + 0.657 + 0.558 + 0.401 + 0.415 + 0.394
    length = 12 * leg + 6 * (0.078 + 0.76 + 0.15) + 2 * 1.2
    assert mass == pytest.approx(0.476212462 * length, rel=1e-12)


@needs_public
def test_the_palletiser_of_xacro_is_that_of_urdf(tmp_path):
    folder = PUBLIC / '09-dobot-magician-urdf'
    (tmp_path / 'dobot_description' / 'model').mkdir(parents=True)
    for file in folder.glob('*.xacro'):
        copy(file, tmp_path / 'dobot_description' / 'model')
    packages = {'dobot_description': str(tmp_path / 'dobot_description')}
    made, _ = read(tmp_path / 'dobot_description/model/magician_standalone.urdf.xacro',
                   packages=packages)
    ready, _ = read(folder / 'clean_model_no_macros.urdf')
    assert list(made.joints) == list(ready.joints)
    assert made.relations == ready.relations
    values = {'magician_joint_1': 0.4, 'magician_joint_2': 0.3, 'magician_joint_3': 0.2}
    for name, pose in drawn_poses(made, values).items():
        np.testing.assert_allclose(pose.at, drawn_poses(ready, values)[name].at, atol=1e-15)
    with pytest.raises(MechanismError, match='a file of macros alone is no machine'):
        read(tmp_path / 'dobot_description/model/magician.urdf.xacro', packages=packages)
