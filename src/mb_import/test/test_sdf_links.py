"""Masses, inertias and shapes of links of SDF."""

from math import pi, radians

import numpy as np
import pytest
from read_machines import lines
from sdf_texts import machine_of

from mb_model import MechanismError
from mb_model.space_api import of_roll_pitch_yaw


def one_link(tmp_path, inner, **options):
    """Return the only Link of a model, and the Notes."""
    machine, notes = machine_of(tmp_path, f'<model name="m"><link name="a">{inner}</link></model>',
                                base='floating', **options)
    return machine.links['a'], notes


def collision(shape, more=''):
    return f'<collision name="c">{more}<geometry>{shape}</geometry></collision>'


def test_an_inertia_is_turned_into_axes_of_the_link(tmp_path):
    link, notes = one_link(tmp_path, """<inertial><pose degrees="true">1 2 3 10 20 30</pose>
        <mass>4</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>.1</ixy><ixz>.2</ixz>
        <iyz>.3</iyz></inertia></inertial>""")
    turn = of_roll_pitch_yaw([radians(angle) for angle in (10, 20, 30)])
    inner = np.array([[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]])
    assert link.inertial.inertia == pytest.approx(turn @ inner @ turn.T)
    assert (link.inertial.mass, link.inertial.centre.tolist()) == (4.0, [1.0, 2.0, 3.0])
    assert lines(notes) == []


@pytest.mark.parametrize(('inner', 'mass', 'words'), [
    ('', None, 'has no <inertial>, taken without mass'),
    ('<inertial/>', 1.0, 'has no <mass>, taken as 1 kg'),
    ('<inertial><mass>2</mass></inertial>', 2.0, 'has no <inertia>, taken as 1 kg m^2')])
def test_defaults_of_sdf_are_said(tmp_path, inner, mass, words):
    link, notes = one_link(tmp_path, inner)
    assert (link.inertial and link.inertial.mass) == mass
    assert any(words in line for line in lines(notes))


@pytest.mark.parametrize(('shape', 'volume', 'inertia'), [
    ('<box><size>1 2 3</size></box>', 6.0, (13 / 12, 10 / 12, 5 / 12)),
    ('<sphere><radius>2</radius></sphere>', 32 / 3 * pi, (1.6, 1.6, 1.6)),
    ('<cylinder><radius>2</radius><length>3</length></cylinder>', 12 * pi, (1.75, 1.75, 2.0)),
    ('<ellipsoid><radii>1 2 3</radii></ellipsoid>', 8 * pi, (2.6, 2.0, 1.0))])
def test_densities_make_masses_of_solids(tmp_path, shape, volume, inertia):
    link, _ = one_link(tmp_path, f"""<inertial auto="1"><density>20</density></inertial>
        {collision(shape, '<pose>1 0 0 0 0 0</pose>')}""")
    mass = 20.0 * volume
    assert link.inertial.mass == pytest.approx(mass)
    assert link.inertial.inertia == pytest.approx(mass * np.diag(inertia))
    assert link.inertial.centre == pytest.approx([1.0, 0.0, 0.0])


def test_shapes_that_overlap_count_twice_and_a_mass_scales_them(tmp_path):
    boxes = (collision('<box><size>1 1 1</size></box>', '<density>100</density>')
             + collision('<box><size>1 1 1</size></box>', '<pose>0.5 0 0 0 0 0</pose>'))
    light, _ = one_link(tmp_path, f'<inertial auto="true"/>{boxes}')
    heavy, _ = one_link(tmp_path, f'<inertial auto="true"><mass>2.2</mass></inertial>{boxes}')
    assert light.inertial.mass == pytest.approx(1100.0)
    assert light.inertial.centre == pytest.approx([0.5 / 1.1, 0.0, 0.0])
    about = 1100.0 / 6.0 + 100.0 * (0.5 / 1.1) ** 2 + 1000.0 * (0.05 / 1.1) ** 2
    assert np.diag(light.inertial.inertia) == pytest.approx([1100.0 / 6.0, about, about])
    assert heavy.inertial.mass == pytest.approx(2.2)
    assert heavy.inertial.inertia == pytest.approx(light.inertial.inertia / 500.0)


def test_meshes_have_no_mass_that_is_known(tmp_path):
    link, notes = one_link(tmp_path, '<inertial auto="true"/>' + collision(
        '<mesh><uri>model://arm/arm.stl</uri></mesh>'))
    assert link.inertial is None
    assert [(shape.kind, shape.mesh) for shape in link.shapes] == [('mesh', 'model://arm/arm.stl')]
    assert any('the mass of mesh model://arm/arm.stl: write its mass' in line
               for line in lines(notes))


def test_visuals_are_seen_and_collisions_where_there_are_none(tmp_path):
    ball, slab = '<sphere><radius>1</radius></sphere>', '<box><size>1 2 3</size></box>'
    visual = f'<visual name="v"><geometry>{slab}</geometry></visual>'
    link, _ = one_link(tmp_path, collision(ball) + visual)
    assert [(shape.kind, shape.size) for shape in link.shapes] == [('box', (1.0, 2.0, 3.0))]
    link, _ = one_link(tmp_path, collision(ball))
    assert [(shape.kind, shape.size) for shape in link.shapes] == [('sphere', (1.0,))]


@pytest.mark.parametrize(('inner', 'words'), [
    ('<inertial><mass>-1</mass></inertial>', 'link a: mass: -1 kg must be >= 0'),
    ('<inertial><mass>heavy</mass></inertial>', 'mass: .*must be 1 finite number'),
    ('<inertial auto="yes"/>', "'yes' must be true or false"),
    (collision('<box><size>1 0 1</size></box>'), 'box: 1 0 1: each must be > 0'),
    ('<inertial auto="1"><density>0</density></inertial>' + collision('<sphere/>'),
     r'0 kg/m\^3 must be > 0')])
def test_numbers_of_no_body_are_errors(tmp_path, inner, words):
    with pytest.raises(MechanismError, match=words):
        one_link(tmp_path, inner)


def test_what_a_mechanism_has_not_is_left_out(tmp_path):
    inner = '<inertial><mass>1</mass><inertia/></inertial><gravity>0</gravity><battery name="b"/>'
    _, notes = one_link(tmp_path, inner)
    assert lines(notes) == [
        'left out: link a: has no gravity: gravity acts on all bodies',
        'left out: link a: <battery> has no meaning for a mechanism']
    with pytest.raises(MechanismError, match=r'which import\.strict forbids'):
        one_link(tmp_path, inner, strict=True)
