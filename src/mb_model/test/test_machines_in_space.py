"""The machines in space that come with mb_model: motion, energy, derivatives, closed forms."""

import numpy as np
import pytest

from mb_model import load_mechanism, simulate
from mb_model.hydraulics import simulate_hydraulics

# What is taken out of a force, by its kind, where no energy is to be lost.
LOSSES = {'spring_damper': {'damping': 0.0}, 'friction': {'viscous': 0.0, 'coulomb': 0.0,
                                                          'static': 0.0}}
MACHINES = {name: load_mechanism(name) for name in (
    'spatial_slider_crank', 'bricard', 'flyball_governor', 'spatial_four_bar', 'six_axis_arm',
    'stewart', 'delta', 'excavator', 'quarter_car', 'car', 'quadruped_leg')}
FREEDOM = {'spatial_slider_crank': 1, 'bricard': 1, 'flyball_governor': 4, 'spatial_four_bar': 1,
           'six_axis_arm': 6, 'stewart': 6, 'delta': 3, 'excavator': 4, 'quarter_car': 3, 'car': 15,
           'quadruped_leg': 3}
END, STEP = 0.4, 1e-3      # s
every_machine = pytest.mark.parametrize('name', MACHINES)


def without_losses(mechanism):
    """Return a mechanism whose forces lose no energy: springs carry wheels in place of tyres."""
    forces = mechanism.described.forces
    changes = {name: LOSSES.get(force.kind) for name, force in forces.items()}
    for name, tyre in forces.items():
        if tyre.kind == 'tyre':
            radius, stiffness = tyre.values[:2]
            changes[f'{name}_spring'] = {
                'kind': 'bushing', 'bodies': ['ground', tyre.body],
                'at': [[0.0, 0.0, radius], tyre.at], 'stiffness': [0.0, 0.0, stiffness] + 3 * [0.0]}
    return mechanism.replace(forces=changes)


def state_of(mechanism, spread=0.03):
    """Return a state (z, zd, q) beside the start."""
    random = np.random.default_rng(1)
    z = mechanism.z0 + spread * random.standard_normal(mechanism.g)
    return z, random.standard_normal(mechanism.g), mechanism.assemble(z)


def refined(mechanism, formulation):
    """Return z, zd at END by the trapezoidal rule, extrapolated from two steps."""
    coarse, fine = (simulate(mechanism, END, step, formulation, 'trapezoidal',
                             estimate_error=False) for step in (STEP, STEP / 2))
    return [(4.0 * b[-1] - a[-1]) / 3.0
            for a, b in ((coarse.z, fine.z), (coarse.zd, fine.zd))]


@every_machine
def test_it_assembles_as_its_file_says(name):
    mechanism = MACHINES[name]
    assert mechanism.g == FREEDOM[name]
    assert mechanism.closing_error(mechanism.q0) < 1e-12
    for body in mechanism.bodies.values():
        if body.pose:       # which chooses the branch: the legs of a platform stand upright there
            place = mechanism.body_motion(body.name, mechanism.q0).position
            assert np.abs(place - body.pose.at).max() < 0.15 * mechanism.model['scale'].max()


@every_machine
def test_positions_and_independent_coordinates_and_joints_move_alike(name):
    truth, *ends = [refined(MACHINES[name], formulation)
                    for formulation in ('index3_al', 'matrix_r', 'semi_recursive')]
    for end in ends:
        for ours, theirs in zip(end, truth, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=2e-6)


@every_machine
def test_it_stays_closed_and_keeps_its_energy(name):
    mechanism = without_losses(MACHINES[name])
    run = simulate(mechanism, END, STEP / 2, 'matrix_r', 'rk4', estimate_error=False)
    energy = run.energy()
    assert np.abs(energy.drift).max() < 1e-6 * energy.kinetic.max()
    assert np.abs(energy.dissipated).max() == 0.0
    assert max(mechanism.closing_error(q) for q in run.q[::100]) < 1e-10


@every_machine
def test_derivatives_are_exact(name):
    mechanism = MACHINES[name]
    z, zd, q = state_of(mechanism)
    for exact, state in zip(mechanism.linearise(z, zd, near=q), (z, zd), strict=True):
        for k in range(mechanism.g):
            h = 1e-4 * np.eye(mechanism.g)[k]
            sides = [mechanism.forward_dynamics(z + s * h if state is z else z,
                                                zd + s * h if state is zd else zd, near=q)
                     for s in (2.0, 1.0, -1.0, -2.0)]
            column = (-sides[0] + 8.0 * sides[1] - 8.0 * sides[2] + sides[3]) / 12e-4
            np.testing.assert_allclose(exact[:, k], column, rtol=1e-6,
                                       atol=1e-6 * (1.0 + np.abs(exact).max()))


def test_the_car_stands_on_its_tyres():
    """At rest they carry what it weighs, each a quarter."""
    car = MACHINES['car'].replace(parameters={'speed': 0.0})
    run = simulate(car, 4.0, 2e-3, 'index3_al', estimate_error=False)
    assert np.abs(run.zd[-1]).max() < 5e-3
    weight = 9.81 * sum(body.mass for body in car.bodies.values())
    loads = []
    for k in range(4):
        tyre = car.described.forces[f'tyre{k}']
        centre = car.body_motion(f'wheel{k}', run.q[-1]).position_of(tyre.at)
        loads.append(tyre.values[1] * (tyre.values[0] - centre[2]))
    assert sum(loads) == pytest.approx(weight, rel=1e-4)
    np.testing.assert_allclose(loads, weight / 4, rtol=2e-3)


def test_the_car_corners_as_a_single_track_does():
    """Axles alike steer neutrally: yaw rate = speed (steering angle front - rear) / wheelbase."""
    car = MACHINES['car'].replace(forces={'hands': {'rest': 0.004}})
    run = simulate(car, 4.0, 2e-3, 'index3_al', estimate_error=False)
    body, *knuckles = (car.body_motion(name, run.q[-1], run.qd[-1]) for name in (
        'body', 'knuckle0', 'knuckle1', 'knuckle2', 'knuckle3'))
    heading = [body.rotation.T @ knuckle.rotation[:, 0] for knuckle in knuckles]
    steered = [np.arctan2(ahead[1], ahead[0]) for ahead in heading]
    ahead = (body.rotation.T @ body.velocity)[0]
    expected = ahead * (steered[0] + steered[1] - steered[2] - steered[3]) / 2.0 / 2.6
    assert expected < -0.05         # the rack is behind the axle: to the left, it turns right
    assert body.angular_velocity[2] == pytest.approx(expected, rel=0.02)
    assert 0.01 < -np.arcsin(body.rotation[2, 1]) < 0.06       # it leans outwards
    energy = run.energy()
    assert np.abs(energy.drift).max() < 1e-3 * energy.kinetic.max()


def test_a_four_bar_linkage_in_space_moves_like_the_planar_one():
    planar, spatial = (simulate(load_mechanism(name), 2.0, STEP, 'matrix_r', 'rk4',
                                estimate_error=False) for name in ('four_bar', 'spatial_four_bar'))
    np.testing.assert_allclose(spatial.z, planar.z, atol=1e-9)
    np.testing.assert_allclose(spatial.zd, planar.zd, atol=1e-9)


@pytest.mark.parametrize('theta', [-2.0, 0.4, 1.5, 3.0])
def test_the_slider_is_where_the_rod_reaches(theta):
    mechanism = MACHINES['spatial_slider_crank']
    q = mechanism.assemble([theta])
    ball = np.array([0.0, 0.1 - 0.08 * np.sin(theta), 0.12 + 0.08 * np.cos(theta)])
    assert q[mechanism.coordinates.index('s')] == pytest.approx(
        np.sqrt(0.3 ** 2 - ball @ ball), abs=1e-12)


def test_the_legs_of_the_platform_are_as_long_as_its_pose_says():
    mechanism = MACHINES['stewart']
    _, _, q = state_of(mechanism, 0.05)
    motion = mechanism.body_motion('platform', q)
    lengths = {name: q[mechanism.coordinates.index(name)]
               for name in mechanism.coordinates if name.startswith('length')}
    assert len(lengths) == 6
    for k in range(1, 7):
        base = mechanism.joints[f'base{k}'].offsets[0]
        top = motion.position_of(mechanism.bodies['platform'].points[f'P{k}'])
        assert lengths[f'length{k}'] == pytest.approx(np.linalg.norm(top - base), abs=1e-12)


def test_the_delta_robot_reaches_as_its_arms_and_rods_say():
    mechanism = MACHINES['delta']
    z, _, q = state_of(mechanism)
    for k in range(3):
        out = np.array([np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3), 0.0])
        phi = q[mechanism.coordinates.index(f'phi{k + 1}')]
        elbow = (0.20 + 0.25 * np.cos(phi)) * out - [0.0, 0.0, 0.25 * np.sin(phi)]
        assert np.linalg.norm(z + 0.06 * out - elbow) == pytest.approx(0.60, abs=1e-12)
    assert np.abs(mechanism.body_motion('platform', q).rotation - np.eye(3)).max() < 1e-12


def test_the_tool_of_the_arm_is_where_its_angles_say():
    """Products of the turns and shifts of the URDF."""
    mechanism = MACHINES['six_axis_arm']
    z, _, q = state_of(mechanism, 1.0)

    def turn(axis, angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]] if axis == 'y' else
                        [[c, -s, 0], [s, c, 0], [0, 0, 1]])
    place, total = np.zeros(3), np.eye(3)
    chain = [([0, 0, 0.089159], 0.0, 'z'), ([0, 0.13585, 0], np.pi / 2, 'y'),
             ([0, -0.1197, 0.425], 0.0, 'y'), ([0, 0, 0.39225], np.pi / 2, 'y'),
             ([0, 0.093, 0], 0.0, 'z'), ([0, 0, 0.09465], 0.0, 'y')]
    for (shift, pitch, axis), angle in zip(chain, z, strict=True):
        place = place + total @ shift
        total = total @ turn('y', pitch) @ turn(axis, angle)
    motion = mechanism.body_motion('wrist3', q)
    np.testing.assert_allclose(motion.position, place, atol=1e-12)
    np.testing.assert_allclose(motion.rotation, total, atol=1e-12)


def test_the_springs_of_the_governor_are_free_at_the_start():
    """30 degrees and s = 0.5 m make the distance from rod to slider 0.5 m, their length at rest."""
    mechanism = MACHINES['flyball_governor']
    lengths = [mechanism.q0[mechanism.coordinates.index(f'{name}.distance')]
               for name in ('spring1', 'spring2')]
    np.testing.assert_allclose(lengths, 0.5, atol=1e-12)


def test_the_excavator_s_cylinders_carry_what_it_weighs():
    """Virtual work: held still, forces of cylinders are what the potential energy rises by."""
    mechanism = MACHINES['excavator']
    z, still = mechanism.z0, np.zeros(mechanism.g)
    carried = mechanism.inverse_dynamics(z, still, still)
    step, gradient = 1e-5, []
    for k in range(mechanism.g):
        heights = [sum(body.mass * 9.81 * mechanism.body_motion(
            body.name, mechanism.assemble(z + sign * step * np.eye(mechanism.g)[k])).position_of(
                body.centre_of_gravity)[2] for body in mechanism.bodies.values())
            for sign in (1, -1)]
        gradient.append((heights[0] - heights[1]) / (2 * step))
    np.testing.assert_allclose(carried, gradient, atol=1e-3 * np.abs(gradient).max())


def test_the_bricard_ring_has_hinges_that_say_the_same_twice():
    mechanism = MACHINES['bricard']
    run = simulate(mechanism, END, STEP, 'index3_al', estimate_error=False)
    assert mechanism.redundant
    mechanism.require_closed(run.q[-1])
    hinge = mechanism.joints['hinge6']
    rod = mechanism.body_motion('rod5', run.q[-1])
    np.testing.assert_allclose(rod.position_of(hinge.offsets[0]), hinge.offsets[1], atol=1e-7)
    np.testing.assert_allclose(rod.rotation @ hinge.frames[0][:, 2], [1.0, 0.0, 0.0], atol=1e-7)


def test_oil_holds_the_excavator_where_its_valves_are_shut():
    mechanism = MACHINES['excavator']
    run = simulate_hydraulics(mechanism, END, STEP, estimate_error=False)
    lengths = run.z[:, 1:]
    assert np.abs(lengths - mechanism.z0[1:]).max() < 2e-3
    assert np.abs(run.energy().drift).max() < 1e-3 * run.energy().kinetic.max()
    # What moves the boom comes from the oil but for the friction of its seals, 4 kN at most.
    pressure = run.p[-1][:2] @ np.array([0.160 ** 2, 0.110 ** 2 - 0.160 ** 2]) * np.pi / 4
    held = mechanism.inverse_dynamics(run.z[-1], run.zd[-1], run.zdd[-1], near=run.q[-1])[1]
    assert pressure == pytest.approx(held, abs=4e3)
