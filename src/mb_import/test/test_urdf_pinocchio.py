"""Trees of URDF against Pinocchio: places of links, masses, kinetic energy."""

import numpy as np
import pytest
from read_descriptions import OURS, PUBLIC, matrix, read

from mb_import.drawing import drawn_poses
from mb_model.file_api import load_yaml
from mb_model.space_api import rotation_vector

pin = pytest.importorskip('pinocchio')
TWO_PARENTS = 'delta', 'crossed_rod'        # of a link, which Pinocchio leaves out
FILES = [*sorted(path for path in OURS.glob('*.urdf') if path.stem not in TWO_PARENTS),
         *(PUBLIC / name for name in (
             '09-dobot-magician-urdf/clean_model_no_macros.urdf',
             '11-gepetto-delta-kangaroo/digit_like_robot.urdf',
             '11-gepetto-delta-kangaroo/kangaroo_like_robot.urdf',
             '19-urdf-inertia-rotated/rotated_inertia_hinged.urdf',
             '20-fixed-joint-lumping/with_fixed_joint.urdf'))]


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def robots(request):
    """(our Machine, Pinocchio's model) of a file."""
    if not request.param.is_file():
        pytest.skip('needs ../shared/cases/public')
    return read(request.param)[0], pin.buildModelFromUrdf(str(request.param))


def random_motion(machine, model, seed):
    """Return (values, rates) by joint, and the same as q and v of Pinocchio."""
    generator = np.random.default_rng(seed)
    values, rates = {}, {}
    q, v = pin.neutral(model), np.zeros(model.nv)
    for name, joint in machine.joints.items():
        if not joint.is_scalar:
            continue
        values[name], rates[name] = generator.uniform(-1.0, 1.0, 2)
        one = model.joints[model.getJointId(name)]
        q[one.idx_q:one.idx_q + one.nq] = (
            [values[name]] if one.nq == 1 else [np.cos(values[name]), np.sin(values[name])])
        v[one.idx_v] = rates[name]
    return values, rates, q, v


def test_links_are_where_pinocchio_puts_them(robots):
    machine, model = robots
    data = model.createData()
    for seed in range(3):
        values, _, q, _ = random_motion(machine, model, seed)
        pin.framesForwardKinematics(model, data, q)
        poses = drawn_poses(machine, values)
        assert len(poses) == len(machine.links) + 1
        for link in machine.links:
            theirs = data.oMf[model.getFrameId(link, pin.FrameType.BODY)].homogeneous
            np.testing.assert_allclose(matrix(poses[link]), theirs, atol=1e-13)


@pytest.mark.parametrize('robot', ['digit_like_robot', 'kangaroo_like_robot'])
def test_pairs_of_frames_are_as_far_apart_as_in_pinocchio(robot):
    """Drawn, at zero: up to 0.6 m and half a turn."""
    path = PUBLIC / '11-gepetto-delta-kangaroo' / f'{robot}.urdf'
    if not path.is_file():
        pytest.skip('needs ../shared/cases/public')
    machine, model = read(path)[0], pin.buildModelFromUrdf(str(path))
    data, poses = model.createData(), drawn_poses(machine, {})
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    pairs = load_yaml(path.with_suffix('.yaml').read_text())[0]['closed_loop']
    for names, closure in zip(pairs, machine.closures.values(), strict=True):
        first, second = (data.oMf[model.getFrameId(name)] for name in names)
        ours = [matrix(poses[link]) @ matrix(frame)
                for link, frame in zip(closure.links, closure.frames, strict=True)]
        np.testing.assert_allclose(np.linalg.inv(ours[0]) @ ours[1],
                                   first.actInv(second).homogeneous, atol=1e-12)


def test_limits_damping_and_friction_are_pinocchios(robots):
    machine, model = robots
    for name, joint in machine.joints.items():
        if not joint.is_scalar:
            continue
        one = model.joints[model.getJointId(name)]
        assert joint.damping == pytest.approx(model.damping[one.idx_v])
        assert joint.friction == pytest.approx(model.friction[one.idx_v])
        if np.isfinite(joint.upper):
            assert joint.lower == pytest.approx(model.lowerPositionLimit[one.idx_q])
            assert joint.upper == pytest.approx(model.upperPositionLimit[one.idx_q])


def test_masses_move_with_the_energy_of_pinocchio(robots):
    """T = sum of m v^2 / 2 + w I w / 2, velocities by differences of places; and the centre."""
    machine, model = robots
    data = model.createData()
    values, rates, q, v = random_motion(machine, model, 7)
    step = 1e-5
    before, now, after = (drawn_poses(machine, {
        name: values[name] + sign * step * rates[name] for name in values})
        for sign in (-1.0, 0.0, 1.0))
    mass, centre, energy = 0.0, np.zeros(3), 0.0
    for name, link in machine.links.items():
        held = link.inertial
        if held is None or machine.joints.get(f'{name}_base') is not None:
            continue
        velocity = (after[name].of(held.centre) - before[name].of(held.centre)) / (2.0 * step)
        turned = rotation_vector(before[name].turn.T @ after[name].turn) / (2.0 * step)
        mass += held.mass
        centre += held.mass * now[name].of(held.centre)
        energy += 0.5 * (held.mass * velocity @ velocity + turned @ held.inertia @ turned)
    if mass:
        np.testing.assert_allclose(centre / mass, pin.centerOfMass(model, data, q), atol=1e-12)
    assert energy == pytest.approx(pin.computeKineticEnergy(model, data, q, v), rel=1e-8)
