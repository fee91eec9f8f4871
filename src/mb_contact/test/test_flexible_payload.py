"""Loads that bend a machine: closed forms of a cantilever, differences, states alone."""

from math import sqrt

from message_bench import MessageBench
import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import PayloadStream
from mb_interfaces.msg import MechanismState, PayloadEstimate
from mb_model import load_mechanism
from mb_model.mechanism import Mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.states import mechanism_state

LENGTH, STIFFNESS, GRAVITY = 3.0, 2.0e5, 9.81     # m, N m^2, m/s^2
LOAD, ARM = 30.0, 8.0                             # kg
X = np.linspace(0.0, 1.0, 21)
CANTILEVER = {
    'name': 'cantilever', 'dimension': 3, 'gravity': [0.0, 0.0, -GRAVITY],
    'parameters': {'load': 10.0}, 'ground': {'A': [0, 0, 0]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [LENGTH, 0, 0]}, 'mass': ARM,
                'flexible': {'bending_stiffness': {'about_y': STIFFNESS}, 'axial_inertia': 1e-6,
                             'table': {'x': X.tolist(),
                                       'deflections': [(3 * X ** 2 - X ** 3).tolist()]}}},
        'load': {'points': {'B': [0, 0, 0]}, 'mass': 'load', 'centre_of_gravity': [0, 0, 0],
                 'inertia': [1e-4, 1e-4, 1e-4]}},
    'joints': {'held': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'},
               'end': {'kind': 'weld', 'bodies': ['arm.B', 'load'], 'at': 'B'}}}
# Under F at its end it bends by F (3 L x^2 - x^3) / 6 E I, which is farthest from the line through
# its ends at x = L (1 - 1 / sqrt 3).  In this shape its own weight does as much work as 3/8 of it
# at the end.
OWN = 3.0 / 8.0 * ARM
BENT = np.array([2.0 / (3.0 * sqrt(3.0)) * (LOAD + OWN) * GRAVITY * LENGTH ** 3
                 / (6.0 * STIFFNESS)])
REST, PERIOD = np.zeros(1), 10_000_000
ALONE = {'averaging_time': 0.0, 'settling_time': 0.0, 'least_change': 1e6}
METHODS = pytest.mark.parametrize('method', ['low_pass', 'window_least_squares'])


def cantilever(**overrides):
    return Mechanism(CANTILEVER | overrides, 'cantilever.yaml')


def weighed(rows=200, mechanism=None, **values):
    """Return the Payload (rows) of the cantilever at rest, which is known well."""
    estimator = PayloadEstimator(mechanism or cantilever(), ['load'], PayloadSettings(
        **ALONE | values), 1e-9 * PERIOD)
    still = np.zeros((rows, 1))
    return estimator.run(PERIOD * (100 + np.arange(rows)), np.tile(BENT, (rows, 1)), still, still,
                         covariance=np.tile(np.diag([1e-14, 1e-14, 1e-8]), (rows, 1, 1)))


@METHODS
def test_a_load_at_rest_is_what_bends_the_beam(method):
    assert weighed(method=method).mass[-1, 0] == pytest.approx(LOAD, rel=1e-3)


def test_a_load_that_is_lifted_bends_more():
    estimator = PayloadEstimator(cantilever(), ['load'], PayloadSettings(**ALONE))
    # The end moves by F L^3 / 3 E I where the mode moves by BENT, and down where the mode grows.
    up = -0.1 * GRAVITY / (3.0 * sqrt(3.0))
    # By the shape's square the arm is as heavy as 33/140 of it at the end (Blevins 1979).
    expected = (LOAD - 0.1 * 33.0 / 140.0 * ARM) / 1.1
    found = estimator.update(PERIOD, BENT, REST, np.array([up])).raw_mass[0]
    assert found == pytest.approx(expected, rel=1e-3)


@METHODS
def test_a_stiffness_that_is_wrong_by_a_share_is_claimed_as_that_share_of_the_load(method):
    values = {'method': method, 'model_uncertainty': 0.0}
    unsure = weighed(stiffness_uncertainty=0.02, **values)
    sure = weighed(stiffness_uncertainty=0.0, **values)
    claimed = sqrt(unsure.deviation[-1, 0] ** 2 - sure.deviation[-1, 0] ** 2)
    assert claimed == pytest.approx(0.02 * (LOAD + OWN), rel=1e-2)
    stiffer = cantilever()
    stiffer = stiffer.replace(bodies={'arm': {'flexible': {
        'bending_stiffness': {'about_y': 1.02 * STIFFNESS}}}})
    off = weighed(mechanism=stiffer, method=method).mass[-1, 0] - unsure.mass[-1, 0]
    assert off == pytest.approx(claimed, rel=1e-2)


@METHODS
def test_a_model_that_is_wrong_by_a_share_is_claimed_as_that_share_of_the_arm(method):
    """Elastic forces are not counted twice."""
    claimed = weighed(method=method, stiffness_uncertainty=0.0, model_uncertainty=0.1)
    assert claimed.deviation[-1, 0] == pytest.approx(0.1 * OWN, rel=1e-2)


@pytest.mark.parametrize(('name', 'mass', 'beam', 'count'), [
    ('flexible_crane', 'bodies.load.mass', 'boom', 3),
    ('flexible_slider_crank', 'bodies.block.mass', 'rod', 1)])
def test_the_claim_is_the_effect_of_other_stiffnesses(name, mass, beam, count):
    """In space and in the plane, in free motion, against machines of which one mode is stiffer."""
    random, share, undamped = np.random.default_rng(4), 1e-4, {'damping_ratio': 0.0}
    machine = load_mechanism(name).replace(bodies={beam: {'flexible': undamped}})
    z = machine.z0 + 0.01 * random.uniform(-1.0, 1.0, machine.g)
    zd, still = random.uniform(-1.0, 1.0, machine.g), np.zeros(machine.g)
    held = machine.inverse_dynamics(z, zd, still)
    inertia = np.array([machine.inverse_dynamics(z, zd, one) - held
                        for one in np.eye(machine.g)]).T
    motion = z, zd, -np.linalg.solve(inertia, held)

    def payload(mechanism, uncertainty=0.0):
        return PayloadEstimator(mechanism, [mass], PayloadSettings(
            stiffness_uncertainty=uncertainty, model_uncertainty=0.0, largest_deviation=1e9,
            **ALONE)).update(PERIOD, *motion, covariance=1e-8 * np.eye(3 * machine.g))

    claimed = sqrt(payload(machine, 1.0).deviation[0] ** 2 - payload(machine).deviation[0] ** 2)
    off = [payload(one).raw_mass[0] - payload(machine).raw_mass[0]
           for one in stiffened(machine, beam, share)]
    assert len(off) == count
    assert claimed == pytest.approx(np.linalg.norm(off) / share, rel=1e-2)


def stiffened(machine, name, share):
    """Return machines with one of the stiffnesses of a beam larger by a share."""
    beam, more = machine.bodies[name].beam, 1.0 + share
    if machine.dimension == 2:
        changes = [{'bending_stiffness': more * beam.bending_stiffness}]
    else:
        changes = [{'bending_stiffness': {f'about_{about}': more * beam.bending[
            along].bending_stiffness}} for about, along in ('yz', 'zy')]
        changes.append({'torsion': {'stiffness': more * beam.torsion.whole_stiffness}})
    return [machine.replace(bodies={name: {'flexible': change}}) for change in changes]


def test_the_node_weighs_by_states_alone():
    """Nothing but its bending says what the crane carries: no pressures, no torques."""
    parameters = ['mechanism:=flexible_crane', 'masses:=[bodies.load.mass]',
                  *(f'{name}:={value}' for name, value in ALONE.items())]
    crane, load = load_mechanism('flexible_crane'), 55.0
    loaded, rest = crane.replace(bodies={'load': {'mass': load}}), np.zeros(crane.g)
    z = crane.z0.copy()
    hangs = [crane.independent.index(name) for name in ('sway', *crane.modes)]
    for _ in range(5):                       # as it hangs at rest
        off = loaded.inverse_dynamics(z, rest, rest)
        slopes = np.array([loaded.inverse_dynamics(z + 1e-6 * one, rest, rest) - off
                           for one in np.eye(crane.g)[hangs]]).T / 1e-6
        z[hangs] -= np.linalg.solve(slopes[hangs], off[hangs])
    with on_bench(PayloadEstimatorNode, lambda: MessageBench(
            {'estimator/state': MechanismState}, {'payload_estimator/payload': PayloadEstimate}),
            parameters) as (node, bench):
        for k in range(5):
            bench.publish([('estimator/state', mechanism_state(
                crane, PERIOD * (100 + k), z=z, zd=rest, zdd=rest, q=crane.assemble(z),
                covariance=(1e-12 * np.eye(3 * crane.g)).ravel()))])
        spin_until(bench, lambda: bench.count == 5)
        last = bench.received['payload_estimator/payload'][-1]
        assert last.mass[0] == pytest.approx(load, rel=1e-4)
        assert last.updating
        assert not node.health().values['estimates rejected']


def test_a_drive_needs_its_torque_or_is_unknown():
    driven = load_mechanism('flexible_crane').replace(drives=['slew'])
    with pytest.raises(ContactError, match='torque_sensors: none on slew, expected one on each'):
        PayloadStream(driven, ['bodies.load.mass'], PayloadSettings())
    PayloadStream(driven, ['bodies.load.mass'], PayloadSettings(unknown_forces=('slew',)))


def test_a_rigid_machine_needs_more_than_its_state():
    with pytest.raises(ContactError, match='or torque_sensors, or flexible bodies'):
        PayloadStream(load_mechanism('four_bar'), ['bodies.rocker.mass'], PayloadSettings())
