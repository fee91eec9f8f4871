"""USD machines: units, axes, masses, joints and closures, against closed forms."""

from math import hypot, pi, radians, sqrt

import numpy as np
import pytest
from read_machines import DESCRIPTIONS, gaps, lines, poses, read_file

from mb_model import MechanismError

pytest.importorskip('pxr.UsdPhysics')
FOUR_BAR = DESCRIPTIONS / 'four_bar.usda'


@pytest.fixture(scope='module')
def four_bar():
    return read_file(FOUR_BAR)


def test_a_stage_in_centimetres_with_y_up_is_turned(four_bar):
    """Hinges are along y of ours: z of the stage points to -y."""
    machine, _ = four_bar
    at = poses(machine, **{name: joint.drawn for name, joint in machine.joints.items()})
    assert at['Crank'].at == pytest.approx([1.0, 0.0, 0.0])
    assert at['Crank'].of([0.2, 0, 0]) == pytest.approx([1.0, 0.0, 0.2], abs=1e-7)
    assert at['Coupler'].at == pytest.approx([1.0, 0.0, 0.2], abs=1e-7)
    assert at['Rocker'].at == pytest.approx([1.6, 0.0, 0.0])
    assert at['Crank'].turn[:, 2] == pytest.approx([0.0, -1.0, 0.0], abs=1e-7)
    assert machine.gravity == pytest.approx([0.0, 0.0, -9.81])


def test_the_joint_out_of_the_articulation_closes_the_loop(four_bar):
    machine, _ = four_bar
    assert list(machine.joints) == ['Motor', 'Pivot', 'Elbow']
    assert [joint.links for joint in machine.joints.values()] == [
        ('world', 'Crank'), ('world', 'Rocker'), ('Crank', 'Coupler')]
    assert list(machine.closures) == ['Pin']
    drawn = {name: joint.drawn for name, joint in machine.joints.items()}
    assert np.linalg.norm(gaps(machine, **drawn)['Pin'].at) < 1e-7
    assert drawn['Motor'] == pytest.approx(pi / 2)


def test_masses_are_said_or_follow_from_colliders(four_bar):
    machine, _ = four_bar
    crank, coupler, rocker = (machine.links[name].inertial
                              for name in ('Crank', 'Coupler', 'Rocker'))
    assert (crank.mass, coupler.mass, rocker.mass) == pytest.approx(
        (0.4, 2000.0 * pi * 0.01 ** 2 * 0.5, 1.5))
    # Principal axes are turned by a quarter about z; kg cm^2 are 1e-4 kg m^2.
    assert crank.inertia == pytest.approx(np.diag([0.012, 0.002, 0.013]), abs=1e-9)
    assert crank.centre == pytest.approx([0.1, 0.0, 0.0])
    across = coupler.mass * (0.25 * 0.01 ** 2 + 0.5 ** 2 / 12.0)
    assert np.diag(coupler.inertia) == pytest.approx([0.5 * coupler.mass * 1e-4, across, across])
    assert rocker.centre == pytest.approx([0.25, 0.0, 0.0])


def test_shapes_are_seen_colliders_where_nothing_else_is(four_bar):
    machine, _ = four_bar
    web, = machine.links['Crank'].shapes
    assert (web.kind, web.size) == ('box', pytest.approx((0.2, 0.02, 0.03)))
    rod, = machine.links['Rocker'].shapes
    assert (rod.kind, rod.size) == ('capsule', pytest.approx((0.01, 0.48)))
    assert rod.pose.turn @ [0, 0, 1] == pytest.approx([1, 0, 0])
    name, pose = machine.frames['Tip']
    assert (name, pose.at.tolist()) == ('Crank', pytest.approx([0.2, 0.0, 0.0]))


def test_drives_and_limits_are_in_radians_and_newtons(four_bar):
    machine, notes = four_bar
    motor = machine.joints['Motor']
    assert (motor.lower, motor.upper) == pytest.approx((-pi, 1.5 * pi))
    assert (motor.effort, motor.armature, motor.actuated) == (
        pytest.approx(3.0), pytest.approx(0.005), True)
    drive, = machine.drives.values()
    assert (dict(drive.terms), drive.commands) == ({'Motor': 1.0}, ('velocity',))
    assert lines(notes) == ['left out: drive of Motor: its gains are of its controller, not of the '
                            'machine']


def stage_of(tmp_path, body, head='metersPerUnit = 1\n    upAxis = "Z"', **options):
    """Return the Machine of a USDA text, and its Notes."""
    path = tmp_path / 'machine.usda'
    path.write_text(f'#usda 1.0\n(\n    {head}\n)\n{body}', encoding='utf-8')
    return read_file(path, **options)


def body(name, at=(0, 0, 0), inner='', apis=''):
    return f"""def Xform "{name}" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"{apis}]
)
{{
    double3 xformOp:translate = {at}
    uniform token[] xformOpOrder = ["xformOp:translate"]
    float physics:mass = 1
    float3 physics:diagonalInertia = (1, 1, 1)
    point3f physics:centerOfMass = (0, 0, 0)
    {inner}
}}
"""


def joint(kind, name='J', ends=('Base', 'Arm'), inner='', apis=''):
    rels = '\n'.join(f'    rel physics:body{index} = </{end}>' for index, end in enumerate(ends)
                     if end)
    head = f' (\n    prepend apiSchemas = [{apis}]\n)' if apis else ''
    return f'def Physics{kind}Joint "{name}"{head}\n{{\n{rels}\n    {inner}\n}}\n'


TWO = body('Base') + body('Arm', (0, 0, 1))
AT_ARM = '\n    point3f physics:localPos0 = (0, 0, 1)'


@pytest.mark.parametrize(('kind', 'expected'), [
    ('Revolute', 'revolute'), ('Prismatic', 'prismatic'), ('Fixed', 'weld'),
    ('Spherical', 'spherical')])
def test_kinds_of_joints(tmp_path, kind, expected):
    machine, _ = stage_of(tmp_path, TWO + joint(kind, inner=AT_ARM))
    assert machine.joints['J'].kind == expected
    assert machine.joints['Base_base'].kind == 'free'


def test_limits_of_a_slide_are_in_metres(tmp_path):
    machine, _ = stage_of(tmp_path, TWO + joint('Prismatic', inner="""
        uniform token physics:axis = "Z"
        float physics:lowerLimit = -300
        float physics:upperLimit = 1200"""), 'metersPerUnit = 0.001\n    upAxis = "Z"')
    slide = machine.joints['J']
    assert (slide.lower, slide.upper, slide.drawn) == pytest.approx((-0.3, 1.2, 0.001))


def locks(*names):
    """Return the apis and attributes that lock axes of a joint."""
    apis = ', '.join(f'"PhysicsLimitAPI:{name}"' for name in names)
    return apis, AT_ARM + ''.join(f'\n    float limit:{name}:physics:low = 1\n'
                                  f'    float limit:{name}:physics:high = -1' for name in names)


SLIDES, TURNS = ('transX', 'transY', 'transZ'), ('rotX', 'rotY', 'rotZ')


@pytest.mark.parametrize(('locked', 'kind', 'axis'), [
    (SLIDES + TURNS, 'weld', None), ((*SLIDES, 'rotX', 'rotZ'), 'revolute', [0, 1, 0]),
    (('transX', 'transY', *TURNS), 'prismatic', [0, 0, 1]),
    (('transX', 'transY', 'rotX', 'rotY'), 'cylindrical', [0, 0, 1]),
    (SLIDES, 'spherical', None), ((*SLIDES, 'rotZ'), 'universal', [1, 0, 0]),
    (('transZ', 'rotX', 'rotY'), 'planar', [0, 0, 1])])
def test_joints_of_six_axes_by_what_they_lock(tmp_path, locked, kind, axis):
    apis, inner = locks(*locked)
    machine, _ = stage_of(tmp_path, TWO + joint('', inner=inner, apis=apis))
    one = machine.joints['J']
    assert one.kind == kind
    assert (None if one.axis is None else one.axis.tolist()) == axis


def test_joints_that_hold_what_no_joint_does_are_left_out(tmp_path):
    apis, inner = locks('rotX')
    machine, notes = stage_of(tmp_path, TWO + joint('', inner=inner, apis=apis)
                              + joint('Fixed', 'K'))
    assert 'J' not in machine.joints
    assert any('leaves transX and transY' in line for line in lines(notes))


def test_a_rod_of_one_length_closes(tmp_path):
    text = TWO + joint('Fixed', inner=AT_ARM) + joint('Distance', 'Rod', inner="""
        float physics:minDistance = 1
        float physics:maxDistance = 1""")
    machine, _ = stage_of(tmp_path, text)
    assert (machine.closures['Rod'].kind, machine.closures['Rod'].length) == ('distance', 1.0)
    machine, notes = stage_of(tmp_path, text.replace('minDistance = 1', 'minDistance = 0.5'))
    assert machine.closures == {}
    assert any('a distance from 0.5 to 1 holds nothing always' in line for line in lines(notes))


@pytest.mark.parametrize(('schema', 'inner'), [
    ('PhysxMimicJointAPI:rotZ', """rel physxMimicJoint:rotZ:referenceJoint = </J>
        float physxMimicJoint:rotZ:gearing = 2
        float physxMimicJoint:rotZ:offset = 90"""),
    ('NewtonMimicAPI', """rel newton:mimicJoint = </J>
        float newton:mimicCoef1 = -2
        float newton:mimicCoef0 = -90""")])
def test_mimic_joints_follow_in_radians(tmp_path, schema, inner):
    machine, _ = stage_of(tmp_path, TWO + body('Tip') + joint('Revolute') + joint(
        'Revolute', 'K', ('Arm', 'Tip'), inner, f'"{schema}"'))
    relation, = machine.relations.values()
    leader = 0.3                      # follower = -2 leader - 90 degrees
    assert relation.terms['K'] * (-0.6 - radians(90)) + relation.terms['J'] * leader == (
        pytest.approx(relation.total))


def test_scales_of_a_body_move_its_joints(tmp_path):
    """A body is scaled by 2: offsets in it are, masses and inertias are not."""
    scaled = TWO.replace('"xformOp:translate"]\n    float physics:mass = 1',
                         '"xformOp:translate", "xformOp:scale"]\n    float3 xformOp:scale = '
                         '(2, 2, 2)\n    float physics:mass = 1')
    machine, _ = stage_of(tmp_path, scaled + joint('Revolute', inner=(
        'point3f physics:localPos0 = (0, 0, 0.5)')))
    assert machine.joints['J'].frames[0].at == pytest.approx([0, 0, 1])
    assert machine.links['Base'].inertial.inertia == pytest.approx(np.eye(3))


def test_ends_that_are_drawn_apart_are_named(tmp_path):
    _, notes = stage_of(tmp_path, TWO + joint('Revolute'))
    assert any('joint J: its frames are 1 m and 0 rad apart as drawn' in line
               for line in lines(notes))


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
        read_file(FOUR_BAR)


def test_fingers_from_another_file_follow_each_other():
    machine, notes = read_file(DESCRIPTIONS / 'gripper.usda')
    assert [joint.kind for joint in machine.joints.values()] == ['weld', 'prismatic', 'prismatic']
    relation, = machine.relations.values()
    assert (dict(relation.terms), relation.total) == (
        {'RightSlide': 1.0, 'LeftSlide': -1.0}, 0.0)
    slide = machine.joints['LeftSlide']
    assert (slide.lower, slide.upper, slide.effort, slide.drawn) == (
        0.0, 0.04, 60.0, pytest.approx(0.01))
    at = poses(machine, LeftSlide=0.03, RightSlide=0.03)
    assert at['Left'].at == pytest.approx([0, 0.05, 1.02])
    assert at['Right'].at == pytest.approx([0, -0.05, 1.02])
    bar, pad = 2700 * 0.02 * 0.01 * 0.08, 1100 * 4 / 3 * pi * 0.008 ** 3
    finger = machine.links['Right'].inertial
    assert finger.mass == pytest.approx(bar + pad)
    assert finger.centre == pytest.approx([0, 0, (0.04 * bar + 0.08 * pad) / (bar + pad)])
    assert lines(notes) == []


def test_the_drawn_four_bar_has_the_lengths_of_its_text():
    """The pin of the text is where circles of 0.5 m about the tip and the pivot meet."""
    tip, pivot = np.array([0.0, 0.2]), np.array([0.6, 0.0])
    span = pivot - tip
    height = sqrt(0.5 ** 2 - 0.25 * float(span @ span))
    pin = 0.5 * (tip + pivot) + height * np.array([-span[1], span[0]]) / hypot(*span)
    machine, _ = read_file(FOUR_BAR)
    at = poses(machine, **{name: one.drawn for name, one in machine.joints.items()})
    assert at['Rocker'].of([0.5, 0, 0])[[0, 2]] - [1.0, 0.0] == pytest.approx(pin, abs=1e-6)
