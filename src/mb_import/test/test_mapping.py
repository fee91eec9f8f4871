"""Machines as mechanisms: names, lumps, frames, forces and notes, against rigid-body formulas."""

from dataclasses import replace
from pathlib import Path

from machines import bar, four_bar, hinge, pose
import numpy as np
import pytest

from mb_import import (
    WORLD,
    ImportOptions,
    Inertial,
    Link,
    LinkJoint,
    Machine,
    Notes,
    Relation,
    mapping_of,
    mechanism_mapping,
    read_options,
)
from mb_model import Mechanism, MechanismError
from mb_model.space_api import body_poses, rotation

DESCRIPTIONS = Path(__file__).parent / 'descriptions'


def imported(machine, section=None):
    """Return (mechanism, notes as texts) of a machine."""
    notes = Notes('machine.urdf')
    raw = mechanism_mapping(machine, read_options(section or {}, 'machine.yaml'), notes)
    return Mechanism(raw, 'machine.urdf'), [str(note) for note in notes.notes]


def test_a_loop_closes_and_coordinates_are_the_joints_own():
    machine, notes = imported(four_bar())
    assert machine.g == 1
    q = dict(zip(machine.coordinates, machine.q0, strict=True))
    tip = (0.2 * np.array([np.cos(q['motor_1']), -np.sin(q['motor_1'])])
           + 0.5 * np.array([np.cos(q['motor_1'] + q['pin']), -np.sin(q['motor_1'] + q['pin'])]))
    rocker = np.array([0.5, 0.0]) + 0.5 * np.array([np.cos(q['pivot']), -np.sin(q['pivot'])])
    np.testing.assert_allclose(tip, rocker, atol=1e-9)
    assert machine.drives == ('motor_1',)
    assert any('gravity' in note for note in notes)


def test_welded_links_are_one_body():
    machine, _ = imported(four_bar())
    body = machine.bodies['coupler']
    at, turn = np.array([0.5, 0.0, 0.0]), rotation([0.0, 0.3, 0.0])
    flange = at - turn @ np.array([0.1, 0.0, 0.0])
    centre = (np.array([0.25, 0.0, 0.0]) + 0.5 * flange) / 1.5
    assert body.mass == pytest.approx(1.5)
    np.testing.assert_allclose(body.centre_of_gravity, centre, atol=1e-15)
    inertia = np.zeros((3, 3))
    for mass, own, where in ((1.0, np.diag([1e-3, 1.0, 1.0]) / 48.0, np.array([0.25, 0.0, 0.0])),
                             (0.5, 1e-3 * np.eye(3), flange)):
        arm = where - centre
        inertia += own + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    np.testing.assert_allclose(body.inertia, inertia, atol=1e-15)


def test_names_are_kept_apart_and_can_be_looked_up():
    links = [bar(name, 0.2) for name in ('left-knee', 'left_knee', '7th', 'ground')]
    joints = [hinge(f'j{k}', WORLD, link.name, (0.1 * k, 0.0, 0.0))
              for k, link in enumerate(links)]
    machine, _ = imported(Machine('a machine!', {one.name: one for one in links},
                                  {one.name: one for one in joints}))
    assert list(machine.bodies) == ['left_knee', 'left_knee_2', '_7th', 'ground_2']
    assert machine.raw['origin']['names']['links']['left-knee'] == 'left_knee'


@pytest.mark.parametrize('kind', ['revolute', 'prismatic', 'screw'])
def test_a_coordinate_counts_from_where_frames_agree(kind):
    """Along or about an axis that lies askew in both links, at a value of `import.pose`."""
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    frames = pose((0.1, 0.2, 0.3), (0.3, -0.2, 0.9)), pose((-0.2, 0.0, 0.1), (1.0, 0.5, -0.7))
    joint = LinkJoint('j', kind, (WORLD, 'part'), frames, axis, pitch=0.05)
    part = Link('part', Inertial(1.0, np.zeros(3), np.eye(3)))
    machine, _ = imported(Machine('one', {'part': part}, {'j': joint}), {'pose': {'j': 0.4}})
    q = dict(zip(machine.coordinates, machine.q0, strict=True))
    assert q['j'] == pytest.approx(0.4, abs=1e-12)
    turn = rotation(0.4 * axis) if kind != 'prismatic' else np.eye(3)
    travel = {'revolute': 0.0, 'prismatic': 0.4, 'screw': 0.05 * 0.4 / (2.0 * np.pi)}[kind]
    at = frames[0].of(travel * axis)
    expected = frames[0].turn @ turn @ frames[1].turn.T
    (where,), (turned,) = body_poses(machine, machine.q0)['part']
    np.testing.assert_allclose(turned, expected, atol=1e-12)
    np.testing.assert_allclose(where, at - expected @ frames[1].at, atol=1e-12)


def test_a_floating_base_has_six_degrees_of_freedom():
    part = Link('base', Inertial(2.0, np.zeros(3), np.eye(3)))
    free = LinkJoint('float', 'free', (WORLD, 'base'), (pose((0.0, 0.0, 1.0)), pose()))
    machine, _ = imported(Machine('hull', {'base': part}, {'float': free}))
    assert machine.g == 6
    assert 'base_turn.x' in machine.coordinates


def test_inertias_of_no_body_are_mended_or_refused():
    part = Link('leg', Inertial(1.0, np.zeros(3), np.diag([0.2, 0.0, 0.0])))
    machine = Machine('leg', {'leg': part}, {'j': hinge('j', WORLD, 'leg', (0.0, 0.0, 0.0))})
    mechanism, notes = imported(machine)
    np.testing.assert_allclose(np.diag(mechanism.bodies['leg'].inertia), [0.2, 0.1, 0.1])
    assert any('changed: link leg: no body has the principal moments' in note for note in notes)
    with pytest.raises(MechanismError, match='link leg: no body has the principal moments'):
        imported(machine, {'repairs': False})


def test_relations_tie_coordinates_and_drives_are_named():
    links = {name: bar(name, 0.1) for name in ('left', 'right')}
    joints = {'a': hinge('a', WORLD, 'left', (0.0, 0.0, 0.0), actuated=True),
              'b': hinge('b', WORLD, 'right', (0.3, 0.0, 0.0))}

    machine, _ = imported(Machine('gripper', links, joints,
                                  relations={'follow': Relation('follow', {'b': 1.0, 'a': 1.0},
                                                                0.1)}), {'pose': {'a': 0.2}})
    assert machine.g == 1
    q = dict(zip(machine.coordinates, machine.q0, strict=True))
    assert q['a'] + q['b'] == pytest.approx(0.1)
    assert machine.sensor_groups['encoders'] == ('a_encoder',)
    machine, _ = imported(Machine('gripper', links, joints,
                                  relations={'hold': Relation('hold', {'b': 2.0}, 0.1)}))
    q = dict(zip(machine.coordinates, machine.q0, strict=True))
    assert machine.g == 1
    assert q['b'] == pytest.approx(0.05)


@pytest.mark.parametrize(('section', 'message'), [
    ({'pos': 1}, r'import\.pos: unknown key, expected one of base'),
    ({'base': 'mobile'}, r'import\.base: .* must be fixed or floating'),
    ({'gravity': [0.0, 1.0]}, r'import\.gravity: .* must be three numbers'),
    ({'pose': {'motor': float('nan')}}, r'import\.pose\.motor: nan must be a number'),
    ({'pose': {'nowhere': 1.0}}, r'import\.pose\.nowhere: no joint of the tree'),
    ({'loops': {'x': {'frames': ['coupler']}}}, r'import\.loops\.x\.frames: .* two names'),
    ({'loops': {'x': {'frames': ['coupler', 'lever']}}}, r'import\.loops\.x: lever: no link'),
    ({'loops': {'tip': {'frames': ['coupler', 'rocker']}}}, r'import\.loops\.tip: the desc'),
    ({'loops': {'x': {'frames': ['coupler', 'rocker'], 'at': [[0.0, 0.0, 1.0]]}}},
     r'loops\.x\.at: .* must be two points'),
    ({'loops': {'x': {'frames': ['a', 'b'], 'second_axis': [1, 0, 0]}}},
     r'loops\.x\.second_axis: a spherical joint has none'),
    ({'loops': {'x': {'kind': 'glue', 'frames': ['a', 'b']}}}, r'loops\.x\.kind: .* one of')])
def test_wrong_options_are_said(section, message):
    with pytest.raises(MechanismError, match=message):
        imported(four_bar(), section)


def test_a_loop_of_the_overlay_closes_a_description_without_it():
    given = four_bar()
    tips = {'coupler_tip': ('coupler', pose((0.5, 0.0, 0.0))),
            'rocker_tip': ('rocker', pose((0.5, 0.0, 0.0)))}
    closed, _ = imported(given)
    for loop in ({'frames': ['coupler_tip', 'rocker_tip']},
                 {'frames': ['coupler', 'rocker'], 'at': [[0.5, 0, 0], [0.5, 0, 0]]}):
        machine, _ = imported(replace(given, closures={}, frames=tips), {
            'loops': {'tip': {'kind': 'spherical'} | loop}})
        assert machine.g == 1
        np.testing.assert_allclose(machine.q0, closed.q0, atol=1e-9)


@pytest.mark.parametrize(('axis', 'second', 'expected'), [
    ([1, 0, 0], None, [0, 1, 0]), ([0, -2, 0], None, [0, 0, 1]), ([0, 1, 0], [3, 0, 0], [1, 0, 0])])
def test_the_second_axis_of_a_universal_loop_is_said_or_across_the_first(axis, second, expected):
    loop = {'kind': 'universal', 'frames': ['coupler', 'rocker'], 'axis': axis,
            'at': [[0.5, 0, 0], [0.5, 0, 0]]} | ({} if second is None else {'second_axis': second})
    notes = Notes('machine.urdf')
    raw = mechanism_mapping(replace(four_bar(), closures={}), read_options(
        {'loops': {'tip': loop}}, 'machine.yaml'), notes)
    assert raw['joints']['tip']['axes'][1] == expected
    said = [str(note) for note in notes.notes if 'second_axis' in str(note)]
    assert len(said) == (second is None)


def test_a_link_goes_before_a_frame_of_its_name():
    """With a note where they differ."""
    frames = {'rocker': ('coupler', pose((0.5, 0.0, 0.0)))}
    machine, notes = imported(replace(four_bar(), closures={}, frames=frames), {
        'loops': {'tip': {'frames': ['coupler', 'rocker'], 'at': [[0.5, 0, 0], [0.5, 0, 0]]}}})
    assert machine.joints['tip'].bodies == ('coupler', 'rocker')
    assert ('guessed: import.loops.tip: rocker is taken for the link, not for the frame of this '
            'name') in notes


def test_a_closure_within_one_body_is_left_out():
    given = four_bar()
    inner = hinge('inner', 'coupler', 'flange', (0.5, 0.0, 0.0))
    machine, notes = imported(replace(given, closures=given.closures | {'inner': inner}))
    assert machine.g == 1
    assert ('left out: joint inner: coupler and flange are one body, as welds hold them together'
            in notes)


def test_what_is_left_out_is_an_error_if_strict():
    machine = replace(four_bar(), relations={})
    ball = replace(machine.closures['tip'], kind='spherical', axis=None, damping=0.3)
    machine = replace(machine, closures={'tip': ball})
    _, notes = imported(machine)
    assert 'left out: joint tip: damping 0.3 of a spherical joint' in notes
    with pytest.raises(MechanismError, match='joint tip: damping'):
        mechanism_mapping(machine, ImportOptions(), Notes('machine.urdf', strict=True))


@pytest.mark.parametrize('looped', [True, False])
def test_rounded_axes_of_loops_become_parallel_and_axes_of_calibrated_arms_stay(tmp_path, looped):
    text = (DESCRIPTIONS / 'rounded_parallelogram.urdf').read_text()
    file = tmp_path / 'machine.urdf'
    file.write_text(text)
    section = {'base': 'fixed', 'gravity': [0.0, 0.0, -9.81]} | ({'loops': {'d': {
        'kind': 'revolute', 'frames': ['right', 'seat'], 'axis': [0, 1, 0],
        'at': [[0.0, 0.0, -1.0], [0.6, 0.0, 0.0]]}}} if looped else {})
    raw = mapping_of(file, section)
    leaning = Mechanism(raw, file.name).joints['b'].frames[0][:, 2]
    notes = raw['origin']['notes']
    if looped:
        np.testing.assert_allclose(leaning, [0.0, 1.0, 0.0], atol=1e-12)
        assert ('changed: joints.a and joints.b have axes on ground that are 0.0004 rad from '
                'parallel: made parallel') in notes
    else:
        np.testing.assert_allclose(leaning[0], 4e-4, rtol=1e-3)
        assert not any('parallel' in note for note in notes)


def test_friction_stops_no_link_faster_than_models_step():
    """Full at friction times 10 ms over the inertia about the pin, of two bars of 1 kg in a row."""
    links = {'upper': bar('upper', 0.4), 'lower': bar('lower', 0.2)}
    about_pin, about_elbow = 0.16 / 3.0 + 0.04 / 12.0 + 0.25, 0.04 / 3.0
    joints = [hinge('pin', WORLD, 'upper', (0.0, 0.0, 0.0), friction=2.0),
              hinge('elbow', 'upper', 'lower', (0.4, 0.0, 0.0), friction=1e-3)]
    machine = Machine('arm', links, {one.name: one for one in joints}, {})
    arm, notes = imported(machine, {'base': 'fixed'})
    peaks = {name: one.transition_velocity for name, one in arm.described.forces.items()}
    assert peaks == {'pin_friction': pytest.approx(2.0 * 0.01 / about_pin),
                     'elbow_friction': pytest.approx(max(1e-3 * 0.01 / about_elbow, 0.01))}
    assert any(f'friction 2 is full beyond {0.02 / about_pin:.4g} rad/s' in note for note in notes)
