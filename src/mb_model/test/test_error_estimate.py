"""The estimated error of a motion against its true one, and steps chosen by a tolerance."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk
from spatial_machines import TORQUE_FREE

from mb_model import Load, Mechanism, load_mechanism, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.simulation.error_estimate import IntegrationWarning
from mb_model.simulation.inputs import ForceTable
from mb_model.simulation.run import Run
from mb_model.simulation.second_motion import SecondMotion
from mb_model.stepping.stepper import StepError

PENDULUM = load_mechanism('pendulum')
FREE = PENDULUM.replace(gravity=[0.0, 0.0], start_velocity={'theta': 1000.0})
WITHIN = 5.0        # the factor by which the estimate may be wrong either way
# Durations [s] in which errors add up, and the step of second order that resolves the motion.
MECHANISMS = {
    'four_bar': (3.0, 5e-3), 'double_pendulum': (2.0, 5e-3), 'five_bar': (2.0, 5e-3),
    'slider_crank': (2.0, 5e-3), 'inverted_slider_crank': (2.0, 5e-3), 'peaucellier': (1.0, 5e-3),
    'four_bar_spring_damper': (2.0, 5e-3), 'four_bar_split': (0.05, 1e-4),
    'andrews_squeezer': (0.01, 5e-5)}
COMBINATIONS = [(name, integrator) for name, formulation in FORMULATIONS.items()
                for integrator in formulation.integrators]


def off(run, reference):
    """Return the largest difference of two runs, in radians and sizes of the mechanism."""
    every = round((len(reference.t) - 1) / (len(run.t) - 1))
    scale = run.mechanism.model['scale'][0, :run.mechanism.n]
    return (np.abs(run.q - reference.q[::every]) / scale).max()


@pytest.fixture(scope='module')
def references():
    """The motions of all mechanisms in steps a fiftieth as long, by rk4."""
    return {name: simulate(load_mechanism(name), duration, dt / 50.0, 'matrix_r', 'rk4',
                           estimate_error=False)
            for name, (duration, dt) in MECHANISMS.items()}


def quietly(*arguments, **options):
    """Return the Run of simulate without its warning."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', IntegrationWarning)
        return simulate(*arguments, **options)


@pytest.mark.whole
@pytest.mark.parametrize(('formulation', 'integrator'), COMBINATIONS)
def test_the_estimate_is_near_the_true_error(references, formulation, integrator):
    """Of all formulations and integrators, on all mechanisms.

    `penalty` also errs by what its constraints yield, which no step shows; `exponential` is
    better than its second order where the motion is smooth.
    """
    above = 10.0 * WITHIN if integrator == 'exponential' else WITHIN
    for name, (duration, dt) in MECHANISMS.items():
        step = dt / 5.0 if 'euler' in integrator or integrator == 'exponential_0' else dt
        run = quietly(load_mechanism(name), duration, step, formulation, integrator)
        true, found = off(run, references[name]), run.error
        assert not found.lost
        assert found.largest > true / WITHIN - (1e-5 if formulation == 'penalty' else 0.0), name
        assert found.largest < above * true + 1e-12, name


def test_a_pendulum_against_elliptic_functions():
    """sin(angle / 2) = k sn(K - w t), of a pendulum let go at the angle 2 asin k."""
    run = simulate(PENDULUM, 20.0, 5e-3, tolerance=1e-3)
    swing = PENDULUM.z0[0] + np.pi / 2.0
    m, rate = np.sin(swing / 2.0) ** 2, np.sqrt(1.5 * 9.81)
    angle = 2.0 * np.arcsin(np.sqrt(m) * ellipj(ellipk(m) - rate * run.t, m)[0])
    true = np.abs(run.z[:, 0] + np.pi / 2.0 - angle).max()
    assert run.error.largest / WITHIN < true < WITHIN * run.error.largest
    assert true < 1.5e-3


@pytest.mark.parametrize(('formulation', 'dt'), [
    ('index3_al', 1e-3), ('matrix_r', 1e-3), ('semi_recursive', 1e-3), ('semi_recursive', 1e-2)])
def test_a_free_rod_at_a_thousand_radians_per_second(formulation, dt):
    """The angle is right, or it is warned of with about the true error."""
    run = quietly(FREE, 2.0, dt, formulation)
    true = np.abs(run.z[:, 0] - PENDULUM.z0[0] - 1000.0 * run.t).max()
    if true > 0.01:
        assert true / 2.0 < run.error.largest < 2.0 * true
        assert run.error.coordinate == 'theta'
        assert 'too long for this motion' in run.error.problem(FREE)
        with pytest.warns(IntegrationWarning, match='theta'):
            simulate(FREE, 0.01, dt, formulation)
    else:
        assert formulation != 'index3_al'
        assert run.error.largest < 1e-6


def test_energy_does_not_show_what_the_estimate_does():
    run = quietly(FREE, 1.0, 1e-3)
    energy = run.energy()
    assert np.abs(energy.drift).max() < 1e-6 * energy.kinetic.max()
    assert run.error.largest > 50.0


@pytest.mark.parametrize('tolerance', [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize('name', ['four_bar', 'double_pendulum', 'slider_crank',
                                  'andrews_squeezer'])
def test_a_tolerance_chooses_the_step(references, name, tolerance):
    duration, dt = MECHANISMS[name]
    run = simulate(load_mechanism(name), duration, 4.0 * dt, tolerance=tolerance)
    np.testing.assert_allclose(np.diff(run.t), 4.0 * dt)
    assert run.error.largest <= tolerance
    assert off(run, references[name]) < WITHIN * tolerance
    assert run.error.step <= 4.0 * dt


def test_forces_are_held_and_resolved(four_bar):
    """A tolerance divides dt; inputs are still sampled at dt, which no step makes better."""
    push = ForceTable(np.arange(20) * 0.05, 40.0 * np.cos(np.arange(20.0))[:, np.newaxis])
    coarse, fine = (simulate(four_bar, 1.0, 0.05, tolerance=tolerance, inputs=push)
                    for tolerance in (1e-3, 1e-6))
    assert (coarse.forces == fine.forces).all()
    assert off(coarse, fine) < 1e-3


@pytest.mark.parametrize(('formulation', 'integrator'), COMBINATIONS)
def test_forces_hold_from_their_instant_on(formulation, integrator):
    """Not the last step's for half a step: motions converge with the integrator."""
    if 'euler' in integrator or integrator == 'exponential_0':
        return
    dt, forces = 0.01, 20.0 * np.sin(3.0 * np.arange(50.0)) ** 3
    y = np.array([PENDULUM.z0[0], 0.0])
    stepper = make_stepper(PENDULUM, formulation, integrator)
    for force in forces:
        stepper.step(dt, [force])
        y = solve_ivp(lambda _, y, force=force: [y[1], 3.0 * force - 14.715 * np.cos(y[0])],
                      (0.0, dt), y, rtol=1e-10, atol=1e-10).y[:, -1]
    assert stepper.z[0] == pytest.approx(y[0], abs=2e-3)


def test_a_tolerance_out_of_reach_is_refused():
    with pytest.raises(StepError, match=r'tolerance 1e-14 is not reached with the shortest steps, '
                                        r'4096 in 0.05 s: steps of 1.2207e-05 s are too long'):
        simulate(load_mechanism('double_pendulum'), 0.1, 0.05, tolerance=1e-14)
    with pytest.raises(ValueError, match=r'tolerance 0\.0 must be > 0'):
        simulate(PENDULUM, 0.1, 0.05, tolerance=0.0)


def test_a_tolerance_helps_where_a_step_is_impossible():
    with pytest.raises(StepError):
        simulate(FREE, 0.02, 1e-2)
    run = simulate(FREE, 0.02, 1e-2, tolerance=1e-2)
    np.testing.assert_allclose(run.z[:, 0] - PENDULUM.z0[0], 1000.0 * run.t, atol=1e-2)


def test_turns_of_a_body_that_turns_freely_are_no_errors():
    """References of its orientation follow each motion at other instants; against finer steps."""
    tumbling = Mechanism(TORQUE_FREE, 'free.yaml')
    bodies = tumbling.n - len(tumbling.described.coordinates)      # nodes come before coordinates
    run, finer = (simulate(tumbling, 3.0, dt) for dt in (4e-3, 2e-4))
    true = np.abs(run.q - finer.q[::20])[:, :bodies].max()
    assert true / 2.0 < run.error.largest < 2.0 * true


@pytest.mark.parametrize('ending', ['run.npz', 'bag'])
def test_the_estimate_is_saved(tmp_path, ending):
    run = simulate(PENDULUM, 0.1, 1e-3)
    run.save(tmp_path / ending)
    assert Run.load(tmp_path / ending).error == run.error


def test_short_runs():
    """Of one, two, and not a multiple of three steps; without a step, there is no error."""
    for steps in (1, 2, 4, 5):
        run = quietly(FREE, steps * 2e-4, 2e-4)
        true = abs(run.z[-1, 0] - FREE.z0[0] - 1000.0 * run.t[-1])
        assert true / WITHIN < run.error.largest < WITHIN * true
    assert simulate(PENDULUM, 1e-3, 1e-3, estimate_error=False).error is None
    with pytest.warns(IntegrationWarning, match='no step could be compared'):
        simulate(FREE, 2e-3, 1e-3)      # a turn of two radians at once is out of reach
    for tolerance in (None, 1e-4):
        run = simulate(PENDULUM, 0.0, 1e-3, tolerance=tolerance)
        assert run.error is None
        assert len(run.t) == 1


def test_the_estimate_leaves_the_motion_as_it_is(four_bar):
    with_estimate, without = (simulate(four_bar, 0.5, 1e-3, estimate_error=estimate)
                              for estimate in (True, False))
    assert with_estimate.qdd.tobytes() == without.qdd.tobytes()


def test_loads_and_parts_of_three_steps_are_no_error(four_bar):
    """What jumps between steps jumps for both motions at the same instant."""
    stepper = make_stepper(four_bar, 'matrix_r', 'rk4')
    second = SecondMotion(stepper)
    for k in range(40):
        if k % 10 == 4:
            stepper.apply_loads([Load('coupler', 'P2', force=(0.0, 30.0 * (-1.0) ** k))])
        stepper.step(2e-3)
        second.stepped(2e-3)
    second.catch_up()
    assert second.twin.t == pytest.approx(stepper.t)
    assert 0.0 < second.estimate().largest < 1e-8


def pushed(mechanism, formulation, dt, steps, every, load, parts=1):
    """Return q and the estimate of a motion whose load changes in every so many steps."""
    stepper = make_stepper(mechanism, formulation)
    second, q = SecondMotion(stepper), []
    for k in range(steps):
        if k % every == 0:
            stepper.apply_loads([load(k)])
        for _ in range(parts):
            stepper.step(dt / parts)
            if parts == 1:
                second.stepped(dt)
        q.append(stepper.q.copy())
    second.catch_up()
    return np.array(q), second.estimate()


@pytest.mark.parametrize('every', [1, 2, 3, 4, 5, 7])
def test_loads_that_change_often_hide_no_error(four_bar, every):
    def load(k):
        return Load('coupler', 'P2', force=(0.0, 30.0 * np.sin(0.37 * k)))

    q, found = pushed(four_bar, 'index3_al', 5e-3, 300, every, load)
    reference, _ = pushed(four_bar, 'matrix_r', 5e-3, 300, every, load, 20)
    true = (np.abs(q - reference) / four_bar.model['scale'][0, :four_bar.n]).max()
    assert not found.lost
    assert true / 1.5 < found.largest < 1.5 * true


@pytest.mark.parametrize('every', [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize('steps', [2, 5, 300])
def test_loads_that_change_often_on_a_free_rod(steps, every):
    """A force on its bearing moves no rod: the angle is known."""
    within, dt = (2.0, 1e-3) if steps == 300 else (WITHIN, 2e-4)
    q, found = pushed(FREE, 'index3_al', dt, steps, every,
                      lambda k: Load('rod', 'A', force=(0.0, float(k))))
    true = np.abs(q[:, -1] - FREE.z0[0] - 1000.0 * dt * np.arange(1, steps + 1)).max()
    assert true / within < found.largest < within * true
    assert not found.lost
