"""Prototypes against an independent solution, and against each other."""

from math import atan2, cos, pi, sin, sqrt
import subprocess
import sys

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model import load_mechanism
from mb_simulation import mjcf
from mb_simulation.prototypes import ENGINES, make_prototype

CRANK, COUPLER, ROCKER, GROUND = 2.0, 8.0, 5.0, 10.0     # lengths of the four-bar linkage [m]
MASSES, GRAVITY = (2.0, 8.0, 5.0), 9.81


def four_bar_acceleration(theta, rate):
    """Return the crank's acceleration from the loop equations, without mb_model.

    CRANK e(theta) + COUPLER e(beta) = (GROUND, 0) + ROCKER e(gamma), with the rods uniform.
    """
    def along(a):
        return np.array([cos(a), sin(a)])

    def across(a):
        return np.array([-sin(a), cos(a)])

    joint = CRANK * along(theta)
    to_ground = np.array([GROUND, 0.0]) - joint
    distance = np.hypot(*to_ground)
    part = (COUPLER ** 2 - ROCKER ** 2 + distance ** 2) / (2 * distance)
    unit = to_ground / distance
    coupler = part * unit + sqrt(COUPLER ** 2 - part ** 2) * np.array([-unit[1], unit[0]])
    rocker = coupler - to_ground
    beta, gamma = atan2(coupler[1], coupler[0]), atan2(rocker[1], rocker[0])
    loop = np.column_stack((COUPLER * across(beta), -ROCKER * across(gamma)))
    gains = np.linalg.solve(loop, -CRANK * across(theta))           # beta', gamma' per theta'
    beta_rate, gamma_rate = gains * rate
    bias = np.linalg.solve(loop, CRANK * along(theta) * rate ** 2
                           + COUPLER * along(beta) * beta_rate ** 2
                           - ROCKER * along(gamma) * gamma_rate ** 2)
    centres = (CRANK / 2 * across(theta),
               CRANK * across(theta) + COUPLER / 2 * across(beta) * gains[0],
               ROCKER / 2 * across(gamma) * gains[1])
    biases = (-CRANK / 2 * along(theta) * rate ** 2,
              -CRANK * along(theta) * rate ** 2
              + COUPLER / 2 * (across(beta) * bias[0] - along(beta) * beta_rate ** 2),
              ROCKER / 2 * (across(gamma) * bias[1] - along(gamma) * gamma_rate ** 2))
    turning = (1.0, *gains)
    turning_bias = (0.0, *bias)
    inertia, force = 0.0, 0.0
    for k, length in enumerate((CRANK, COUPLER, ROCKER)):
        about = MASSES[k] * length ** 2 / 12
        inertia += MASSES[k] * centres[k] @ centres[k] + about * turning[k] ** 2
        force += (MASSES[k] * centres[k] @ (np.array([0.0, -GRAVITY]) - biases[k])
                  - about * turning[k] * turning_bias[k])
    return force / inertia


def run(prototype, intervals):
    """Return the states of a prototype, its largest loop residual."""
    states, residual = [prototype.state], 0.0
    for _ in range(intervals):
        prototype.advance()
        states.append(prototype.state)
        residual = max(residual, prototype.loop_residual)
    return states, residual


def rms(values):
    return np.sqrt(np.mean(np.square(values)))


@pytest.fixture(scope='module')
def truth():
    """Crank angle, rate and acceleration over 10 s, every 5 ms, (3, 2001)."""
    times = np.linspace(0.0, 10.0, 2001)
    solution = solve_ivp(lambda t, y: (y[1], four_bar_acceleration(*y)), (0.0, 10.0),
                         (pi / 3, 0.0), method='DOP853', rtol=1e-10, atol=1e-10, t_eval=times)
    return np.vstack((solution.y, [four_bar_acceleration(*y) for y in solution.y.T]))


@pytest.mark.parametrize(('engine', 'tolerances'), [
    ('mujoco', (5e-5, 2e-4, 2e-3)), ('multibody', (5e-4, 2e-3, 2e-2))])
def test_four_bar_follows_the_independent_solution(engine, tolerances, truth):
    states, residual = run(make_prototype(engine, load_mechanism('four_bar'), 5e-3, 1e-3), 2000)
    motion = np.array([(s.z[0], s.zd[0], s.zdd[0]) for s in states]).T
    for found, expected, tolerance in zip(motion, truth, tolerances, strict=True):
        assert rms(found - expected) < tolerance
    assert residual < 1e-5


@pytest.mark.parametrize('name', ['four_bar', 'five_bar'])
def test_mujoco_keeps_energy_and_loops(name):
    prototype = make_prototype('mujoco', load_mechanism(name), 5e-3, 1e-3)
    energies = []
    for _ in range(2000):
        prototype.advance()
        energies.append(sum(prototype.energy))
        assert prototype.loop_residual < 1e-5
    assert np.ptp(energies) < 1e-4


@pytest.mark.parametrize('name', ['four_bar', 'five_bar'])
def test_both_prototypes_move_alike(name):
    mechanism = load_mechanism(name)
    mujoco, multibody = (
        run(make_prototype(engine, mechanism, 5e-3, 1e-3), 400)[0] for engine in ENGINES)
    for key, tolerance in (('z', 1e-4), ('zd', 1e-3), ('zdd', 2e-2), ('q', 1e-3), ('qd', 1e-2),
                           ('qdd', 0.1)):
        assert rms([getattr(a, key) - getattr(b, key) for a, b in
                    zip(mujoco, multibody, strict=True)]) < tolerance, key


@pytest.mark.parametrize('engine', ENGINES)
def test_start_velocity_is_taken_over(engine):
    mechanism = load_mechanism('five_bar').replace(start_velocity={'theta1': 0.7, 'theta2': -0.4})
    state = make_prototype(engine, mechanism, 5e-3, 1e-3).state
    assert state.zd == pytest.approx([0.7, -0.4], abs=1e-9)
    assert state.qd == pytest.approx(mechanism.velocity(mechanism.q0, mechanism.zd0), abs=1e-6)
    assert state.zdd == pytest.approx(mechanism.forward_dynamics(mechanism.z0, mechanism.zd0),
                                      abs=1e-2)


@pytest.mark.parametrize(('engine', 'name'), [
    ('mujoco', 'four_bar'), ('multibody', 'four_bar'), ('mujoco', 'inverted_slider_crank'),
    ('mujoco', 'slider_crank'), ('mujoco', 'four_bar_spring_damper'), ('mujoco', 'crane')])
def test_state_fits_the_kinematics_of_the_mechanism(engine, name):
    mechanism = load_mechanism(name)
    prototype = make_prototype(engine, mechanism, 5e-3, 1e-3)
    for _ in range(10):
        run(prototype, 50)
        state = prototype.state
        # A loop gapes by up to 1e-6 m, which the crane's arm shows four times as large.
        assert state.q == pytest.approx(mechanism.assemble(state.z, near=state.q), abs=5e-6)
        assert state.qd == pytest.approx(mechanism.velocity(state.q, state.zd), abs=1e-4)
        assert state.qdd == pytest.approx(
            mechanism.acceleration(state.q, state.qd, state.zdd), abs=1e-2)


def test_states_do_not_change_afterwards():
    for engine in ENGINES:
        prototype = make_prototype(engine, load_mechanism('four_bar'), 5e-3, 1e-3)
        before = prototype.state
        kept = before.q.copy()
        prototype.advance()
        assert np.array_equal(before.q, kept)
        assert not np.array_equal(prototype.state.q, kept)


def test_intervals_are_divided_into_equal_steps():
    """3 ms in steps of at most 2 ms are two of 1.5 ms: stamps stay exact."""
    prototype = make_prototype('mujoco', load_mechanism('four_bar'), 3e-3, 2e-3)
    prototype.advance()
    assert prototype.data.time == pytest.approx(3e-3, abs=1e-15)
    assert prototype.model.opt.timestep == pytest.approx(1.5e-3)


def test_command_prints_a_model_that_mujoco_reads(capsys):
    mjcf.main(['five_bar'])
    model = mujoco.MjModel.from_xml_string(capsys.readouterr().out)
    assert (model.nbody, model.njnt, model.neq) == (5, 4, 1)
    with pytest.raises(SystemExit) as end:
        mjcf.main(['six_bar'])
    assert end.value.code == 2
    assert 'six_bar: unknown mechanism' in capsys.readouterr().err


def test_unknown_engine_is_reported():
    with pytest.raises(ValueError, match=r'engine: .* one of mujoco, multibody'):
        make_prototype('bullet', load_mechanism('four_bar'), 5e-3, 1e-3)


def test_mujoco_refuses_prescribed_motion():
    driven = load_mechanism('slider_crank').replace(
        constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta', 'motion': '0.8 + t'}},
        independent=[], start=None)
    with pytest.raises(ValueError, match=r'constraints\.drive: .* prescribed motion'):
        make_prototype('mujoco', driven, 5e-3, 1e-3)


def test_the_multibody_prototype_takes_every_mechanism():
    prototype = make_prototype('multibody', load_mechanism('n_four_bar'), 5e-3, 1e-3)
    prototype.advance()
    assert np.isfinite(prototype.state.qdd).all()


def test_a_prototype_without_oil_imports_and_compiles_nothing_for_oil():
    """Nor a BLAS: that takes a quarter of a second of processor time."""
    program = ('import sys; from mb_model import load_mechanism; '
               'from mb_simulation.prototypes import joint_steps, make_prototype, planar_forces; '
               'make_prototype("mujoco", load_mechanism("four_bar"), 1e-3, 1e-3).advance(); '
               'print(*sys.modules, *(name for name, home in (("rates", planar_forces), '
               '("get_state", joint_steps), ("step", planar_forces)) '
               'if getattr(home, name).overloads))')
    found = subprocess.run([sys.executable, '-c', program], text=True, check=True,
                           capture_output=True).stdout.split()
    assert {'step', 'mb_simulation.prototypes.mujoco_prototype'} <= set(found)
    assert not {'rates', 'get_state', 'mb_model.hydraulics', 'mb_model.circuit.kernels.fluid_step',
                'scipy.linalg', 'scipy.integrate'} & set(found)
