"""The MuJoCo prototype of machines in space: against its own differences, balances, and our model.
"""

import numpy as np
import pytest
from spatial_machines import FORCES, TORQUE_FREE, on_joint

from mb_model import Mechanism, StepError, load_mechanism, mechanism_names
from mb_simulation.prototypes import make_prototype

SPATIAL = [name for name in mechanism_names() if load_mechanism(name).dimension == 3]
RUBBING = {'excavator', 'excavator_afloat'}     # dry friction sticks here, and creeps in the model
STIFF = {'flyball_governor': 5e-5}      # dampers on light bodies: longest step [s]
NOT = {'car': 'the MuJoCo prototype in space knows no tyre',
       'bicycle': 'in MuJoCo, no rolling_disc joint closes a loop'}
CHAINS = {'flexible_crane'}     # bend: pieces on springs, fitted by modes; test_flexible_crane.py
MACHINES = [name for name in SPATIAL if name not in NOT and name not in CHAINS]
GAP = 1e-5                      # of loops [m]
RATE = 5e-3                     # interval of states [s]


def run(prototype, count):
    """Return the states of a prototype, the present one first, and its largest gap [m]."""
    states, gap = [prototype.state], prototype.loop_residual
    for _ in range(count):
        prototype.advance()
        states.append(prototype.state)
        gap = max(gap, prototype.loop_residual)
    return states, gap


@pytest.mark.parametrize('name', MACHINES)
def test_a_machine_moves_as_its_model_with_loops_closed(name):
    mechanism = load_mechanism(name)
    states, gap = run(make_prototype('mujoco', mechanism, RATE, STIFF.get(name, 1e-3)), 60)
    assert gap < GAP
    others, _ = run(make_prototype('multibody', mechanism, RATE, 2.5e-4), 60)
    assert np.abs(states[0].q - mechanism.q0).max() < 1e-10
    size = np.abs([other.qd for other in others]).max()
    tolerance = 2e-3 if name in RUBBING else 2e-4
    # Orientations count from references, of which each simulation takes a new one for itself.
    same = [k for k, coordinate in enumerate(mechanism.coordinates) if getattr(
        mechanism.described.coordinates.get(coordinate), 'kind', '') != 'orientation']
    for state, other in zip(states, others, strict=True):
        np.testing.assert_allclose(state.q[same], other.q[same], atol=tolerance)
        np.testing.assert_allclose(state.qd[same], other.qd[same], atol=2e-2 * size)


def test_the_whole_car_accelerates_as_in_mujoco():
    """Without its tyres, which MuJoCo has not: it tumbles on its suspensions, its wheels turning.

    What is left is how soft MuJoCo's loops are, ten times less for steps of a fifth.
    """
    car = load_mechanism('car').replace(
        forces={f'tyre{i}': None for i in range(4)},
        start_velocity={'turn.x': 0.7, 'turn.y': -0.5, 'turn.z': 0.9, 'steer': 0.05})
    errors = [_acceleration_error(car, step) for step in (2.5e-4, 5e-5)]
    assert errors[1] < min(1e-4, 0.2 * errors[0])


def _acceleration_error(mechanism, step):
    """Return how far accelerations of bodies after 0.1 s are from MuJoCo's, over the largest."""
    prototype = make_prototype('mujoco', mechanism, RATE, step)
    for _ in range(20):
        prototype.advance()
    state = prototype.state
    qdd = mechanism.acceleration(state.q, state.qd, mechanism.forward_dynamics(
        state.z, state.zd, near=state.q))
    ours, theirs = (np.array([
        (motion.acceleration, motion.angular_acceleration) for motion in (
            mechanism.body_motion(body, state.q, state.qd, accelerations)
            for body in mechanism.bodies)]) for accelerations in (qdd, state.qdd))
    return np.abs(ours - theirs).max() / np.abs(ours).max()


@pytest.mark.parametrize('name', NOT)
def test_what_mujoco_cannot_move_is_refused(name):
    with pytest.raises(ValueError, match=NOT[name]):
        make_prototype('mujoco', load_mechanism(name), RATE, 1e-3)


def test_steps_that_are_too_long_end_with_a_reason_and_keep_the_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)         # MuJoCo writes warnings into a file
    prototype = make_prototype('mujoco', load_mechanism('flyball_governor'), 1e-3, 1e-3)
    with pytest.raises(StepError, match='too stiff for it, expected a shorter step or'):
        run(prototype, 100)
    assert np.isfinite(prototype.state.qdd).all()


@pytest.mark.parametrize('name', MACHINES)
def test_rates_and_accelerations_are_those_of_places(name):
    """Differences of one millisecond; loops of MuJoCo ring in the first milliseconds."""
    states, _ = run(make_prototype('mujoco', load_mechanism(name), 1e-3,
                                   STIFF.get(name, 2.5e-4)), 120)
    q, qd, qdd = (np.array([getattr(state, key) for state in states]) for key in (
        'q', 'qd', 'qdd'))
    for places, slopes in ((q, qd), (qd, qdd))[:1 if name in RUBBING else 2]:
        found = (places[2:] - places[:-2]) / 2e-3
        later = slice(60, None)
        np.testing.assert_allclose(found[later], slopes[1:-1][later],
                                   atol=5e-3 * np.abs(slopes).max())


def test_energy_is_kept_where_nothing_takes_it():
    prototype = make_prototype('mujoco', load_mechanism('six_axis_arm'), RATE, 5e-4)
    at_start = sum(prototype.energy)
    kinetic = []
    for _ in range(100):
        prototype.advance()
        kinetic.append(prototype.energy[0])
        assert sum(prototype.energy) == pytest.approx(at_start, abs=1e-5 * max(kinetic))
    assert max(kinetic) > 10.0


def test_drives_that_carry_the_weight_hold_an_arm_still():
    arm = load_mechanism('six_axis_arm')
    prototype = make_prototype('mujoco', arm, RATE, 1e-3)
    still = np.zeros(arm.g)
    prototype.set_drive_torques(arm.inverse_dynamics(arm.z0, still, still))
    states, _ = run(prototype, 40)
    np.testing.assert_allclose(states[-1].z, arm.z0, atol=1e-9)
    prototype.set_drive_torques(still)
    states, _ = run(prototype, 40)
    assert np.abs(states[-1].z - arm.z0).max() > 0.01


def test_a_free_body_tumbles_as_its_model():
    free = Mechanism(TORQUE_FREE, 'free.yaml')
    states, _ = run(make_prototype('mujoco', free, 1e-3, 1e-3), 1000)
    others, _ = run(make_prototype('multibody', free, 1e-3, 1e-3), 1000)
    for state, other in zip(states, others, strict=True):
        np.testing.assert_allclose(state.q[:-3], other.q[:-3], atol=1e-4)
    turns = np.array([state.q[-3:] for state in states])
    jumps = np.abs(np.diff(turns, axis=0)).max(axis=1) > 0.1        # to a new reference
    assert 5 <= jumps.sum() <= 15
    rates = np.array([state.qd[-3:] for state in states])
    found = (turns[2:] - turns[:-2]) / 2e-3
    smooth = ~(jumps[1:] | jumps[:-1])
    np.testing.assert_allclose(found[smooth], rates[1:-1][smooth], atol=1e-3)


def test_wheels_count_turns():
    car = load_mechanism('quarter_car')
    states, _ = run(make_prototype('mujoco', car, RATE, 1e-3), 200)
    spin = np.array([state.z[car.independent.index('spin')] for state in states])
    assert spin[-1] == pytest.approx(20.0, abs=0.05)      # 20 rad/s, and steady
    assert np.diff(spin).max() < 0.2


def test_dry_friction_sticks_and_stops():
    """On a level ring, what turns is stopped by its torque, exactly, and stands."""
    excavator = load_mechanism('excavator').replace(
        forces={'ring': {'viscous': 0.0, 'coulomb': 40e3}}, start_velocity={'slew': 0.1})
    prototype = make_prototype('mujoco', excavator, RATE, 1e-3)
    states, _ = run(prototype, 100)
    slew = np.array([state.z[0] for state in states])
    rate = np.array([state.zd[0] for state in states])
    moving = slice(2, int(0.8 * np.flatnonzero(rate < 1e-4)[0]))
    inertia = float(excavator.operational_space(excavator.z0, np.zeros(4)).mass[0, 0])
    slope = np.polyfit(RATE * np.arange(len(rate))[moving], rate[moving], 1)[0]
    assert slope == pytest.approx(-40e3 / inertia, rel=0.02)
    assert np.ptp(slew[-20:]) < 1e-6


def test_oil_moves_a_boom_as_in_the_model_where_nothing_rubs():
    smooth = {'friction': {'coulomb': 0.0, 'static': 0.0}}
    excavator = load_mechanism('excavator').replace(
        forces={'ring': {'coulomb': 0.0}},
        hydraulics={'cylinders': dict.fromkeys(('boom', 'arm', 'bucket'), smooth)})
    found = []
    for engine in ('mujoco', 'multibody'):
        prototype = make_prototype(engine, excavator, RATE, 1e-3)
        prototype.set_valves(np.array([0.6, -0.4, 0.2]))
        states, gap = run(prototype, 100)
        assert gap < GAP
        found.append((states[-1].z, prototype.oil.p, prototype.oil.force))
    (z, p, force), (other_z, other_p, other_force) = found
    assert z[1] - excavator.z0[1] > 0.02
    np.testing.assert_allclose(z, other_z, atol=2e-4)
    np.testing.assert_allclose(p, other_p, rtol=2e-3, atol=2e4)
    np.testing.assert_allclose(force, other_force, rtol=2e-3, atol=1e3)


def test_parameters_change_while_it_runs():
    car = load_mechanism('quarter_car')
    prototype = make_prototype('mujoco', car, RATE, 1e-3)
    run(prototype, 10)
    before = prototype.state
    prototype.set_parameters({'tyre_stiffness': 2.0 * car.parameters['tyre_stiffness']})
    np.testing.assert_allclose(prototype.state.q, before.q, atol=1e-12)
    np.testing.assert_allclose(prototype.state.zd, before.zd, atol=1e-12)
    assert np.abs(prototype.state.zdd - before.zdd).max() > 1.0
    delta = make_prototype('mujoco', load_mechanism('delta'), RATE, 1e-3)
    with pytest.raises(ValueError, match='would change the geometry'):
        delta.set_parameters({'arm': 0.26})


@pytest.mark.parametrize(('forces', 'message'), [
    ({'push': FORCES['push']}, 'forces.push: the MuJoCo prototype in space knows no wrench'),
    ({'rubber': FORCES['rubber']}, 'knows no bushing'),
    ({'rub': FORCES['rub'] | {'coordinate': 'at.x'}}, 'forces.rub: acts on at.x')])
def test_what_mujoco_does_not_know_is_refused(forces, message):
    mechanism = Mechanism(on_joint('planar', more={'forces': forces}), 'm.yaml')
    with pytest.raises(ValueError, match=message):
        make_prototype('mujoco', mechanism, RATE, 1e-3)
