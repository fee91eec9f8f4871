"""Every service of the model server for every machine that comes with mb_model, in both dimensions.

Answers are judged by each other: rates by differences of positions, accelerations by differences
of rates, matrices by differences of accelerations, reactions by the motion of the centre of
gravity.
"""

from contextlib import closing

from geometry_msgs.msg import Pose
import numpy as np
import pytest
import rclpy
from scipy.spatial.transform import Rotation
import yaml

from mb_interfaces import srv
from mb_model import FORMULATIONS, Mechanism, load_mechanism, mechanism_names
from mb_model.mechanism_file.file import parse_mechanism
from mb_model.nodes.model_server import ModelServerNode
from mb_model.space_api import body_poses
from mb_ros.node_bench import arguments_of

STEP = 1e-5         # of differences [rad, m]


class Served:
    """The services of a model server, called in its own process."""

    def __init__(self, name):
        """name: of a mechanism, or path of its file."""
        self.mechanism = load_mechanism(name)
        self._node = ModelServerNode(cli_args=arguments_of([f'mechanism:={name}']))
        self._callbacks = {service.srv_name.rpartition('/')[2]: service.callback
                           for service in self._node.services}
        rng = np.random.default_rng(1)
        self.z = self.mechanism.z0
        self.zd, self.zdd, self.force = rng.normal(size=(3, self.mechanism.g))
        if self.mechanism.rolling:      # other rates would let something slip
            self.zd = self.mechanism.zd0

    def close(self):
        self._node.destroy_node()

    def ask(self, kind, **request):
        """Return the response of a service."""
        name = ''.join(f'_{one.lower()}' if one.isupper() else one for one in kind).lstrip('_')
        kind = getattr(srv, kind)
        arrays = {key: value if isinstance(value, str) else list(map(float, value))
                  for key, value in request.items()}
        return self._callbacks[name](kind.Request(**arrays), kind.Response())

    def answer(self, kind, **request):
        """Return the response of a service that succeeds."""
        response = self.ask(kind, **request)
        assert response.success, response.message
        return response

    def along(self, t, zdd):
        """Return q, qd on the motion with zd, zdd at a time [s]."""
        z, zd = self.z + t * self.zd + 0.5 * t * t * zdd, self.zd + t * zdd
        answer = self.answer('SolveVelocity', z=z, zd=zd, near=self.mechanism.q0)
        return np.array(answer.q), np.array(answer.qd)


@pytest.fixture(scope='module', autouse=True)
def ros():
    rclpy.init(args=[])
    yield
    rclpy.shutdown()


@pytest.fixture(scope='module', params=mechanism_names())
def served(request):
    with closing(Served(request.param)) as server:
        yield server


def near(found, expected, accuracy):
    """Assert that arrays agree, relative to the largest number."""
    size = max(1.0, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(found, expected, atol=accuracy * size)


def test_positions_rates_and_accelerations_belong_together(served):
    position = served.answer('SolvePosition', z=served.z)
    assert position.residual < 1e-9
    answer = served.answer('SolveAcceleration', z=served.z, zd=served.zd, zdd=served.zdd)
    near(answer.q, position.q, 1e-9)
    (before, slower), (after, faster) = (
        served.along(t, served.zdd) for t in (-STEP, STEP))
    near(answer.qd, (after - before) / (2.0 * STEP), 1e-6)
    near(answer.qdd, (faster - slower) / (2.0 * STEP), 1e-6)


def test_forces_cause_the_accelerations_that_need_them(served):
    pushed = served.answer('ForwardDynamics', z=served.z, zd=served.zd, force=served.force)
    if served.mechanism.rolling:
        answer = served.ask('InverseDynamics', z=served.z, zd=served.zd, zdd=pushed.zdd)
        assert 'inverse_dynamics: not for mechanisms with bodies that roll' in answer.message
        return
    needed = served.answer('InverseDynamics', z=served.z, zd=served.zd, zdd=pushed.zdd)
    near(needed.force, served.force, 1e-6)


def test_the_linearisation_is_that_of_the_accelerations(served):
    linear = served.ask('Linearise', z=served.z, zd=served.zd, force=served.force)
    if served.mechanism.is_sparse:
        assert not linear.success
        assert 'linearise: only for mechanisms with dense storage' in linear.message
        return
    assert linear.success, linear.message
    g = served.mechanism.g
    for key, matrix in (('z', linear.a), ('zd', linear.b)):
        for k, column in enumerate(np.reshape(matrix, (g, g)).T):
            ends = []
            for sign in (-1.0, 1.0):
                state = {'z': served.z, 'zd': served.zd, 'force': served.force}
                state[key] = state[key] + sign * STEP * np.eye(g)[k]
                ends.append(np.array(served.answer('ForwardDynamics', **state).zdd))
            near(column, (ends[1] - ends[0]) / (2.0 * STEP), 1e-4)


def test_reactions_carry_the_machine_on_its_motion(served):
    """Joints and weights accelerate the masses, where nothing else acts, and joints do no work."""
    mechanism = served.mechanism
    forces = mechanism.described.forces or mechanism.circuit
    zdd = np.array(served.answer('ForwardDynamics', z=served.z, zd=served.zd).zdd)
    reactions = served.answer('Reactions', z=served.z, zd=served.zd).reactions
    size = max(np.abs(vector(one.wrench.force)).max() for one in reactions)
    step, found = 1e-4, served.answer('DescribeMechanism')
    before, here, after = (body_poses(mechanism, served.along(t, zdd)[0])
                           for t in (-step, 0.0, step))
    if not forces:
        push = sum(body.inertia.m * (
            (centre(body, after) - 2.0 * centre(body, here) + centre(body, before)) / step ** 2
            - vector(found.gravity)) for body in found.bodies)
        carried = sum(vector(one.wrench.force) for one in reactions)
        np.testing.assert_allclose(carried, push, atol=1e-5 * size)
    if mechanism.dimension == 3 or not forces:
        # Sections move with the modes of a body that bends, against its frame: they carry power.
        sections = {f'{name}.{point}' for name in mechanism.flexible_bodies
                    for point in mechanism.bodies[name].points} if mechanism.dimension == 3 else ()
        powers = [power(one, before, here, after, 2.0 * step) for one in reactions
                  if one.joint not in sections]
        assert abs(sum(powers)) < 1e-6 * max(np.abs(powers).max(), size)


def centre(body, poses):
    """Return where the centre of gravity of a MechanismBody is (3)."""
    (origin,), (turn,) = poses[body.name]
    return origin + turn @ vector(body.inertia.com)


def power(reaction, before, here, after, passed):
    """Return the power [W] of a Reaction on its body, by the body's places before and after."""
    (start,), (first,) = before[reaction.body]
    (end,), (last,) = after[reaction.body]
    (origin,), _ = here[reaction.body]
    turning = Rotation.from_matrix(last @ first.T).as_rotvec() / passed
    arm = vector(reaction.frame.position) - origin
    return (vector(reaction.wrench.force) @ ((end - start) / passed + np.cross(turning, arm))
            + vector(reaction.wrench.torque) @ turning)


def test_a_description_puts_joints_together_and_makes_the_same_machine(served):
    mechanism, found = served.mechanism, served.answer('DescribeMechanism')
    assert found.dimension == mechanism.dimension
    again = Mechanism(*parse_mechanism(found.yaml, 'answer.yaml'))
    assert again.model.tobytes() == mechanism.model.tobytes()
    assert list(found.coordinates) == list(mechanism.coordinates)
    assert [one.inertia.m for one in found.bodies] == [
        one.mass for one in mechanism.bodies.values()]
    places = {one.name: vector(one.position) for one in found.points}
    for body in found.bodies:
        if mechanism.dimension == 2:
            one, other = (places[name] for name in list(body.points)[:2])
            np.testing.assert_allclose(vector(body.pose.position), one)
            np.testing.assert_allclose(axes(body.pose)[:, 0], (other - one)
                                       / np.linalg.norm(other - one), atol=1e-9)
    poses = {body.name: body.pose for body in found.bodies} | {'ground': Pose()}
    for joint in found.joints:
        ends = [place_and_axis(poses[body], frame)
                for body, frame in zip(joint.bodies, joint.frames, strict=True)]
        if joint.kind in ('revolute', 'spherical', 'universal'):
            np.testing.assert_allclose(ends[0][0], ends[1][0], atol=1e-8)
        if joint.kind in ('revolute', 'prismatic', 'cylindrical', 'planar', 'screw'):
            np.testing.assert_allclose(ends[0][1], ends[1][1], atol=1e-8)


def test_formulations_that_serve_are_offered_and_others_refused_with_a_reason(served):
    offered = {one.name for one in served.answer('DescribeMechanism').formulations}
    state = {'z': served.z, 'zd': served.zd, 'zdd': served.zdd}
    if served.mechanism.rolling:
        assert offered == {'matrix_r'}
        return
    expected = served.answer('InverseDynamics', **state).force
    for name in FORMULATIONS:
        answer = served.ask('InverseDynamics', formulation=name, **state)
        if answer.success:
            near(answer.force, expected, 1e-3)      # penalties let constraints give way
        else:
            assert name in answer.message
        if name not in offered:
            assert f'formulation: {name}: not for ' in answer.message


def vector(message):
    """Return a vector (3) of a message with x, y, z."""
    return np.array([message.x, message.y, message.z])


def axes(pose):
    """Return the rotation matrix of a Pose."""
    turn = pose.orientation
    return Rotation.from_quat([turn.x, turn.y, turn.z, turn.w]).as_matrix()


def place_and_axis(body, frame):
    """Return the origin (3) of a frame on a body, by their Poses, and its z axis (3)."""
    return (vector(body.position) + axes(body) @ vector(frame.position),
            axes(body) @ axes(frame)[:, 2])


def test_machines_whose_places_may_change_are_served_as_others(tmp_path):
    """A place of the arm is another one; both files have other coordinates q, the same motion."""
    moved = load_mechanism('six_axis_arm').replace(
        bodies={'upper_arm': {'points': {'elbow': [0.015, -0.1197, 'upper']}}})
    variable = moved.replace(bodies={body: {'variable_places': True} for body in moved.bodies})
    assert variable.n > moved.n
    answers = []
    for k, mechanism in enumerate((moved, variable)):
        path = tmp_path / f'arm{k}.yaml'
        path.write_text(yaml.safe_dump(dict(mechanism.raw)))
        with closing(Served(str(path))) as server:
            state = {'z': server.z, 'zd': server.zd}
            dynamics = server.answer('ForwardDynamics', force=server.force, **state)
            linear = server.answer('Linearise', force=server.force, **state)
            answers.append([dynamics.zdd, linear.a, linear.b, server.answer(
                'InverseDynamics', zdd=server.zdd, **state).force])
    for expected, found in zip(*answers, strict=True):
        near(found, np.array(expected), 1e-9)


def test_what_importing_a_description_noted_is_logged(ros, tmp_path, capfd):
    raw = load_mechanism('pendulum').raw | {'origin': {'notes': ['left out: link a: why']}}
    file = tmp_path / 'pendulum.yaml'
    file.write_text(yaml.safe_dump(raw))
    with closing(Served(str(file))):
        assert 'pendulum: left out: link a: why' in capfd.readouterr().err
