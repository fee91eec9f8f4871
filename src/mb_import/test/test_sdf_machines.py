"""Machines of our own in SDF: closed as drawn, with the mobility of their kind."""

from math import pi, radians

import numpy as np
import pytest
from read_machines import DESCRIPTIONS, gaps, lines, poses, read_file

from mb_model.space_api import rotation_vector


@pytest.fixture(scope='module', params=['walking_linkage', 'stewart', 'gripper',
                                        'parallelogram_loop'])
def drawn(request):
    return read_file(DESCRIPTIONS / f'{request.param}.sdf')[0]


def test_loops_are_closed_as_drawn(drawn):
    assert drawn.closures
    for name, between in gaps(drawn).items():
        assert np.linalg.norm(between.at) < 1e-9, name
        if drawn.closures[name].kind == 'revolute':
            axis = drawn.closures[name].axis
            assert between.turn @ axis == pytest.approx(axis, abs=1e-9)


def mobility(machine, step=1e-6):
    """Return how many ways a machine with hinges about parallel axes can move: by differences."""
    scalars = [joint.name for joint in machine.joints.values() if joint.is_scalar]

    def residuals(**values):
        closing = [between.at for between in gaps(machine, **values).values()]
        related = [sum(factor * values.get(name, 0.0) for name, factor in one.terms.items())
                   for one in machine.relations.values()]
        return np.concatenate([*closing, related])

    slopes = np.stack([(residuals(**{name: step}) - residuals(**{name: -step})) / (2.0 * step)
                       for name in scalars], axis=-1)
    return len(scalars) - np.linalg.matrix_rank(slopes, tol=1e-6)


@pytest.mark.parametrize(('name', 'loops', 'ways'), [
    ('walking_linkage', 12, 1), ('parallelogram_loop', 1, 1), ('parallelogram_mimic', 0, 1),
    ('gripper', 2, 2)])
def test_machines_of_hinges_move_as_they_should(name, loops, ways):
    """The gripper's spindle turns on its own; all others have one shaft."""
    machine, _ = read_file(DESCRIPTIONS / f'{name}.sdf', **(
        {'model': 'tray_swing'} if name == 'parallelogram_mimic' else {}))
    assert len(machine.closures) == loops
    assert mobility(machine) == ways


def test_feet_of_the_walking_linkage_are_where_jansen_puts_them():
    """Lengths of Jansen's table, in centimetres: the triangle of a foot has 65.7, 36.7 and 49."""
    machine, _ = read_file(DESCRIPTIONS / 'walking_linkage.sdf')
    at = poses(machine)
    for leg in ('front_up', 'front_down', 'back_up', 'back_down'):
        corners = [at[link].then(frame).at for link, frame in (
            machine.frames[f'{leg}::{name}'] for name in ('foot_end', 'foot_corner', 'lower_end'))]
        sides = [float(np.linalg.norm(first - second)) for first, second in (
            (corners[0], corners[1]), (corners[0], corners[2]), (corners[1], corners[2]))]
        assert sides == pytest.approx([0.657, 0.367, 0.49], abs=1e-9)
        assert corners[1][2] < 0.2                  # the foot is below the shaft, at 1 m
    assert at['back_up::foot'].at * [-1, 1, 1] == pytest.approx(at['front_up::foot'].at)


def test_legs_of_the_stewart_platform_have_its_lengths():
    machine, notes = read_file(DESCRIPTIONS / 'stewart.sdf')
    kinds = [joint.kind for joint in machine.joints.values()]
    assert (kinds.count('universal'), kinds.count('prismatic')) == (6, 6)
    assert len(machine.closures) == 5
    # Pins at radius 0.5 and 0.3 m, 30 degrees apart as seen from above, 0.6 m apart in height
    flat = 0.5 ** 2 + 0.3 ** 2 - 2 * 0.5 * 0.3 * np.cos(radians(30))
    at = poses(machine)
    for leg in range(6):
        ends = at[f'cylinder_{leg}'].at, at[f'rod_{leg}'].at
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(np.sqrt(flat + 0.36))
    plate = machine.links['platform'].inertial
    assert plate.mass == pytest.approx(4.0)
    assert plate.inertia[2, 2] == pytest.approx(0.5 * 4.0 * 0.3 ** 2)
    assert machine.sensors['imu'].link == 'platform'
    assert dict(machine.drives['slide_0_effort'].terms) == {'slide_0': 1.0}
    assert lines(notes) == []


def test_the_gripper_opens_both_jaws_alike():
    machine, notes = read_file(DESCRIPTIONS / 'gripper.sdf')
    swing = {'left_swing': 0.2, 'right_swing': 0.2}
    at = poses(machine, **swing, left_knuckle=-0.2, right_knuckle=0.2)
    assert at['left_jaw'].at * [1, -1, 1] == pytest.approx(at['right_jaw'].at)
    assert rotation_vector(at['left_jaw'].turn) == pytest.approx(np.zeros(3), abs=1e-12)
    assert at['left_jaw'].at == pytest.approx([0, 0.02 + 0.06 * np.sin(0.3),
                                               0.03 + 0.06 * np.cos(0.3)])
    assert poses(machine, spindle=2 * pi)['nut'].at == pytest.approx([0, 0, 0.102])
    wrench = machine.sensors['wrench']
    assert (wrench.kind, wrench.joint, dict(wrench.sigmas)) == ('force_torque', 'tool',
                                                                {'force': 0.1})
    assert (machine.joints['left_swing'].stiffness, machine.joints['left_swing'].rest) == (0.5, 0.1)
    assert machine.drives['left_swing_position'].topic == '/gripper/command'
    assert lines(notes) == []


def test_a_loop_moves_as_its_mimics_do():
    """The hinge that closes the loop takes the coordinates of the relations, and stays closed."""
    loop, _ = read_file(DESCRIPTIONS / 'parallelogram_loop.sdf')
    mimic, _ = read_file(DESCRIPTIONS / 'parallelogram_mimic.sdf')
    for swing in (-0.4, 0.1, 0.7):
        values = {'left_swing': swing, 'right_swing': swing, 'left_hinge': -swing}
        assert np.linalg.norm(gaps(loop, **values)['right_hinge'].at) < 1e-12
        first, second = poses(loop, **values)['tray'], poses(mimic, **values)['tray']
        assert first.at == pytest.approx(second.at)
        for relation in mimic.relations.values():
            assert sum(factor * values[name] for name, factor in relation.terms.items()) == (
                pytest.approx(relation.total))
