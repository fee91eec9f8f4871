"""Redundant constraints, and independent coordinates that a file does not name."""

import numpy as np
from planar_machines import planar_names
import pytest

from mb_model import AssemblyError, MechanismError, load_mechanism, simulate
from mb_model.mechanism import Mechanism

# A parallelogram, its level bar held in the middle by a third bar, which is redundant.
HELD = {
    'name': 'held', 'parameters': {'crank': 1.0, 'tilt': 'pi / 3'},
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [2.0, 0.0]}, 'C': {'fixed': [1.0, 0.0]},
               'P': {'start': [0.4, 0.9]}, 'Q': {'start': [2.6, 0.8]}, 'M': {'start': [1.5, 0.9]}},
    'bodies': {
        'left': {'points': ['A', 'P'], 'length': 1.0, 'mass': 1.0},
        'bar': {'points': {'P': [0.0, 0.0], 'Q': [2.0, 0.0], 'M': [1.0, 0.0]}, 'mass': 3.0,
                'centre_of_gravity': [0.8, 0.1], 'inertia': 0.9},
        'right': {'points': ['B', 'Q'], 'length': 1.0, 'mass': 2.0},
        'middle': {'points': ['C', 'M'], 'length': 1.0, 'mass': 0.7}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'left'}},
    'independent': ['theta'], 'start': {'theta': 'tilt'}, 'start_velocity': {'theta': 1.0}}


def with_middle(foot, length):
    """Return HELD with another third bar."""
    starts = {name: {'start': [f'{x} + cos(tilt)', 'sin(tilt)']} for name, x in zip('PMQ', '012',
                                                                                   strict=True)}
    return HELD | {'points': HELD['points'] | starts | {'C': {'fixed': foot}},
                   'bodies': HELD['bodies'] | {'middle': HELD['bodies']['middle'] | {
                       'length': length}}}


@pytest.mark.parametrize(('formulation', 'integrator'), [
    ('matrix_r', 'rk4'), ('index3_al', 'trapezoidal'), ('lagrange', 'rk4'),
    ('semi_recursive', 'rk4')])
def test_a_redundant_bar_changes_nothing_but_the_mass(formulation, integrator):
    """The middle bar turns like the left one, so its mass may as well be there.

    0.6 s end before the bars are level, where the way goes on in two directions.
    """
    held = Mechanism(HELD, 'held.yaml')
    free = held.replace(points={'C': None}, bodies={'middle': None, 'left': {'mass': 1.7}})
    assert (held.redundant, free.redundant) == (('bodies.middle between C and M',), ())
    assert (held.n, held.m, held.g) == (7, 6, 1)
    one, other = (simulate(mechanism, 0.6, 1e-3, formulation, integrator)
                  for mechanism in (held, free))
    np.testing.assert_allclose(one.q, other.q, atol=1e-9)
    np.testing.assert_allclose(one.qdd, other.qdd, atol=1e-8)
    assert max(held.closing_error(q) for q in one.q[::100]) < 1e-9


def test_large_mechanisms_are_decided_alike():
    """Freed of what the file names, with a bar too many; stored dense and sparse."""
    free = {'parameters': {'loops': 5}, 'independent': None, 'start': None, 'bodies': {
        'again': {'points': ['B2', 'B3'], 'length': 1.0, 'mass': 0.5}}}
    dense, sparse = (load_mechanism('rod_array', storage).replace(**free)
                     for storage in ('dense', 'sparse'))
    assert dense.independent == sparse.independent == ('theta',)
    assert dense.redundant == sparse.redundant == ('bodies.again between B2 and B3',)
    np.testing.assert_allclose(sparse.q0, dense.q0, atol=1e-12)
    np.testing.assert_allclose(*(mechanism.forward_dynamics([-0.7], [1.0])
                                 for mechanism in (dense, sparse)), rtol=1e-11)


def test_a_guide_named_twice_is_needed_once():
    once = load_mechanism('slider_crank')
    twice = once.replace(constraints={'again': {'kind': 'slider', 'point': 'P3',
                                                'along': ['E', 'A']}})
    assert twice.redundant == ('constraints.again',)
    np.testing.assert_allclose(twice.q0, once.q0, atol=1e-12)
    np.testing.assert_allclose(twice.forward_dynamics([0.3], [2.0]),
                               once.forward_dynamics([0.3], [2.0]), rtol=1e-10)


@pytest.mark.parametrize(('raw', 'message'), [
    (with_middle([1.0, 0.0], 1.2), 'cannot be assembled: at its nearest to closing, bodies.'),
    # Shorter but parallel: the same velocities in the start position, and nowhere else.
    (with_middle(['1 + 0.4 * cos(tilt)', '0.4 * sin(tilt)'], 0.6),
     'it was left out as redundant, which it is in the start position only'),
    (with_middle([1.0, 0.2], 'hypot(cos(tilt), sin(tilt) - 0.2)'),
     'the mechanism cannot move (7 coordinates - 7 constraints leave no degree of freedom)'),
    (HELD | {'independent': ['theta', 'P.x']},
     "independent: ['theta', 'P.x'] must be 1 name (7 coordinates - 7 constraints, 1 of them r")])
def test_what_is_not_redundant_is_reported(raw, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(raw, 'held.yaml')
    assert str(caught.value).startswith('held.yaml: ')
    assert message in str(caught.value)


def test_a_level_start_has_more_degrees_of_freedom_for_an_instant():
    with pytest.raises(MechanismError, match=r'must be 3 names \(7 .* 2 of them redundant in the'):
        load_mechanism('n_four_bar').replace(
            start={'theta': 0.0}, points={f'B{k}': {'start': [k + 1.0, 0.0]} for k in range(3)})


def test_coordinates_that_cannot_decide_are_reported_with_those_that_can(four_bar):
    """At its highest point, x of the crank's pin decides nothing."""
    with pytest.raises(MechanismError, match=r'independent: P1.y cannot decide the motion .*theta'):
        four_bar.replace(independent=['P1.y'], start=None,
                         points={'P1': {'start': [0.0, 2.0]}, 'P2': {'start': [7.9, 4.5]}})


@pytest.mark.parametrize('name', planar_names())
def test_the_choice_of_independent_coordinates_does_not_change_the_motion(name):
    """The same accelerations of all coordinates, whichever coordinates are independent."""
    named = load_mechanism(name)
    places = dict(zip(named.coordinates, named.q0.tolist(), strict=True))
    held = {point for body in named.bodies.values() for point in body.points}
    points = {name: {'fixed': point.position} if point.fixed else {
        'start': (places[f'{name}.x'], places[f'{name}.y'])}
        for name, point in named.points.items() if name in held}
    chosen = named.replace(independent=None, start=None, start_velocity=None, points=points)
    assert (chosen.g, chosen.chosen, named.chosen) == (named.g, True, False)
    assert chosen.singularity(chosen.q0) > 0.3 * named.singularity(named.q0)
    turns = (chosen.q0 - named.q0) / (2 * np.pi)
    np.testing.assert_allclose(turns - np.round(turns), 0.0, atol=1e-8)
    z = [list(named.coordinates).index(name) for name in chosen.independent]
    zd = np.linspace(0.5, -0.7, named.g)
    qd = named.velocity(named.q0, zd)
    qdd = named.acceleration(named.q0, qd, named.forward_dynamics(named.z0, zd))
    np.testing.assert_allclose(
        chosen.forward_dynamics(chosen.z0, qd[z]), qdd[z], rtol=1e-6,
        atol=1e-6 * np.abs(qdd).max())


def test_coordinates_with_a_start_are_chosen(five_bar):
    free = five_bar.replace(independent=None, start={'theta1': None, 'theta2': 3.0},
                            start_velocity={'P1.y': 0.2})
    assert free.independent == ('P1.y', 'theta2')
    assert free.z0[1] == pytest.approx(3.0)
    np.testing.assert_allclose(free.zd0, [0.2, 0.0])
    with pytest.raises(MechanismError, match=r'start.P1.y: not an independent coordinate, those '):
        five_bar.replace(independent=None, start={'P1.y': 0.1})


def test_what_is_prescribed_is_not_chosen(five_bar):
    """One crank driven leaves the other; both driven leave nothing."""
    def driven(*names):
        return five_bar.replace(
            independent=None, start={'theta1': None, 'theta2': None},
            constraints={f'drive_{name}': {'kind': 'prescribed', 'coordinate': name,
                                           'motion': f'{five_bar.q0[k]} + 0.3 * t'}
                         for k, name in enumerate(five_bar.coordinates) if name in names})

    assert driven('theta1').independent == ('theta2',)
    both = driven('theta1', 'theta2')
    assert (both.g, both.redundant) == (0, ())
    np.testing.assert_allclose(both.q0, five_bar.q0, atol=1e-9)


def test_angles_are_chosen_before_points(four_bar):
    free = four_bar.replace(independent=None, start=None)
    assert free.independent == ('theta',)
    np.testing.assert_allclose(free.q0[:4], [1.0, 1.732, 8.4, 4.7], atol=0.05)


@pytest.mark.parametrize(('rocker_end', 'above'), [([8.4, 4.0], True), ([8.0, -5.0], False)])
def test_the_starts_of_points_choose_the_branch(four_bar, rocker_end, above):
    free = four_bar.replace(independent=None, start=None, points={'P2': {'start': rocker_end}})
    across = np.cross(np.r_[10.0, 0.0, 0.0] - np.r_[free.q0[:2], 0.0],
                      np.r_[free.q0[2:4], 0.0] - np.r_[free.q0[:2], 0.0])[2]
    assert (across > 0.0) == above


def test_starts_between_two_branches_are_reported(four_bar):
    with pytest.raises(AssemblyError, match='the starts do not say how to assemble at'):
        four_bar.replace(independent=None, start=None, points={
            'P1': {'start': [1.0, 1.7320508]}, 'P2': {'start': [10.0, 0.0]}})


def test_a_mechanism_out_of_reach_is_reported_though_nothing_is_named(four_bar):
    with pytest.raises(AssemblyError, match='cannot be assembled: at its nearest to closing, '):
        four_bar.replace(independent=None, start=None, bodies={'rocker': {'length': 0.1},
                                                               'coupler': {'length': 1.0}})


@pytest.mark.parametrize('length', [1.0001, 1.001, 1.01])
def test_a_constraint_that_only_rounding_keeps_from_being_redundant_is_named(length):
    with pytest.raises(AssemblyError) as caught:
        Mechanism(with_middle([1.0, 0.0], length), 'held.yaml')
    assert ('m off; bodies.middle between C and M nearly follows from the other constraints: if '
            'numbers are rounded, write expressions, such as') in str(caught.value)
    assert Mechanism(with_middle([1.0, 0.0], 1.0), 'held.yaml').redundant == (
        'bodies.middle between C and M',)


@pytest.mark.parametrize('tilt', [1e-6, 1e-7, 1e-8])
def test_where_nothing_decides_the_motion_nothing_is_said_to(tilt):
    """A parallelogram with its bars in line, nearly: it may go on in two ways from there."""
    flat = with_middle([1.0, 0.0], 1.0) | {'parameters': {'crank': 1.0, 'tilt': tilt}}
    with pytest.raises(MechanismError) as caught:
        Mechanism(flat, 'flat.yaml')
    assert str(caught.value).startswith(
        'flat.yaml: independent: theta cannot decide the motion in the start position, nor can '
        'others: it is a change point; there, bodies.right between B and Q nearly follows from the '
        'other constraints')


HINGES = {'a': (['ground', 'left<i>'], [0, 0, 0], [0, 0, 0]),
          'b': (['ground', 'right<i>'], [0.6, 0, 0], [0, 0, 0]),
          'c': (['left<i>', 'seat<i>'], [0, 0, -1], [0, 0, 0]),
          'd': (['right<i>', 'seat<i>'], [0, 0, -1], [0.6, 0, 0])}
BAR = {'mass': 1.0, 'centre_of_gravity': [0, 0, -0.5], 'inertia': [0.1, 0.1, 0.01]}
TIES = {'count': 'swings - 1', 'constraints': {
    'tie<i>': {'kind': 'linear', 'terms': {'phi<i>': 1.0, 'phi<i+1>': -1.0}}}}
FREQUENCY = 29.43 / 2.7       # of one swing, squared, at small angles: both have this closed form


def in_space(swings):
    """Return the raw file of so many swings in space."""
    return {
        'name': 'swings', 'dimension': 3, 'parameters': {'swings': swings}, 'repeat': {
            'swing': {'count': 'swings', 'bodies': {
                'left<i>': BAR | {'pose': {'at': [0, 0, 0]}},
                'right<i>': BAR | {'pose': {'at': [0.6, 0, 0]}},
                'seat<i>': {'mass': 2.0, 'centre_of_gravity': [0.3, 0, 0],
                            'inertia': [0.02, 0.1, 0.1], 'pose': {'at': [0, 0, -1.0]}}},
                'joints': {f'{name}<i>': {'kind': 'revolute', 'bodies': bodies, 'at': [one, other],
                                          'axis': [0, 1, 0]}
                           for name, (bodies, one, other) in HINGES.items()},
                'coordinates': {'phi<i>': {'kind': 'angle', 'joint': 'a<i>'}}},
            'ties': TIES}}


def in_plane(swings):
    """Return the same in the plane, each seat on a third bar without mass."""
    bar = {'mass': 1.0, 'length': 1.0, 'centre_of_gravity': [0.5, 0.0], 'inertia': 0.1}
    return {
        'name': 'swings', 'parameters': {'swings': swings},
        'points': {'A': {'fixed': [0, 0]}, 'B': {'fixed': [0.6, 0]}, 'M': {'fixed': [0.3, 0]}},
        'repeat': {
            'swing': {'count': 'swings', 'points': {
                'C<i>': {'start': [0, -1]}, 'D<i>': {'start': [0.6, -1]},
                'N<i>': {'start': [0.3, -1]}}, 'bodies': {
                'left<i>': bar | {'points': ['A', 'C<i>']},
                'right<i>': bar | {'points': ['B', 'D<i>']},
                'middle<i>': bar | {'points': ['M', 'N<i>'], 'mass': 0.0, 'inertia': 0.0},
                'seat<i>': {'points': {'C<i>': [0, 0], 'D<i>': [0.6, 0], 'N<i>': [0.3, 0]},
                            'mass': 2.0, 'centre_of_gravity': [0.3, 0], 'inertia': 0.1}},
                'coordinates': {'phi<i>': {'kind': 'angle', 'body': 'left<i>'}}},
            'ties': TIES}}


@pytest.mark.parametrize(('make', 'swings', 'storage'), [
    (in_space, 5, 'dense'), (in_space, 5, 'sparse'), (in_space, 14, 'sparse'),
    (in_space, 20, None), (in_plane, 3, 'dense'), (in_plane, 12, 'dense'),
    (in_plane, 12, 'sparse'), (in_plane, 40, None)])
def test_they_move_as_one(make, swings, storage):
    mechanism = Mechanism(make(swings), 'swings.yaml', storage)
    assert mechanism.g == 1
    assert len(mechanism.redundant) == swings
    rows, coordinates = mechanism.m + swings, int(mechanism.model['n_total'][0])
    assert (rows > coordinates) == (swings >= 12)
    z = mechanism.z0 + 0.3
    q = mechanism.assemble(z)
    assert mechanism.closing_error(q) < 1e-9
    assert mechanism.forward_dynamics(z, [0.0]) == pytest.approx(-FREQUENCY * np.sin(0.3), rel=1e-9)
    mechanism.require_closed(q)
    equations, jacobian = mechanism.all_constraints(q)
    assert jacobian.shape == (rows, mechanism.n)
    assert sum(equation.rows for equation in equations) == rows
    assert np.linalg.matrix_rank(jacobian) == mechanism.n - 1


def test_they_swing():
    mechanism = Mechanism(in_space(14), 'swings.yaml', 'sparse').replace(start={'phi0': 1e-3})
    run = simulate(mechanism, 0.2, 1e-3)
    np.testing.assert_allclose(run.z[:, 0], 1e-3 * np.cos(np.sqrt(FREQUENCY) * run.t), atol=1e-8)
    found = mechanism.reactions(mechanism.z0, [0.0])
    held = sum(found.joints[f'{name}{k}'].axes @ found.joints[f'{name}{k}'].force
               for k in range(14) for name in 'ab')
    assert held[2] == pytest.approx(14 * 4 * 9.81, rel=1e-4)
    assert not found.joints['a0'].determined
