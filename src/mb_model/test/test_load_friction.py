"""Friction of drives by their load: closed forms, derivatives, energy, and what is refused."""

from math import cos, tanh

from by_differences import by_state
from hypothesis import given, strategies as st
import numpy as np
import pytest

from mb_model import FORMULATIONS, Run, load_mechanism, simulate
from mb_model.forces.kinds.load_friction import effort_for, passed_on
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.regressor import Regressor

RUB = {'kind': 'load_friction', 'coordinate': 'q', 'coulomb': 0.5, 'static': 0.7, 'viscous': 0.1,
       'load_share': 0.2, 'load_share_driven': 0.1, 'transition_velocity': 0.02}
LEVER = {
    'name': 'lever', 'points': {'S': {'fixed': [0, 0]}, 'H': {'start': [0.5, 0]}},
    'bodies': {'lever': {'points': {'S': [0, 0], 'H': [0.5, 0]}, 'mass': 2.0,
                         'centre_of_gravity': [0.4, 0], 'inertia': 0.03}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'lever'}}, 'forces': {'rub': RUB},
    'independent': ['q'], 'drives': ['q'], 'start': {'q': 0}}
INERTIA, WEIGHT = 0.35, 2.0 * 9.81 * 0.4
LEVER_IN_SPACE = {
    'name': 'lever', 'dimension': 3, 'gravity': [0, -9.81, 0],
    'bodies': {'lever': {'mass': 2.0, 'centre_of_gravity': [0.4, 0, 0],
                         'inertia': [0.03, 0.03, 0.03]}},
    'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'lever'],
                         'at': [[0, 0, 0], [0, 0, 0]], 'axes': [[0, 0, 1], [0, 0, 1]]}},
    'coordinates': {'q': {'kind': 'angle', 'joint': 'hinge'}}, 'forces': {'rub': RUB},
    'independent': ['q'], 'drives': ['q'], 'start': {'q': 0}}
VALUES = np.array([0.5, 0.7, 0.1, 0.02, 0.2, 0.1, 0.0, 0.0])
EFFORTS, RATES = (-9.0, -0.4, 0.3, 9.0), (-1.0, -0.01, 0.005, 0.3)
NUMBERS = ['coulomb', 'static', 'viscous', 'load_share', 'load_share_driven',
           'transition_velocity']


def friction(load, rate):
    """Return the friction of RUB [N m] of a drive that passes on a load at a rate."""
    w = rate / 0.02
    flat, share = tanh(4.0 * w), 0.2 if load * rate >= 0.0 else 0.1
    return 0.5 * flat + 0.2 * w / (0.25 * w * w + 0.75) ** 2 + 0.1 * rate + (
        share * abs(load) * flat)


def machines():
    """Return the lever in the plane and in space."""
    return [Mechanism(LEVER, 'lever.yaml'), Mechanism(LEVER_IN_SPACE, 'lever.yaml')]


def two_links(**changes):
    """Return a double pendulum with friction by load in both joints."""
    return load_mechanism('geared_double_pendulum').replace(
        points={'R': None}, bodies={'rotor': None}, coordinates={'rotor_turn': None},
        constraints={'gear': None}, forces={
            'shoulder_friction': RUB | {'coordinate': 'shoulder'},
            'elbow_friction': RUB | {'coordinate': 'elbow', 'load_share': 0.3} | changes})


@pytest.mark.parametrize('lever', machines(), ids=['plane', 'space'])
@pytest.mark.parametrize('load', [-8.0, 0.0, 3.0])
@pytest.mark.parametrize('rate', RATES)
def test_a_lever_of_known_load(lever, load, rate):
    """The drive needs the load, given by the acceleration, and friction that grows with it."""
    q = 0.3
    zdd = (load - WEIGHT * cos(q)) / INERTIA
    effort = load + friction(load, rate)
    assert lever.inverse_dynamics([q], [rate], [zdd])[0] == pytest.approx(effort, abs=1e-12)
    assert lever.forward_dynamics([q], [rate], [effort])[0] == pytest.approx(zdd, abs=1e-11)


@given(effort=st.floats(-1e4, 1e4), rate=st.floats(-100.0, 100.0))
def test_it_takes_energy_and_has_one_solution(effort, rate):
    passed = passed_on(VALUES, effort, rate)[0]
    assert (effort - passed) * rate >= 0.0
    assert passed + friction(passed, rate) == pytest.approx(effort, rel=1e-12, abs=1e-12)
    assert effort_for(VALUES, passed, rate) == pytest.approx(effort, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize('effort', EFFORTS)
@pytest.mark.parametrize('rate', RATES)
def test_exact_derivatives(effort, rate):
    machine = two_links()
    z, zd, forces = np.array([0.4, -0.7]), np.array([rate, -0.3 * rate]), np.array([effort, 1.0])
    found, expected = machine.linearise(z, zd, forces), by_state(machine, z, zd, 1e-6, forces)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize('effort', EFFORTS)
@pytest.mark.parametrize('rate', RATES)
@pytest.mark.parametrize('key', NUMBERS)
def test_derivatives_by_its_numbers(effort, rate, key):
    h = 1e-6 * (RUB[key] or 1.0)

    def accelerated(value):
        lever = Mechanism(LEVER | {'forces': {'rub': RUB | {key: value}}}, 'lever.yaml')
        return lever.forward_dynamics([0.3], [rate], [effort])[0]

    lever = Mechanism(LEVER, 'lever.yaml')
    found = lever.parameter_jacobian([0.3], [rate], [f'forces.rub.{key}'], [effort])[0, 0]
    assert found == pytest.approx(
        (accelerated(RUB[key] + h) - accelerated(RUB[key] - h)) / (2.0 * h), rel=1e-4, abs=1e-5)


def test_what_a_motion_needs_depends_linearly_on_it(rng):
    """The regressor of inverse dynamics, and its derivatives by the motion."""
    names = [f'forces.elbow_friction.{key}' for key in NUMBERS[:5]]
    machine, other, h = two_links(), two_links(coulomb=0.6, load_share=0.35), 1e-6
    z, zd, zdd = rng.normal(size=(3, 4, 2))
    needed = Regressor(machine, names).along(z, zd, zdd)
    changes = np.array([0.1, 0.0, 0.0, 0.05, 0.0])
    further = Regressor(other, names).along(z, zd, zdd)
    np.testing.assert_allclose(further.force, needed.force + needed.by_parameter @ changes,
                               atol=1e-10)
    states = np.concatenate([z, zd, zdd], axis=1)
    for k in range(6):
        after, before = (Regressor(machine, names).along(*np.split(
            states + step * np.eye(6)[k], 3, axis=1)).force for step in (h, -h))
        np.testing.assert_allclose(needed.by_state[:, :, k], (after - before) / (2.0 * h),
                                   rtol=1e-4, atol=1e-4)


def test_a_force_counts_behind_the_friction():
    machine, h = two_links(), 1e-5
    lever = Mechanism(LEVER, 'lever.yaml')
    z, zd = np.array([0.4, -0.7]), np.array([0.5, -0.2])
    for one, at, rate in ((machine, z, zd), (lever, z[:1], zd[:1])):
        still = np.zeros(one.g)
        rise = [(one.forward_dynamics(at, rate, still + step)
                 - one.forward_dynamics(at, rate, still - step)) / (2.0 * h)
                for step in h * np.eye(one.g)]
        places = [one.coordinates.index(name) for name in one.independent]
        np.testing.assert_allclose(one.force_jacobian(at, rate)[:, places], np.transpose(rise),
                                   rtol=1e-6)


@pytest.mark.parametrize('formulation', sorted(FORMULATIONS))
def test_all_formulations_agree(formulation):
    machine, z, zd = two_links(), [0.4, -0.7], [0.5, -0.2]
    zdd = machine.forward_dynamics(z, zd, [2.0, -1.0])
    tolerance = 1e-3 if formulation == 'penalty' else 1e-6
    np.testing.assert_allclose(machine.inverse_dynamics(z, zd, zdd, formulation=formulation),
                               [2.0, -1.0], atol=tolerance)
    runs = [simulate(machine, 0.3, 1e-3, one, inputs=[2.0, -1.0], estimate_error=False)
            for one in ('matrix_r', formulation)]
    np.testing.assert_allclose(runs[1].z, runs[0].z, atol=1e-4)


@pytest.mark.parametrize('formulation', sorted(FORMULATIONS))
def test_all_formulations_agree_in_space(formulation):
    lever = machines()[1]
    zdd = lever.forward_dynamics([0.3], [0.5], [4.0])
    assert lever.inverse_dynamics([0.3], [0.5], zdd, formulation=formulation)[0] == pytest.approx(
        4.0, abs=1e-5)
    runs = [simulate(lever, 0.2, 1e-3, one, inputs=[9.0], estimate_error=False)
            for one in ('matrix_r', formulation)]
    np.testing.assert_allclose(runs[1].z, runs[0].z, atol=1e-7)


@pytest.mark.parametrize('effort', EFFORTS)
def test_beside_a_prescribed_coordinate(effort):
    """Entries of efforts stand before the ones that prescribed coordinates follow."""
    machine = two_links(load_share_driven=0.3).replace(
        independent=['elbow'], drives=['elbow'], start={'shoulder': None},
        forces={'shoulder_friction': None}, constraints={'go': {
            'kind': 'prescribed', 'coordinate': 'shoulder', 'motion': '0.3 * sin(2 * t)'}})
    zdd = machine.forward_dynamics([0.4], [0.7], [effort], t=0.3)
    load, = machine.replace(forces={'elbow_friction': None}).inverse_dynamics(
        [0.4], [0.7], zdd, t=0.3)
    rubbing = friction(load, 0.7) + (0.3 - (0.2 if load >= 0.0 else 0.1)) * abs(load)
    assert load + rubbing == pytest.approx(effort, abs=1e-12)


@pytest.mark.parametrize('lever', machines(), ids=['plane', 'space'])
def test_energy_is_balanced(lever, tmp_path):
    run = simulate(lever, 1.0, 2e-4, inputs=lambda t, z, zd: [8.0 + 3.0 * np.sin(9.0 * t)],
                   estimate_error=False)
    balance = run.energy()
    assert np.abs(balance.drift).max() < 2e-3 * balance.dissipated[-1]
    assert (np.diff(balance.dissipated) > -1e-9).all()
    assert balance.dissipated[-1] > 0.1
    run.save(str(tmp_path / 'run.npz'))
    again = Run.load(str(tmp_path / 'run.npz'))
    np.testing.assert_array_equal(again.energy().dissipated, balance.dissipated)


@pytest.mark.parametrize(('change', 'text'), [
    ({'load_share': 1.0}, r'forces\.rub\.load_share: 1 must be < 1'),
    ({'load_share_driven': 1.2}, r'forces\.rub\.load_share_driven: 1.2 must be < 1'),
    ({'static': 0.1}, r'forces\.rub\.static: 0.1 must be >= 0.5'),
    ({'coordinate': 'H.x'}, r'forces\.rub\.coordinate: H.x is no degree of freedom')])
def test_what_it_cannot_be(change, text):
    with pytest.raises(MechanismError, match=text):
        Mechanism(LEVER | {'forces': {'rub': RUB | change}}, 'lever.yaml')


def test_what_is_refused():
    with pytest.raises(MechanismError, match='coordinate: q has the friction of a drive already'):
        Mechanism(LEVER | {'forces': {'rub': RUB, 'more': RUB}}, 'lever.yaml')
    with pytest.raises(MechanismError, match='friction by load is for dense matrices'):
        Mechanism(LEVER, 'lever.yaml', 'sparse')
    with pytest.raises(MechanismError, match='operational_space: not for mechanisms with friction'):
        Mechanism(LEVER, 'lever.yaml').operational_space([0.3], [0.1])
    with pytest.raises(MechanismError, match='q is no degree of freedom'):
        Mechanism(LEVER | {'independent': [], 'constraints': {'drive': {
            'kind': 'prescribed', 'coordinate': 'q', 'motion': 't'}}, 'start': {}, 'drives': []},
            'lever.yaml')
