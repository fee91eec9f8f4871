"""Joints of USD: kinds, limits, mimics, and what is left out."""

from math import radians

import numpy as np
import pytest
from read_machines import lines
from usd_texts import AT_ARM, TWO, body, joint, stage_of

pytest.importorskip('pxr.UsdPhysics')


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


def test_what_engines_say_beside_is_left_out(tmp_path):
    _, notes = stage_of(tmp_path, TWO + joint('Revolute', inner=AT_ARM + """
        float physxJoint:jointFriction = 0.2
        float state:angular:physics:position = 30
        float newton:friction = 0""", apis='"PhysxTendonAxisAPI:cable"') + """
        def PhysxPhysicsGearJoint "Gear" {
        }""")
    assert [line for line in lines(notes) if line.startswith('left out')] == [
        'left out: joint J: physxJoint:jointFriction, state:angular:physics:position: of an engine',
        'left out: joint J: PhysxTendonAxisAPI:cable: tendons are not read',
        'left out: joint Gear: PhysxPhysicsGearJoint is of an engine']
