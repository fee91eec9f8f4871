"""Machines in space against EXUDYN, Pinocchio and MuJoCo, which model the same bodies and joints.

EXUDYN: places of all bodies after a second, both converged: EXUDYN's by its trapezoidal rule with
steps h and h / 2, extrapolated; ours by the fourth-order Runge-Kutta method with h.  Pinocchio:
accelerations of all bodies in random states, loops by its constrained dynamics, and derivatives of
the arm.  MuJoCo: the arm, which has no loops.  What forces a peer lacks is left out of both.
Bodies that turn freely, on a tip, and on a circle: closed forms, see spatial_closed_forms.
"""

import mujoco
import numpy as np

from benchmarks.figures import Figure
from benchmarks.peers import installed
from benchmarks.spatial_closed_forms import of_closed_forms
from mb_model import load_mechanism, make_stepper, simulate

END = 1.0                  # s
MOTION = 1e-6              # of a place after END [m], and of a direction
ACCELERATION = 1e-9        # of the largest one
STATES, SPREAD = 5, 0.03   # random states around the start [m or rad]
DROPPED = {'excavator': ['ring']}
# Steps [s], and which joints leave to others what is redundant.
MOVED = {'spatial_slider_crank': (2e-4, {}), 'bricard': (5e-4, {'hinge6': (1, 1, 1, 1, 0, 0)}),
         'flyball_governor': (2e-4, {}), 'spatial_four_bar': (5e-4, {'hinge4': (1, 1, 0, 0, 0, 0)}),
         'six_axis_arm': (5e-4, {}), 'stewart': (1e-3, {}), 'excavator': (1e-3, {}),
         'quarter_car': (2e-4, {})}
# The car, which is turned into a curve while it slides.
TURNING = {'forces': {'hands': {'rest': 0.004}}, 'start_velocity': {'at.y': 0.5, 'turn.z': 0.1}}
TURNED = 0.5               # s
TREES = ('six_axis_arm', 'flyball_governor')
CLOSED = ('spatial_slider_crank', 'bricard', 'spatial_four_bar', 'stewart', 'delta', 'excavator',
          'quadruped_leg')
CONSERVATIVE = ('spatial_slider_crank', 'bricard', 'spatial_four_bar', 'six_axis_arm')


def measure():
    """Return the differences to the peers that are installed, and what energy drifts."""
    return [*of_exudyn(), *of_pinocchio(), *of_mujoco(), *of_closed_forms(),
            *map(drift, CONSERVATIVE)]


def without(name, forces=None):
    """Return a mechanism that ships without some of its forces, by default those of DROPPED."""
    mechanism = load_mechanism(name)
    if forces is None:
        forces = DROPPED.get(name, ())
    return mechanism.replace(forces=dict.fromkeys(forces)) if forces else mechanism


def of_exudyn():
    """Return how far places after END are from EXUDYN's."""
    exudyn = installed('exudyn_spatial')
    if exudyn is None:
        return []
    figures = [_moved(without(name), exudyn.ExudynModel, step, held, END)
               for name, (step, held) in MOVED.items()]
    # Its tyres are functions in Python there, see peer_tyre.
    car = load_mechanism('car').replace(**TURNING)
    return [*figures, _moved(car, exudyn.ExudynModel, 1e-3, {}, TURNED, modified_newton=True)]


def _moved(mechanism, peer, step, held, end, **how):
    """Return how far places and directions of all bodies are from EXUDYN's after a time."""
    coarse, fine = (peer(mechanism, held).run(round(end / h), h, **how) for h in (step, step / 2))
    run = simulate(mechanism, end, step, 'matrix_r', 'rk4', estimate_error=False)
    errors, changes = [], []
    for body in mechanism.bodies:
        motion = mechanism.body_motion(body, run.q[-1])
        theirs = [(4.0 * b - a) / 3.0 for a, b in zip(coarse[body], fine[body], strict=True)]
        changes.append(np.abs(fine[body][0] - coarse[body][0]).max())
        errors.append(np.abs(motion.position - theirs[0]).max())
        if not mechanism.bodies[body].slender:
            errors.append(np.abs(motion.rotation - theirs[1]).max())
    return Figure(f'{mechanism.name}: motion of {end:g} s, from EXUDYN', max(errors), 'm, 1',
                  MOTION, peer='EXUDYN, with half its steps', peer_value=max(changes))


def states_of(mechanism):
    """Yield random states (q, qd, qdd) without forces from outside, near the start."""
    random = np.random.default_rng(1)
    for _ in range(STATES):
        z = mechanism.z0 + SPREAD * random.standard_normal(mechanism.g)
        q, zd = mechanism.assemble(z), random.standard_normal(mechanism.g)
        qd = mechanism.velocity(q, zd)
        yield q, qd, mechanism.acceleration(q, qd, mechanism.forward_dynamics(z, zd, near=q))


def of_pinocchio():
    """Return how far accelerations, and derivatives of the arm, are from Pinocchio's."""
    pinocchio = installed('pinocchio_spatial')
    if pinocchio is None:
        return []
    figures = []
    for name in (*TREES, *CLOSED):
        mechanism = without(name, load_mechanism(name).described.forces)
        error = max(acceleration_error(
            mechanism, state, pinocchio.PinocchioModel(mechanism, *state[:2]))
            for state in states_of(mechanism))
        how = 'its tree' if name in TREES else 'constrained dynamics'
        figures.append(Figure(f'{name}: accelerations, from Pinocchio, {how}', error, '1',
                              ACCELERATION))
        figures.append(of_joints(mechanism, pinocchio.PinocchioModel))
    figures.append(of_joints(floating_arm(), pinocchio.PinocchioModel))
    arm = load_mechanism('six_axis_arm')
    errors = [derivative_error(arm, q, qd, pinocchio.PinocchioModel(arm, q, qd))
              for q, qd, _ in states_of(arm)]
    return [*figures, Figure('six_axis_arm: dzdd/dz, dzdd/dzd, from Pinocchio', max(errors), '1',
                             ACCELERATION)]


def of_joints(mechanism, peer):
    """Return how far accelerations of the semi-recursive formulation are from Pinocchio's."""
    stepper, errors = make_stepper(mechanism, 'semi_recursive', 'rk4'), []
    places = [mechanism.coordinates.index(name) for name in mechanism.independent]
    for q, qd, _ in states_of(mechanism):
        stepper.reset(q[places], qd[places], q)
        state = stepper.q, stepper.qd, stepper.qdd
        errors.append(acceleration_error(mechanism, state, peer(mechanism, *state[:2])))
    return Figure(f'{mechanism.name}: accelerations by semi_recursive, from Pinocchio', max(errors),
                  '1', ACCELERATION)


def floating_arm():
    """Return the arm with its first body afloat instead of on its hinge."""
    arm = load_mechanism('six_axis_arm')
    first, *others = arm.independent
    pose = arm.body_motion('shoulder', arm.q0)
    return arm.replace(
        name='floating_arm', joints={'pan': None}, sensors=None, sensor_groups=None,
        bodies={'shoulder': {'pose': {'at': (pose.position + 0.1).tolist(),
                                      'turn': [0.3, -0.2, 0.5]}}},
        coordinates={first: None, 'at': {'kind': 'position', 'body': 'shoulder'},
                     'turn': {'kind': 'orientation', 'body': 'shoulder'}},
        drives=None, start={first: None}, forces=dict.fromkeys(arm.described.forces),
        independent=['at.x', 'at.y', 'at.z', 'turn.x', 'turn.y', 'turn.z', *others])


def acceleration_error(mechanism, state, peer):
    """Return the largest difference of a body's acceleration, over the largest acceleration."""
    theirs, sizes, errors = peer.body_accelerations(), [], []
    for name, body in mechanism.bodies.items():
        motion = mechanism.body_motion(name, *state)
        sizes.append(np.abs(motion.acceleration).max())
        errors.append(np.abs(theirs[name][0] - motion.acceleration).max())
        if not body.slender:
            sizes.append(np.abs(motion.angular_acceleration).max())
            errors.append(np.abs(theirs[name][1] - motion.angular_acceleration).max())
    return max(errors) / max(sizes)


def derivative_error(mechanism, q, qd, peer):
    """Return the largest difference of exact derivatives of a tree, over the largest of them."""
    z, zd = (values[[mechanism.coordinates.index(name) for name in mechanism.independent]]
             for values in (q, qd))
    ours = np.hstack(mechanism.linearise(z, zd, near=q))
    theirs = np.hstack(peer.derivatives())
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


def of_mujoco():
    """Return how far accelerations and the motion of the arm are from MuJoCo's."""
    arm = load_mechanism('six_axis_arm')
    places = [arm.coordinates.index(name) for name in arm.independent]
    errors = []
    for q, qd, qdd in states_of(arm):
        model, data = mujoco_chain(arm, q)
        data.qvel[:] = qd[places]
        mujoco.mj_forward(model, data)
        errors.append(np.abs(data.qacc - qdd[places]).max() / np.abs(qdd[places]).max())
    step, _ = MOVED['six_axis_arm']
    model, data = mujoco_chain(arm, arm.q0)
    model.opt.timestep, model.opt.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
    for _ in range(round(END / step)):
        mujoco.mj_step(model, data)
    run = simulate(arm, END, step, 'matrix_r', 'rk4', estimate_error=False)
    return [Figure('six_axis_arm: accelerations, from MuJoCo', max(errors), '1', ACCELERATION),
            Figure(f'six_axis_arm: motion of {END:g} s, from MuJoCo',
                   np.abs(arm.z0 + data.qpos - run.z[-1]).max(), 'rad', MOTION)]


def mujoco_chain(mechanism, q):
    """Return (model, data) of a chain of hinges, listed outwards, whose angles are zero at q."""
    spec = mujoco.MjSpec()
    spec.option.gravity = mechanism.gravity
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    parent, at, turn = spec.worldbody, np.zeros(3), np.eye(3)
    for joint in mechanism.joints.values():
        body = mechanism.bodies[joint.bodies[1]]
        motion = mechanism.body_motion(body.name, q)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, (turn.T @ motion.rotation).ravel())
        xx, yy, zz = np.diag(body.inertia)
        parent = parent.add_body(
            name=body.name, pos=turn.T @ (motion.position - at), quat=quat, mass=body.mass,
            ipos=body.centre_of_gravity, explicitinertial=True,
            fullinertia=[xx, yy, zz, *body.inertia[[0, 0, 1], [1, 2, 2]]])
        parent.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, pos=joint.offsets[1],
                         axis=joint.frames[1][:, 2])
        at, turn = motion.position, motion.rotation
    model = spec.compile()
    return model, mujoco.MjData(model)


def drift(name):
    """Return what the energy of a machine without losses drifts in END by steps of 1 ms."""
    run = simulate(load_mechanism(name), END, 1e-3, 'index3_al', estimate_error=False)
    fine = simulate(load_mechanism(name), END, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    kinetic = run.energy().kinetic.max()
    return Figure(f'{name}: drift of energy, index3_al', np.abs(run.energy().drift).max() / kinetic,
                  'of kinetic', peer='matrix_r, rk4',
                  peer_value=np.abs(fine.energy().drift).max() / kinetic)
