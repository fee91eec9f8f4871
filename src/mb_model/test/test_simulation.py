"""Steppers and simulate: agreement, constraints, energy, inputs, failures that change nothing."""

from copy import deepcopy
from math import pi
import pickle

import numpy as np
from planar_machines import THREE_POINT
import pytest

from mb_model import StepError, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.simulation.stream import SimulationStream

METHODS = [(name, integrator) for name, formulation in FORMULATIONS.items()
           for integrator in formulation.integrators]


@pytest.mark.parametrize('raw', ['four_bar', 'five_bar', 'three_point'])
def test_formulations_agree_and_keep_energy(raw, request):
    mechanism = (Mechanism(THREE_POINT, 'three_point.yaml') if raw == 'three_point'
                 else request.getfixturevalue(raw))
    index3, matrix_r = (simulate(mechanism, 2.0, 5e-4, f) for f in ('index3_al', 'matrix_r'))
    np.testing.assert_allclose(index3.z, matrix_r.z, atol=2e-4)
    for run in (index3, matrix_r):
        energies = [mechanism.energy(run.z[k], run.zd[k], near=run.q[k])
                    for k in range(0, 4001, 400)]
        swing = max(kinetic for kinetic, _ in energies)
        total = np.sum(energies, axis=1)
        assert np.abs(total - total[0]).max() < 1e-4 * swing


@pytest.mark.parametrize('dt', [1e-5, 1e-3, 1e-2])
def test_index3_satisfies_the_constraints_of_every_level(four_bar, dt):
    stepper = make_stepper(four_bar)
    for _ in range(300):
        stepper.step(dt)
    q, qd, qdd = stepper.q.copy(), stepper.qd.copy(), stepper.qdd.copy()
    assert four_bar.closing_error(q) < 1e-11
    np.testing.assert_allclose(qd, four_bar.velocity(q, stepper.zd), atol=1e-10)
    np.testing.assert_allclose(qdd, four_bar.acceleration(q, four_bar.velocity(q, stepper.zd),
                                                          stepper.zdd), atol=1e-7)


def test_steps_of_any_size_in_one_run(four_bar, four_bar_truth, rng):
    """Irregular steps, microseconds among them, as asynchronous sensors cause them."""
    stepper = make_stepper(four_bar)
    t = 0.0
    while t < 1.0:
        dt = min(10.0 ** rng.uniform(-6.0, -2.5), 1.0 - t)
        stepper.step(dt)
        t += dt
        if 1.0 - t < 1e-9:
            break
    z, zd = four_bar_truth.simulate(four_bar.z0, four_bar.zd0, np.array([0.0, 1.0]))
    assert stepper.z[0] == pytest.approx(z[-1, 0], abs=2e-5)
    assert stepper.zd[0] == pytest.approx(zd[-1, 0], abs=2e-4)


@pytest.mark.parametrize(('size', 'weight'), [(1e-3, 1e-6), (1e-2, 1e3), (1e2, 1e6)])
@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r'])
def test_size_and_weight_do_not_matter(four_bar, size, weight, formulation):
    """A similar mechanism moves alike, in times stretched by the square root of the size."""
    similar = four_bar.replace(
        points={'B': {'fixed': [10.0 * size, 0.0]}, 'P1': {'start': [size, 1.732 * size]},
                'P2': {'start': [8.4 * size, 4.7 * size]}},
        bodies={name: {'length': body.length * size, 'mass': body.mass * weight}
                for name, body in four_bar.bodies.items()})
    run = simulate(four_bar, 2.0, 2e-3, formulation)
    other = simulate(similar, 2.0 * size ** 0.5, 2e-3 * size ** 0.5, formulation)
    np.testing.assert_allclose(other.z, run.z, atol=1e-9)
    np.testing.assert_allclose(other.zdd * size, run.zdd, atol=1e-7)


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
def test_a_force_that_holds_gravity_keeps_the_mechanism_still(four_bar, formulation, integrator):
    hold = four_bar.inverse_dynamics(four_bar.z0, [0.0], [0.0])
    run = simulate(four_bar, 1.0, 1e-3, formulation, integrator, inputs=hold)
    yielding = 1e4 if formulation == 'penalty' else 1.0
    np.testing.assert_allclose(run.z, four_bar.z0[0], atol=1e-9 * yielding)
    np.testing.assert_allclose(run.zdd, 0.0, atol=1e-6 * yielding)


def test_inputs_may_be_a_function(four_bar):
    def damper(t, z, zd):
        return -30.0 * zd

    run = simulate(four_bar, 5.0, 1e-3, inputs=damper)
    first, last = (sum(four_bar.energy(run.z[k], run.zd[k])) for k in (0, -1))
    assert last < first - 50.0


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
def test_a_step_that_fails_leaves_the_state_unchanged(four_bar, formulation, integrator):
    stepper = make_stepper(four_bar, formulation, integrator)
    stepper.step(1e-3)
    before = {name: stepper.work[name].copy() for name in ('q', 'qd', 'qdd', 'z', 'zd', 'zdd')}
    with pytest.raises(StepError, match='four_bar: no step'):
        stepper.step(1e-3, forces=[np.nan])
    for name, value in before.items():
        np.testing.assert_array_equal(stepper.work[name], value, err_msg=name)
    stepper.step(1e-3, forces=[0.0])
    assert np.isfinite(stepper.zdd).all()


def test_unknown_names_and_times_are_reported(four_bar):
    with pytest.raises(ValueError, match='formulation: lagrangian: unknown, expected one of clo'):
        simulate(four_bar, 1.0, 1e-3, 'lagrangian')
    with pytest.raises(ValueError, match='integrator: rk4: unknown with this formulation, expected '
                                         'one of trapezoidal'):
        simulate(four_bar, 1.0, 1e-3, 'index3_al', 'rk4')
    with pytest.raises(ValueError, match='must be >= 0 and dt'):
        simulate(four_bar, 1.0, 0.0)
    with pytest.raises(ValueError, match='dt: nan must be > 0'):
        make_stepper(four_bar).step(float('nan'))


def test_simulation_is_reproducible_to_the_bit(four_bar):
    first, second = (simulate(four_bar, 2.0, 5e-3) for _ in range(2))
    assert first.qdd.tobytes() == second.qdd.tobytes()


def test_a_copy_goes_its_own_way(four_bar):
    stepper = make_stepper(four_bar)
    stepper.step(1e-2)
    for copy in (deepcopy(stepper), pickle.loads(pickle.dumps(stepper))):
        before = stepper.z.copy()
        copy.step(1e-2)
        assert copy.z[0] != before[0]
        assert copy.z[0] == copy.work['z'][0, 0]
        np.testing.assert_array_equal(stepper.z, before)


def test_start_and_its_velocity_are_those_of_the_file(four_bar):
    spinning = four_bar.replace(start={'theta': pi / 2}, start_velocity={'theta': 2.0})
    run = simulate(spinning, 0.0, 1e-3)
    assert run.z[0] == pi / 2
    assert run.zd[0] == 2.0
    assert simulate(four_bar, 0.0, 1e-3, z0=[1.0], zd0=[-1.0]).qd[0, 4] == -1.0


@pytest.mark.parametrize(('rate', 'longest'), [(200.0, 1e-3), (200.0, 1.0), (300.0, 7e-4)])
def test_a_stream_is_the_simulation_at_its_stamps(four_bar, rate, longest):
    stream = SimulationStream(make_stepper(four_bar), rate, longest)
    steps = int(np.ceil(1.0 / rate / longest - 1e-9))
    run = simulate(four_bar, 20 / rate, 1.0 / rate / steps)
    for k in range(20):
        assert stream.next_offset == round(k * 1e9 / rate)
        state = stream.advance()
        assert state.offset == round(k * 1e9 / rate)
        np.testing.assert_allclose(state.q, run.q[k * steps], atol=1e-12)
