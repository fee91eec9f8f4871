"""Mechanism and oil together: against an implicit integrator, energy, volume, extremes."""

from pathlib import Path
import pickle

from crane_truth import CraneTruth
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.hydraulics import (
    FluidStepper,
    HydraulicStepper,
    WorkCycle,
    simulate_hydraulics,
)

CRANE = load_mechanism('crane')
SCALE = np.array([1.0, 1.0, 1e6, 1e6, 1.0])      # m, m/s, MPa


def crane(load, **overrides):
    """Return the crane with a load [kg]."""
    return CRANE.replace(parameters={'load': load}, **overrides)


def moved(stepper, commands, duration, dt):
    """Return (s, sd, p1, p2, U) after commands that hold for a duration each."""
    ends = []
    for command in commands:
        stepper.set_valves([command])
        for _ in range(round(duration / dt)):
            stepper.step(dt)
        ends.append([*stepper.z, *stepper.zd, *stepper.p, *stepper.U])
    return np.array(ends)


@pytest.mark.parametrize(('file', 'load'), [
    ('crane', 1e-3), ('crane', 200.0), (Path(__file__).with_name('crane_in_space.yaml'), 200.0)])
def test_the_steps_converge_to_the_motion_of_the_paper_s_equations(file, load):
    mechanism = load_mechanism(file).replace(parameters={'load': load})
    commands, duration = [0.6, -0.5], 0.12
    stepper = HydraulicStepper(mechanism)
    start = np.array([*stepper.z, *stepper.zd, *stepper.p, *stepper.U])
    truth = CraneTruth(load).simulate(start, commands, duration)
    errors = {}
    for dt in (1e-3, 2.5e-4):
        stepper.reset()
        errors[dt] = np.abs((moved(stepper, commands, duration, dt) - truth) / SCALE).max(axis=0)
    s, sd, p1, p2, _ = errors[1e-3]
    assert s < 1e-5
    assert sd < 1e-3
    assert max(p1, p2) < 0.02
    assert (errors[2.5e-4] < errors[1e-3] / 8).all()      # 16 for the second order, kinks aside


@pytest.mark.parametrize('dt', [1e-3, 5e-3, 2e-2])
def test_stable_however_stiff(dt):
    """Hoses a thousand times smaller make oscillations of kilohertz; the steps stay as they are."""
    small = {'volume': 2e-7, 'bulk_modulus': 1e10}
    mechanism = crane(50.0, hydraulics={'volumes': {'v1': small, 'v2': small}})
    stepper = HydraulicStepper(mechanism)
    ends = moved(stepper, [0.5, 0.0, -0.5, 0.0], 0.5, dt)
    assert np.abs(ends[:, 1]).max() < 0.1
    assert ends[:, 2:4].min() > 1e5
    assert ends[:, 2:4].max() < 15e6
    assert np.abs(ends[[1, 3], 1]).max() < 1e-3      # still behind closed valves


def test_energy_and_volume_are_in_balance():
    mechanism = crane(50.0, hydraulics={'cylinders': {'lift': {'leakage': 1e-13}}})
    times = np.array([0.0, 0.1, 1.0, 1.6])
    cycle = WorkCycle(mechanism.circuit, times, np.array([[0.0], [0.6], [-0.5], [0.0]]))
    drifts = []
    for dt in (1e-3, 5e-4):
        run = simulate_hydraulics(mechanism, 2.0, dt, cycle)
        balance = run.energy()
        drifts.append(np.abs(balance.drift).max())
        assert balance.oil.max() > 10.0      # J: each part matters
        assert balance.throttled.max() > 300.0
        assert np.ptp(balance.potential) > 50.0
    assert drifts[0] < 1e-3 * balance.throttled.max()
    assert drifts[1] < 0.5 * drifts[0]
    # Volume: what flowed in is what the chambers grew and what was compressed, at constant B.
    circuit, area = mechanism.circuit, mechanism.circuit.area
    flow = np.array([circuit.T_pQ @ circuit.flows(p, U) for p, U in zip(run.p, run.U, strict=True)])
    net = np.diff(run.t)[:, None] * 0.5 * (flow[1:] + flow[:-1])
    grown = (run.s[1:] - run.s[:-1]) * [area[0], -area[1]]
    stroke = run.s[:, 0] - circuit.retracted[0]
    chambers = np.stack([stroke, circuit.stroke[0] - stroke], axis=1) * area
    capacity = ((0.2e-3 + chambers) * (1 / 1.5e9 + 1e-4 * 101325.0 / run.p ** 2)
                + 0.2e-3 / 1.2e9 + chambers / 2e10)
    squeezed = 0.5 * (capacity[1:] + capacity[:-1]) * np.diff(run.p, axis=0)
    np.testing.assert_allclose(np.cumsum(net, axis=0), np.cumsum(grown + squeezed, axis=0),
                               atol=2e-8)      # of 2e-4 m^3 that flowed


CRANES = {'light': crane(1e-3), 'heavy': crane(200.0), 'leaking': crane(
    50.0, hydraulics={'cylinders': {'lift': {'leakage': 1e-11}}})}
CYCLES = {      # instants, commands, loads
    'slow': ([0.0, 0.1, 0.3, 0.45], [0.0, 0.6, 0.6, -0.5], [50.0, 50.0, 150.0, 20.0]),
    'rough': (0.02 * np.arange(30), 0.8 * np.sign(np.sin(3.3 * np.arange(30))), None)}


@pytest.mark.parametrize('dt', [2e-3, 1e-2])
@pytest.mark.parametrize('cycle', CYCLES)
@pytest.mark.parametrize('name', CRANES)
def test_the_estimated_error_is_near_the_true_one(name, cycle, dt):
    """Within a factor of ten; errors beside steps of 0.1 ms, which converge to the paper's motion.

    Commands and loads change in the middle of three steps, too.
    """
    mechanism, (times, commands, loads) = CRANES[name], CYCLES[cycle]
    cycle = WorkCycle(mechanism.circuit, times, np.reshape(commands, (-1, 1)),
                      None if loads is None else {'load': loads})
    run = simulate_hydraulics(mechanism, 0.6, dt, cycle)
    fine = simulate_hydraulics(mechanism, 0.6, 1e-4, cycle, estimate_error=False)
    off = np.abs(run.q - fine.q[::round(dt / 1e-4)]) / mechanism.model['scale'][0, :mechanism.n]
    assert off.max() > 1e-8
    assert off.max() / 10.0 < run.error.largest < 10.0 * off.max()


def test_the_piston_meets_its_end_and_the_pressures_show_it():
    stepper = HydraulicStepper(crane(50.0))
    stepper.set_valves([1.0])
    for _ in range(5000):
        stepper.step(1e-3)
    stroke_end = 1.15
    assert stroke_end < stepper.s[0] < stroke_end + 1e-3
    assert abs(stepper.sd[0]) < 1e-4
    assert stepper.stop_force[0] < -1e3
    np.testing.assert_allclose(stepper.p, [14e6, 0.2e6], rtol=1e-3)      # pump and tank
    weight = CRANE.inverse_dynamics(stepper.z, [0.0], [0.0])
    np.testing.assert_allclose(stepper.force + stepper.stop_force, weight, rtol=0.01)


def test_pressures_stay_above_zero():
    """A valve that lets the piston side into the tank: the load outruns what the pump gives."""
    valve = {'A': 'v1', 'B': 'v2', 'P': 'tank', 'T': 'tank', 'flow': 3e-3}
    stepper = HydraulicStepper(crane(200.0, hydraulics={'valves': {'directional': valve}}))
    stepper.set_valves([-1.0])
    lowest = np.inf
    for _ in range(400):
        stepper.step(1e-3)
        assert np.isfinite(stepper.z).all()
        lowest = min(lowest, stepper.p.min())
    assert 0.0 < lowest < 1e5
    assert stepper.s[0] < 0.8


def test_oil_that_is_moved_from_outside_is_the_same_oil():
    """FluidStepper along the recorded motion of a coupled run: the same pressures and forces."""
    mechanism = crane(50.0)
    cycle = WorkCycle(mechanism.circuit, [0.0, 0.5], [[0.6], [-0.4]])
    run = simulate_hydraulics(mechanism, 1.0, 2.5e-4, cycle)
    fluid = FluidStepper(mechanism.circuit)
    fluid.reset(run.p[0], run.U[0])
    stride = 4
    rows = range(0, len(run.t) - stride, stride)
    for k in rows:
        fluid.set_valves(run.U_in[k])
        fluid.step(1e-3, run.s[k], run.s[k + stride], run.sd[k], run.sd[k + stride])
    np.testing.assert_allclose(fluid.p, run.p[-1], rtol=2e-4)
    np.testing.assert_allclose(fluid.U, run.U[-1], atol=1e-5)
    np.testing.assert_allclose(fluid.total_force(run.s[-1], run.sd[-1]), run.cylinder_force[-1],
                               rtol=2e-3)


def test_steps_that_oil_cannot_follow_are_divided():
    """A piston pulled out with closed valves: its side goes empty, whatever the step."""
    ends = []
    for count in (1, 400):
        fluid = FluidStepper(CRANE.circuit)
        s = np.linspace(0.85, 0.88, count + 1)[:, None]
        for k in range(count):
            fluid.step(0.03 / count, s[k], s[k + 1], [1.0], [1.0])
        ends.append(fluid.p.copy())
    assert 0.0 < ends[1][0] < 1e5
    np.testing.assert_allclose(ends[0][1], ends[1][1], rtol=1e-3)
    assert 0.0 < ends[0][0] < 1e5


def test_a_load_picked_up_on_the_way():
    """The change acts at once, and gives what a mechanism of that load gives."""
    mechanism = crane(0.0001)
    stepper = HydraulicStepper(mechanism)
    stepper.set_valves([0.5])
    for _ in range(300):
        stepper.step(1e-3)
    stepper.set_parameter('load', 80.0)
    loaded = HydraulicStepper(crane(80.0))
    loaded.reset(stepper.z, stepper.zd, near=stepper.q, p=stepper.p, U=stepper.U)
    loaded.set_valves([0.5])
    np.testing.assert_allclose(stepper.zdd, loaded.zdd, rtol=1e-12)
    for each in (stepper, loaded):
        for _ in range(200):
            each.step(1e-3)
    np.testing.assert_allclose(stepper.p, loaded.p, rtol=1e-12)
    assert CRANE.parameters['load'] == 50.0
    run = simulate_hydraulics(mechanism, 0.5, 1e-3, WorkCycle(
        mechanism.circuit, [0.0, 0.3], [[0.5], [0.5]], {'load': [0.0001, 80.0]}))
    np.testing.assert_allclose(run.p[-1], stepper.p, rtol=1e-12)
    balance = run.energy()
    assert np.ptp(balance.total) > 500.0      # the load's height over the origin
    assert np.abs(balance.drift).max() < 0.5


def test_loads_start_still():
    for load in (1e-3, 200.0):
        run = simulate_hydraulics(crane(load), 0.5, 1e-3)
        assert np.abs(run.zd).max() < 1e-8


def test_a_stepper_can_be_sent_elsewhere():
    stepper = HydraulicStepper(crane(50.0))
    moved(stepper, [0.5], 0.1, 1e-3)
    twin = pickle.loads(pickle.dumps(stepper))
    moved(stepper, [0.5], 0.1, 1e-3)
    moved(twin, [0.5], 0.1, 1e-3)
    np.testing.assert_array_equal(stepper.p, twin.p)
    np.testing.assert_array_equal(stepper.z, twin.z)
