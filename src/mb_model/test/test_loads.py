"""Forces between points and bodies, and loads on bodies: against geometry and other notations."""

from by_differences import slope
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, THREE_POINT
import pytest
from test_reactions import place, rigid_body

from mb_model import Load, MechanismError, load_mechanism, make_stepper, simulate
from mb_model.mechanism import Mechanism
from mb_model.simulation.energy import energy_balance

STRUT = {'kind': 'spring_damper', 'stiffness': 25.0, 'rest': 8.0, 'damping': 5.0}


@pytest.fixture(scope='module')
def linkage():
    """A coupler with a third point and a pendulum."""
    return Mechanism(THREE_POINT, 'three_point.yaml')


@pytest.mark.parametrize(('acts_on', 'coordinate', 'rest'), [
    ({'points': ['A', 'P2']}, {'kind': 'distance', 'points': ['A', 'P2']}, 8.0),
    ({'bodies': ['crank', 'coupler']},
     {'kind': 'relative_angle', 'bodies': ['crank', 'coupler']}, -0.5)])
@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r', 'lagrange'])
def test_an_element_is_that_on_the_coordinate_it_spans(acts_on, coordinate, rest, formulation):
    four_bar = load_mechanism('four_bar')
    forces = [STRUT | {'rest': rest},
              {'kind': 'friction', 'coulomb': 3.0, 'static': 4.0, 'transition_velocity': 0.1},
              {'kind': 'constant', 'force': -7.0}]
    without = four_bar.replace(forces={f'f{k}': force | acts_on for k, force in enumerate(forces)})
    spanned = four_bar.replace(coordinates={'s': coordinate}, forces={
        f'f{k}': force | {'coordinate': 's'} for k, force in enumerate(forces)})
    run, expected = (simulate(mechanism, 0.5, 1e-3, formulation)
                     for mechanism in (without, spanned))
    np.testing.assert_allclose(run.z, expected.z, atol=2e-9)
    np.testing.assert_allclose(run.zd, expected.zd, atol=2e-7)
    assert without.energy([1.2], [0.3]) == pytest.approx(spanned.energy([1.2], [0.3]), rel=1e-12)


def place_and_turn(mechanism, q, body, at):
    """Return [x, y, angle] of a place of a body."""
    first, second = list(mechanism.bodies[body].points)[:2]
    value = dict(zip(mechanism.coordinates, q, strict=True))
    ends = [np.array(point.position) if point.fixed
            else np.array([value[f'{name}.x'], value[f'{name}.y']])
            for name, point in mechanism.points.items() if name in (first, second)]
    if list(mechanism.points).index(first) > list(mechanism.points).index(second):
        ends.reverse()
    way = ends[1] - ends[0]
    angle = np.arctan2(way[1], way[0])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.append(ends[0] + turn @ at, angle)


@pytest.mark.parametrize('body', ['crank', 'coupler', 'rocker', 'pendulum'])
def test_contact_jacobian_is_the_derivative_of_place_and_angle(linkage, body):
    z, at, h = linkage.z0 + 0.1, np.array([0.4, -0.3]), 1e-4
    q = linkage.assemble(z)
    jacobian = linkage.contact_jacobian(q, body, at, reduced=True)
    for k, unit in enumerate(np.eye(2)):
        expected = slope(lambda d, unit=unit: place_and_turn(
            linkage, linkage.assemble(z + d * unit), body, at), h)
        np.testing.assert_allclose(jacobian[:, k], expected, atol=1e-9)
    zd = np.array([0.7, -1.1])
    np.testing.assert_allclose(linkage.contact_jacobian(q, body, at) @ linkage.velocity(q, zd),
                               jacobian @ zd, atol=1e-12)


@pytest.mark.parametrize('axes', ['global', 'body'])
def test_a_load_does_the_work_of_its_force_and_moment(linkage, axes):
    """From the file, from outside, and by its contact Jacobian on the degrees of freedom."""
    z, zd, at, force, moment = linkage.z0, np.array([0.7, -1.1]), [1.2, 0.7], [30.0, -20.0], 8.0
    q = linkage.assemble(z)
    angle = place_and_turn(linkage, q, 'coupler', [0, 0])[2] if axes == 'body' else 0.0
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    on_z = linkage.contact_jacobian(q, 'coupler', 'C', reduced=True).T @ [*(turn @ force), moment]
    expected = linkage.forward_dynamics(z, zd, on_z)
    in_file = linkage.replace(forces={'push': {
        'kind': 'load', 'body': 'coupler', 'at': 'C', 'force': force, 'moment': moment,
        'axes': axes}})
    np.testing.assert_allclose(in_file.forward_dynamics(z, zd), expected, rtol=1e-12)
    load = Load('coupler', at, tuple(force), moment, turning=axes == 'body')
    np.testing.assert_allclose(linkage.forward_dynamics(z, zd, loads=[load]), expected, rtol=1e-12)
    A, B = linkage.linearise(z, zd, loads=[load])
    for mine, of_file in zip((A, B), in_file.linearise(z, zd), strict=True):
        np.testing.assert_allclose(mine, of_file, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r', 'coordinate_partitioning',
                                         'penalty', 'lagrange'])
def test_loads_and_forces_on_coordinates_reach_every_formulation(linkage, formulation):
    """They act from the step on before which they were given, and until they are taken back."""
    integrator = 'trapezoidal' if formulation == 'index3_al' else 'rk4'
    forces = {'push': {'kind': 'load', 'body': 'pendulum', 'force': [0.0, 9.0], 'at': 'D'},
              'pull': {'kind': 'constant', 'coordinate': 'C.x', 'force': -4.0}}
    expected = make_stepper(linkage.replace(forces=forces), formulation, integrator)
    stepper = make_stepper(linkage, formulation, integrator)
    stepper.apply_loads([Load('pendulum', 'D', (0.0, 9.0))])
    stepper.coordinate_forces[linkage.coordinates.index('C.x')] = -4.0
    stepper.refresh()
    for _ in range(20):
        stepper.step(1e-3)
        expected.step(1e-3)
    np.testing.assert_allclose(stepper.q, expected.q, atol=1e-12)
    np.testing.assert_allclose(stepper.qd, expected.qd, atol=1e-10)
    stepper.apply_loads(())
    stepper.coordinate_forces[:] = 0.0
    before = stepper.zd.copy()
    stepper.step(1e-5)
    expected = linkage.forward_dynamics(stepper.z, stepper.zd, near=stepper.q)
    if formulation != 'index3_al':      # it takes the mean of the accelerations with and without
        np.testing.assert_allclose((stepper.zd - before) / 1e-5, expected, rtol=1e-3)


@pytest.mark.parametrize('formulation', ['matrix_r', 'lagrange', 'index3_al', 'semi_recursive'])
def test_reactions_balance_bodies_that_are_loaded(linkage, formulation):
    """Pins, weight, loads and torsional springs give each body its acceleration."""
    mechanism = linkage.replace(forces={
        'push': {'kind': 'load', 'body': 'coupler', 'at': [1.5, -0.2], 'force': [30.0, -20.0],
                 'moment': 5.0},
        'strut': {'kind': 'spring_damper', 'points': ['A', 'C'], 'stiffness': 40.0, 'rest': 1.0},
        'coil': {'kind': 'spring_damper', 'bodies': ['coupler', 'pendulum'], 'stiffness': 15.0}})
    z, zd = mechanism.z0, np.array([0.7, -1.1])
    outside = Load('pendulum', 'D', (4.0, 2.0), -1.0)
    reactions = mechanism.reactions(z, zd, formulation=formulation, loads=[outside])
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    qdd = mechanism.acceleration(q, qd, mechanism.forward_dynamics(z, zd, loads=[outside]))
    angle = {name: place_and_turn(mechanism, q, name, [0, 0])[2] for name in mechanism.bodies}
    coil = 15.0 * (angle['pendulum'] - angle['coupler'])
    applied = {'coupler': [([30.0, -20.0], place_and_turn(mechanism, q, 'coupler', [1.5, -0.2]),
                            5.0 + coil)],
               'pendulum': [([4.0, 2.0], place_and_turn(mechanism, q, 'pendulum', [0.9, 0.0]),
                             -1.0 - coil)]}
    for name, body in mechanism.bodies.items():
        acceleration, turning, centre = rigid_body(mechanism, name, q, qd, qdd)
        pushes = [(force, place(mechanism, point, q), 0.0)
                  for point, force in reactions.forces[name].items()]
        pushes += [(force, at[:2], moment) for force, at, moment in applied.get(name, [])]
        force = sum(np.array(push) for push, _, _ in pushes) + body.mass * mechanism.gravity
        moment = sum(moment + (at - centre)[0] * push[1] - (at - centre)[1] * push[0]
                     for push, at, moment in pushes)
        np.testing.assert_allclose(force, body.mass * acceleration, atol=1e-6)
        assert moment == pytest.approx(body.inertia * turning, abs=1e-6)


def test_forces_by_name_are_those_of_the_force_jacobian(linkage):
    z, zd = linkage.z0, np.array([0.7, -1.1])
    forces = {'P2.x': 3.0, 'chi': -2.0, 'theta': 1.0}
    on_q = np.array([forces.get(name, 0.0) for name in linkage.coordinates])
    expected = linkage.forward_dynamics(z, zd) + linkage.force_jacobian(z, zd) @ on_q
    np.testing.assert_allclose(linkage.forward_dynamics(z, zd, forces), expected, rtol=1e-12)
    # Nothing of them is left for the next question.
    fresh = Mechanism(THREE_POINT, 'three_point.yaml')
    np.testing.assert_array_equal(linkage.forward_dynamics(z, zd), fresh.forward_dynamics(z, zd))


def test_the_power_of_all_forces_explains_the_energy():
    mechanism = Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=MANY_FORCES)
    drift = energy_balance(simulate(mechanism, 0.5, 1e-3, 'matrix_r', 'rk4')).drift
    assert np.abs(drift).max() < 2e-5      # of the quadrature of the power


BAD = [
    ({'kind': 'spring_damper', 'stiffness': 1}, 'forces.s: must have one of coordinate, points'),
    (STRUT | {'coordinate': 'theta', 'points': ['A', 'P2']}, 'forces.s: must have one of'),
    (STRUT | {'points': ['A', 'B']}, 'forces.s.points: A and B are both fixed'),
    (STRUT | {'points': ['A', 'Z']}, "forces.s.points[1]: 'Z': unknown point"),
    (STRUT | {'bodies': ['crank']}, "forces.s.bodies: ['crank'] must be two names"),
    ({'kind': 'load', 'body': 'crank'}, 'forces.s: must have a force: [x, y], a moment, or both'),
    ({'kind': 'load', 'body': 'crank', 'moment': 1, 'at': 'P2'},
     "forces.s.at: 'P2': unknown point of crank, expected one of A, P1"),
    ({'kind': 'load', 'body': 'crank', 'moment': 1, 'axes': 'own'},
     "forces.s.axes: 'own' must be global or body"),
]


@pytest.mark.parametrize(('force', 'message'), BAD, ids=[m for _, m in BAD])
def test_what_cannot_be_is_reported(force, message):
    with pytest.raises(MechanismError) as caught:
        load_mechanism('four_bar').replace(forces={'s': force})
    assert message in str(caught.value)


def test_wrong_loads_from_outside_are_reported():
    four_bar = load_mechanism('four_bar')
    for load, message in ((Load('leg'), "'leg': unknown body"),
                          (Load('crank', 'P2'), "'P2': unknown point of crank"),
                          (Load('crank', (0.0, np.nan)), 'must be 2 finite numbers'),
                          (Load('crank', force=(1.0,)), 'must be 5 finite numbers')):
        with pytest.raises(MechanismError, match=message):
            four_bar.forward_dynamics([1.0], [0.0], loads=[load])
    with pytest.raises(MechanismError, match='9 loads, at most 8'):
        four_bar.forward_dynamics([1.0], [0.0], loads=[Load('crank')] * 9)
    with pytest.raises(MechanismError, match='forces: psi: unknown coordinate'):
        four_bar.forward_dynamics([1.0], [0.0], {'psi': 1.0})
