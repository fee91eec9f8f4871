"""Stages of USD: which machine, densities, sensors, files elsewhere, and what is none."""

from math import pi

import pytest
from read_machines import DESCRIPTIONS, lines, read_file
from usd_texts import AT_ARM, TWO, body, joint, stage_of

from mb_model import MechanismError

pytest.importorskip('pxr.UsdPhysics')


def test_one_of_several_articulations_is_chosen(tmp_path):
    text = TWO + joint('Fixed', inner=AT_ARM) + body('Left') + body('Right') + joint(
        'Fixed', 'K', ('Left', 'Right'))
    with pytest.raises(MechanismError, match='several machines, expected one of Base, Left'):
        stage_of(tmp_path, text)
    machine, _ = stage_of(tmp_path, text, model='Left')
    assert list(machine.links) == ['Left', 'Right']
    with pytest.raises(MechanismError, match="no articulation 'Top', expected one of Base, Left"):
        stage_of(tmp_path, text, model='Top')


def test_materials_and_bodies_give_densities(tmp_path):
    ball = """def Sphere "Ball" (
        prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"{}]
    )
    {{
        double radius = 0.5
        rel material:binding:physics = </Steel>
        {}
    }}"""
    steel = """def Material "Steel" (
        prepend apiSchemas = ["PhysicsMaterialAPI"]
    )
    {
        float physics:density = 7800
    }
    """
    volume = 4 / 3 * pi * 0.5 ** 3
    for apis, inner, general, density in (
            ('', '', 0, 7800), ('', '', 100, 100),
            (', "PhysicsMassAPI"', 'float physics:density = 50', 100, 50)):
        text = steel + body('A', inner=ball.format(apis, inner)).replace(
            'physics:mass = 1', f'physics:density = {general}')
        machine, _ = stage_of(tmp_path, text)
        assert machine.links['A'].inertial.mass == pytest.approx(density * volume)


def test_an_imu_is_a_sensor(tmp_path):
    machine, _ = stage_of(tmp_path, body('Base', inner="""def IsaacImuSensor "Imu"
    {
        double3 xformOp:translate = (0, 0, 0.2)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }"""))
    imu = machine.sensors['Imu']
    assert (imu.kind, imu.link, imu.pose.at.tolist()) == ('imu', 'Base', [0, 0, 0.2])


def test_files_elsewhere_are_left_out(tmp_path):
    outside = tmp_path / 'outside.usda'
    outside.write_text(f'#usda 1.0\n{body("Secret")}', encoding='utf-8')
    home = tmp_path / 'home'
    home.mkdir()
    (home / 'part.usda').write_text(
        f'#usda 1.0\n(\n    defaultPrim = "Part"\n)\n{body("Part")}', encoding='utf-8')
    text = '\n'.join(f'def "P{index}" (\n    prepend references = @{name}@\n)\n{{\n}}'
                     for index, name in enumerate((
                         'part.usda', '../outside.usda', str(outside), 'https://host/x.usda',
                         '/dev/zero', 'missing.usda')))
    machine, notes = stage_of(home, text)
    assert list(machine.links) == ['P0']
    assert sum('is neither beside the file nor in a package' in line for line in lines(notes)) == 5


@pytest.mark.parametrize(('text', 'words'), [
    ('#usda 1.0\ndef Xform "A" {', 'is no USD that can be read: '), ('', 'is no USD'),
    ('#usda 1.0\n', 'has no rigid body')])
def test_files_without_a_machine(tmp_path, text, words):
    path = tmp_path / 'machine.usda'
    path.write_text(text, encoding='utf-8')
    with pytest.raises(MechanismError, match=words):
        read_file(path)


def test_usd_core_is_asked_for_where_it_is_missing(tmp_path, monkeypatch):
    from mb_import.readers.usd import stage

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(stage, 'import_module', missing)
    with pytest.raises(MechanismError, match='need usd-core, which is not installed: pip install'):
        read_file(DESCRIPTIONS / 'four_bar.usda')
