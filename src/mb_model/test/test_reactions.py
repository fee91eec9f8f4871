"""Inverse dynamics and reactions by every formulation, against Newton and Euler body by body."""

import numpy as np
from planar_machines import MANY_KINDS, THREE_POINT, THREE_RODS
import pytest

from mb_model import load_mechanism, make_stepper
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism

# Shares of the largest force: the penalty method yields by the mass against the penalty.
TOLERANCE = {'penalty': 1e-4, 'index3_al': 1e-8} | dict.fromkeys(
    ('matrix_r', 'coordinate_partitioning', 'lagrange', 'closed_form', 'semi_recursive'), 1e-10)

# A block between two points of a swinging arm: a prismatic joint on a body.
TELESCOPE = {
    'name': 'telescope', 'gravity': [0.5, -9.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [2.0, 0.0]}, 'C': {'start': [0.5, 0.0]},
               'D': {'start': [1.0, 0.0]}, 'E': {'start': [1.0, 1.0]}},
    'bodies': {'arm': {'points': ['A', 'B'], 'length': 2.0, 'mass': 1.0},
               'block': {'points': {'C': [0.0, 0.0], 'D': [0.5, 0.0]}, 'mass': 2.0,
                         'centre_of_gravity': [0.2, 0.3], 'inertia': 0.1},
               'rod': {'points': ['D', 'E'], 'length': 1.0, 'mass': 0.7}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'arm'},
                    's': {'kind': 'slider', 'point': 'C', 'along': ['A', 'B']},
                    'turn': {'kind': 'relative_angle', 'bodies': ['block', 'rod']}},
    'constraints': {'near': {'kind': 'slider', 'point': 'C', 'along': ['A', 'B']},
                    'far': {'kind': 'slider', 'point': 'D', 'along': ['A', 'B']}},
    'forces': {'spring': {'kind': 'spring_damper', 'coordinate': 's', 'stiffness': 40.0,
                          'rest': 0.4, 'damping': 2.0}},
    'independent': ['theta', 's', 'turn'],
}
RAWS = {'many_kinds': MANY_KINDS, 'three_point': THREE_POINT, 'three_rods': THREE_RODS,
        'telescope': TELESCOPE}
NAMES = ('four_bar', 'slider_crank', 'inverted_slider_crank', 'four_bar_spring_damper',
         'andrews_squeezer', 'peaucellier', *RAWS)


@pytest.fixture(params=NAMES, scope='module')
def case(request):
    """A mechanism, a state of it (z, zd) and forces on z."""
    name = request.param
    mechanism = Mechanism(RAWS[name], name) if name in RAWS else load_mechanism(name)
    rng = np.random.default_rng(7)
    g = mechanism.g
    return (mechanism, mechanism.z0 + 0.02 * rng.normal(size=g), rng.normal(size=g),
            0.1 * mechanism.gravity[1] * rng.normal(size=g))


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_inverse_dynamics_gives_the_forces_back(case, formulation):
    mechanism, z, zd, forces = case
    zdd = mechanism.forward_dynamics(z, zd, forces)
    found = mechanism.inverse_dynamics(z, zd, zdd, formulation=formulation)
    reactions = mechanism.reactions(z, zd, forces)
    size = max(np.abs(force).max() for pins in reactions.forces.values()
               for force in pins.values())
    np.testing.assert_allclose(found, forces, atol=TOLERANCE[formulation] * max(size, 1.0))


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_reactions_balance_every_body_and_every_pin(case, formulation):
    mechanism, z, zd, forces = case
    stepper = make_stepper(mechanism, formulation)
    stepper.reset(z, zd)
    zdd = mechanism.forward_dynamics(z, zd, forces)
    stepper.forces[:] = forces
    reactions = stepper.reactions()
    qd = mechanism.velocity(stepper.q, zd)
    qdd = mechanism.acceleration(stepper.q, qd, zdd)
    size = max(np.abs(force).max() for pins in reactions.forces.values()
               for force in pins.values())
    tolerance = TOLERANCE[formulation] * size
    for name, body in mechanism.bodies.items():
        a, alpha, centre = rigid_body(mechanism, name, stepper.q, qd, qdd)
        force, moment = body.mass * (mechanism.gravity - a), -body.inertia * alpha
        for point, push in reactions.forces[name].items():
            arm = place(mechanism, point, stepper.q) - centre
            force, moment = force + push, moment + arm[0] * push[1] - arm[1] * push[0]
        for bodies in reactions.couplings.values():
            push, turn = bodies.get(name, (0.0, 0.0))
            force, moment = force + push, moment + turn
        np.testing.assert_allclose([*force, moment], 0.0, atol=tolerance, err_msg=name)
    for point in free_pins(mechanism):
        total = sum(pins[point] for pins in reactions.forces.values() if point in pins)
        np.testing.assert_allclose(total, 0.0, atol=tolerance, err_msg=point)


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_a_hanging_rod_pulls_with_its_weight_and_its_swing(formulation):
    """m g + m w^2 l / 2 along the rod, at its lowest place."""
    pendulum = load_mechanism('pendulum')
    force = pendulum.reactions([-np.pi / 2], [3.0], formulation=formulation).forces['rod']['A']
    np.testing.assert_allclose(force, [0.0, 9.81 + 9.0 / 2], atol=1e-4)


def rigid_body(mechanism, name, q, qd, qdd):
    """Return acceleration of the centre, turning acceleration, place of the centre."""
    body = mechanism.bodies[name]
    i, j = list(body.points)[:2]
    (ri, rj), (vi, vj), (ai, aj) = ((place(mechanism, i, x, still), place(mechanism, j, x, still))
                                    for x, still in ((q, False), (qd, True), (qdd, True)))
    u, v, a = rj - ri, vj - vi, aj - ai
    omega, alpha = (u[0] * v[1] - u[1] * v[0]) / (u @ u), (u[0] * a[1] - u[1] * a[0]) / (u @ u)
    along = u / np.hypot(*u)
    x, y = body.centre_of_gravity
    arm = x * along + y * np.array([-along[1], along[0]])
    return ai + alpha * np.array([-arm[1], arm[0]]) - omega ** 2 * arm, alpha, ri + arm


def place(mechanism, point, q, still=False):
    """Return the entries of a point in q, for a fixed one its place, or zero."""
    if mechanism.points[point].fixed:
        return np.zeros(2) if still else np.array(mechanism.points[point].position)
    k = mechanism.coordinates.index(f'{point}.x')
    return np.asarray(q)[k:k + 2]


def free_pins(mechanism):
    """Return the moving points on which nothing acts but bodies."""
    busy = {point for element in (*mechanism.described.coordinates.values(),
                                  *mechanism.described.constraints.values())
            for point in getattr(element, 'points', ())}
    return [name for name, point in mechanism.points.items()
            if not point.fixed and name not in busy]


def test_large_mechanisms_have_the_same_reactions():
    dense, sparse = (load_mechanism('five_bar', storage) for storage in ('dense', 'sparse'))
    z, zd, forces = dense.z0 + 0.1, [1.0, -2.0], [3.0, 4.0]
    expected, found = (mechanism.reactions(z, zd, forces) for mechanism in (dense, sparse))
    for body, pins in expected.forces.items():
        for point, push in pins.items():
            np.testing.assert_allclose(found.forces[body][point], push, atol=1e-9)
    zdd = dense.forward_dynamics(z, zd, forces)
    np.testing.assert_allclose(sparse.inverse_dynamics(z, zd, zdd), forces, atol=1e-9)


# A beam on three parallel rods, one more than it needs; a pendulum hangs on its end.
BEAM = {
    'name': 'beam',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [2.0, 0.0]}, 'M': {'fixed': [1.0, 0.0]},
               'C': {'start': [0.0, -1.0]}, 'D': {'start': [2.0, -1.0]},
               'N': {'start': [1.0, -1.0]}, 'E': {'start': [2.5, -1.0]},
               'F': {'start': [2.5, -1.5]}},
    'bodies': {'left': {'points': ['A', 'C'], 'length': 1.0, 'mass': 0.5},
               'right': {'points': ['B', 'D'], 'length': 1.0, 'mass': 0.5},
               'middle': {'points': ['M', 'N'], 'length': 1.0, 'mass': 0.5},
               'beam': {'points': {'C': [0.0, 0.0], 'D': [2.0, 0.0], 'N': [1.0, 0.0],
                                   'E': [2.5, 0.0]},
                        'mass': 10.0, 'centre_of_gravity': [1.0, 0.0], 'inertia': 3.0},
               'pendulum': {'points': ['E', 'F'], 'length': 0.5, 'mass': 1.0}},
    'coordinates': {'swing': {'kind': 'angle', 'body': 'left'},
                    'hang': {'kind': 'angle', 'body': 'pendulum'}},
    'independent': ['swing', 'hang']}
# A block with three points on one line: it needs two of the sliders.
BLOCK = {
    'name': 'block',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [5.0, 0.0]}, 'P': {'start': [1.0, 0.0]},
               'Q': {'start': [2.0, 0.0]}, 'R': {'start': [1.5, 0.0]}, 'T': {'start': [2.0, 1.0]}},
    'bodies': {'block': {'points': {'P': [0.0, 0.0], 'Q': [1.0, 0.0], 'R': [0.5, 0.0]},
                         'mass': 2.0, 'centre_of_gravity': [0.4, 0.3], 'inertia': 0.1},
               'rod': {'points': ['Q', 'T'], 'length': 1.0, 'mass': 0.7}},
    'coordinates': {'s': {'kind': 'slider', 'point': 'P', 'along': ['A', 'B']},
                    'turn': {'kind': 'angle', 'body': 'rod'}},
    'constraints': {name: {'kind': 'slider', 'point': name, 'along': ['A', 'B']}
                    for name in 'PQR'},
    'independent': ['s', 'turn']}


def marked(mechanism, formulation=None):
    """Return (body, point) -> (force, whether it is determined) in a motion."""
    found = mechanism.reactions(mechanism.z0 + 0.1, np.ones(mechanism.g), formulation=formulation)
    return {(body, point): (force, found.determined[body][point])
            for body, forces in found.forces.items() for point, force in forces.items()}


@pytest.mark.parametrize('formulation', [None, 'index3_al', 'semi_recursive'])
def test_what_a_spare_rod_shares_is_marked(formulation):
    found = marked(Mechanism(BEAM, 'beam.yaml'), formulation)
    known = {('beam', 'E'), ('pendulum', 'E'), ('pendulum', 'F')}
    assert {pin for pin, (_, determined) in found.items() if determined} == known


def test_what_is_determined_is_alike_in_all_formulations_and_what_is_not_differs():
    """Independent of the null space: two formulations share redundant forces in two ways."""
    mechanism = Mechanism(BEAM, 'beam.yaml')
    first, second = marked(mechanism), marked(mechanism, 'semi_recursive')
    for pin, (force, determined) in first.items():
        assert np.allclose(force, second[pin][0], atol=1e-6) == determined


def test_sums_of_what_is_not_determined_are_right():
    """It hangs at rest: all that the ground holds is its weight."""
    mechanism = Mechanism(BEAM, 'beam.yaml')
    found = mechanism.reactions(mechanism.z0, [0.0, 0.0])
    held = sum(found.forces[body][point] for body, point in (
        ('left', 'A'), ('right', 'B'), ('middle', 'M')))
    np.testing.assert_allclose(held, [0.0, 9.81 * 12.5], atol=1e-9)


def test_sliders_are_marked_as_pins_are():
    mechanism = Mechanism(BLOCK, 'block.yaml')
    assert len(mechanism.redundant) == 1
    found = mechanism.reactions(mechanism.z0, [0.0, 0.0])
    assert found.determined['rod'] == {'Q': True, 'T': True}
    assert not any(found.determined['block'][point] for point in 'PR')


@pytest.mark.parametrize('name', ['four_bar', 'andrews_squeezer', 'inverted_slider_crank'])
def test_without_redundant_constraints_all_is_determined(name):
    mechanism = load_mechanism(name)
    found = mechanism.reactions(mechanism.z0, mechanism.zd0)
    assert all(all(points.values()) for points in found.determined.values())
    assert found.couplings_determined.keys() >= found.couplings.keys()
    assert all(found.couplings_determined.values())
