"""Bodies without mass in MuJoCo: crosses, bars and thin rods move as if they weighed nothing."""

import numpy as np
import pytest

from mb_model import Mechanism
from mb_simulation.prototypes import make_prototype

ROD = {'mass': 0.4, 'centre_of_gravity': [0, 0, -0.3], 'inertia': [0.012, 0.012, 0.0]}
HEAVY = {'mass': 2.0, 'centre_of_gravity': [0.05, 0, -0.3], 'inertia': [0.02, 0.03, 0.01]}
NOTHING = {'mass': 0.0, 'centre_of_gravity': [0, 0, 0], 'inertia': [0.0, 0.0, 0.0]}
NO_MASS = {'mass': 0.0, 'centre_of_gravity': [0, 0], 'inertia': 0.0}        # in the plane
START = {'a': 0.4, 'b': -0.3}


def hinge(bodies, axis, first=(0, 0, 0), second=(0, 0, 0)):
    """Return the entry of a hinge."""
    return {'kind': 'revolute', 'bodies': bodies, 'axis': axis, 'at': [list(first), list(second)]}


def in_space(bodies, joints, free, **keys):
    """Return a machine in space whose hinges all have a coordinate."""
    return Mechanism({
        'name': 'hung', 'dimension': 3, 'gravity': [0, 0, -9.81], 'bodies': bodies,
        'joints': joints, 'coordinates': {name: {'kind': 'angle', 'joint': name} for name, one in
                                          joints.items() if one['kind'] == 'revolute'},
        'independent': list(free), 'start': {name: START.get(name, 0.0) for name in free}} | keys,
        'hung.yaml')


def moved(engine, mechanism, duration, step=5e-4, torques=None):
    """Return the prototype of an engine after a duration."""
    prototype = make_prototype(engine, mechanism, 1e-2, step)
    if torques is not None:
        prototype.set_drive_torques(np.array(torques))
    for _ in range(round(duration / 1e-2)):
        prototype.advance()
    return prototype


def test_a_cross_without_mass_is_a_universal_joint():
    """Two hinges on a massless cross turn a body as MuJoCo's two hinges of one body do."""
    crossed = in_space({'cross': NOTHING, 'body': HEAVY}, {
        'a': hinge(['ground', 'cross'], [1, 0, 0]), 'b': hinge(['cross', 'body'], [0, 1, 0])}, 'ab')
    universal = {'kind': 'universal', 'bodies': ['ground', 'body'], 'at': [[0, 0, 0], [0, 0, 0]],
                 'axes': [[1, 0, 0], [0, 1, 0]], 'references': [[0, 1, 0], [1, 0, 0]]}
    whole = Mechanism(dict(crossed.raw) | {
        'bodies': {'body': HEAVY}, 'joints': {'u': universal},
        'coordinates': {name: {'kind': 'angle', 'joint': 'u', 'of': part} for name, part in (
            ('a', 'first'), ('b', 'second'))}, 'start': {'a': 0.4, 'b': 0.3}}, 'hung.yaml')
    first, second = (moved('mujoco', machine, 1.0) for machine in (crossed, whole))
    np.testing.assert_allclose(first.state.z, [1.0, -1.0] * second.state.z, atol=2e-5)
    assert np.abs(first.state.z - crossed.z0).max() > 0.2
    assert sum(first.energy) == pytest.approx(sum(second.energy), abs=1e-4)


def rod_on_crosses():
    """Return a heavy arm and a lever that a thin rod with three hinges at each end couples."""
    joints = {'a': hinge(['ground', 'arm'], [0, 1, 0]),
              'lever': hinge(['ground', 'lever'], [0, 1, 0], (0.3, 0.0, 0.0))}
    for end, (body, at, on_rod) in {'top': ('arm', (0, 0, -0.2), (0, 0, 0)),
                                    'low': ('lever', (0, 0.1, -0.25), (0.3, 0.1, -0.05))}.items():
        bodies = [body, f'{end}_1', f'{end}_2', 'rod']
        for k, axis in enumerate(([1, 0, 0], [0, 1, 0], [0, 0, 1])):
            joints[f'{end}{k}'] = hinge(bodies[k:k + 2], axis, at if k == 0 else (0, 0, 0),
                                        on_rod if k == 2 else (0, 0, 0))
    rod = {'mass': 0.1, 'centre_of_gravity': [0.15, 0.05, -0.025],
           'inertia': [2e-4, 9e-4, 8e-4]}
    return in_space({'arm': HEAVY, 'lever': ROD, 'rod': rod, **{
        f'{end}_{k}': NOTHING for end in ('top', 'low') for k in (1, 2)}}, joints, ['a', 'top2'])


def test_crosses_that_close_a_loop_move_as_the_model_has_them():
    machine = rod_on_crosses()
    both = [moved(engine, machine, 0.3, 2e-4) for engine in ('mujoco', 'multibody')]
    first, second = (prototype.state for prototype in both)
    np.testing.assert_allclose(first.q, second.q, atol=2e-4)
    assert np.abs(second.z - machine.z0).max() > 0.2
    assert both[0].loop_residual < 1e-6
    before = make_prototype('mujoco', machine, 1e-2, 2e-4).energy
    assert sum(both[0].energy) == pytest.approx(sum(before), abs=1e-5)


def test_a_thin_rod_needs_no_moment_about_its_line():
    """A rod that hangs on a hinge: period of a compound pendulum, 2 pi sqrt(J / m g l)."""
    rod = in_space({'rod': ROD}, {'a': hinge(['ground', 'rod'], [0, 1, 0])}, 'a', start={'a': 0.01})
    period = 2.0 * np.pi * np.sqrt((0.012 + 0.4 * 0.09) / (0.4 * 9.81 * 0.3))
    prototype = make_prototype('mujoco', rod, period / 4.0, 1e-3)
    prototype.advance()
    assert prototype.state.z[0] == pytest.approx(0.0, abs=1e-6)
    tip = {'kind': 'weld', 'bodies': ['rod', 'tip'], 'at': [[0, 0, -0.6], [0, 0, 0]]}
    longer = rod.replace(bodies={'tip': ROD | {'mass': 0.0, 'inertia': [0.0, 0.0, 0.0]}},
                         joints={'tip': tip})
    state = make_prototype('mujoco', longer, 1e-2, 1e-3).state
    assert state.zdd == pytest.approx(make_prototype('mujoco', rod, 1e-2, 1e-3).state.zdd, rel=1e-5)


def palletiser():
    """Return an arm in the plane whose elbow massless bars turn from its base."""
    first, second = np.radians([30.0, -20.0])
    elbow, along = np.array([np.cos(first), np.sin(first)]), np.array(
        [np.cos(second), np.sin(second)])
    return Mechanism({
        'name': 'palletiser', 'gravity': [0, -9.81],
        'points': {'O': {'fixed': [0, 0]}} | {
            name: {'start': list(map(float, at))} for name, at in (
                ('E', elbow), ('T', elbow + along), ('C', -0.2 * along),
                ('D', elbow - 0.2 * along))},
        'bodies': {
            'upper': {'points': ['O', 'E'], 'length': 1.0, 'mass': 2.0},
            'fore': {'points': {'E': [0, 0], 'T': [1, 0], 'D': [-0.2, 0]}, 'mass': 1.0,
                     'inertia': 1.0 / 12.0, 'centre_of_gravity': [0.5, 0]},
            'crank': {'points': ['O', 'C'], 'length': 0.2, **NO_MASS},
            'bar': {'points': ['C', 'D'], 'length': 1.0, **NO_MASS}},
        'coordinates': {'upper': {'kind': 'angle', 'body': 'upper'},
                        'motor': {'kind': 'angle', 'body': 'crank'}},
        'independent': ['upper', 'motor'],
        'drives': ['upper', 'motor'],
        'start': {'upper': first, 'motor': second + np.pi}}, 'palletiser.yaml')


def test_bars_without_mass_carry_torque():
    """An elbow that massless bars turn from the base: torques that hold both links, by hand."""
    torques = 9.81 * np.cos(np.radians([30.0, -20.0])) * [2.0 * 0.5 + 1.0, 0.5]
    assert torques == pytest.approx([16.9914, 4.6092], abs=1e-4)
    held, falling = (moved('mujoco', palletiser(), 0.1, torques=given)
                     for given in (torques, None))
    assert np.abs(held.state.zd).max() < 1e-3
    model = moved('multibody', palletiser(), 0.1)
    np.testing.assert_allclose(falling.state.z, model.state.z, atol=1e-4)
    np.testing.assert_allclose(falling.state.zd, model.state.zd, atol=1e-3)


def test_a_tool_that_turns_against_a_wrist_without_mass():
    """Both follow other joints about one axis: nothing but these relations holds the wrist."""
    reach = {'upper': ('a', (0, 0, 0)), 'fore': ('b', (0.4, 0, 0)),
             'wrist': ('level_a', (0.3, 0, 0)), 'tool': ('level_b', (0, 0, 0))}
    bodies = ['ground', *reach]
    joints = {name: hinge(bodies[k:k + 2], [0, 1, 0], at)
              for k, (name, at) in enumerate(reach.values())}
    arm = HEAVY | {'centre_of_gravity': [0.2, 0, 0.05]}
    machine = in_space(
        {'upper': arm, 'fore': arm, 'wrist': NOTHING, 'tool': arm}, joints, 'ab', constraints={
            f'level_{name}': {'kind': 'linear', 'terms': {name: 1.0, f'level_{name}': 1.0}}
            for name in 'ab'})
    both = [moved(engine, machine, 0.3) for engine in ('mujoco', 'multibody')]
    first, second = (prototype.state for prototype in both)
    np.testing.assert_allclose(first.q, second.q, atol=2e-5)
    assert both[0].loop_residual < 1e-6
    assert first.q[machine.coordinates.index('level_b')] == pytest.approx(-first.z[1], abs=1e-6)
