"""MuJoCo's own figures of an MJCF text, beside figures of the Machine that was read from it."""

import mujoco
import numpy as np
from tree_dynamics import WIDTHS, TreeDynamics

from mb_import.notes import Notes
from mb_import.options import read_options
from mb_import.readers.mjcf import read
from mb_import.readers.mjcf.poses import turn_of
from mb_model.space_api import Pose


def read_mjcf(folder, text, **section):
    """Return (Machine, its notes as texts, MuJoCo's model) of a text; section: as `import`."""
    path = folder / 'machine.xml'
    path.write_text(text, encoding='utf-8')
    notes = Notes(path.name, section.get('strict', False))
    machine = read(path, read_options(section, path.name), notes)
    return machine, [str(note) for note in notes.notes], mujoco.MjModel.from_xml_string(text)


def compare(machine, model, seed, tolerance=1e-9):
    """Assert that a Machine moves as a model of MuJoCo does, at a random state.

    Places of bodies, mass matrix, bias and passive forces agree to a tolerance of the largest.
    """
    data = mujoco.MjData(model)
    rng = np.random.default_rng(seed)
    data.qpos[:] = model.qpos0 + rng.uniform(-2.0, 2.0, model.nq)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = rng.uniform(-2.0, 2.0, model.nv)
    mujoco.mj_forward(model, data)
    values, rates, order = {}, {}, []
    for name, joint in machine.joints.items():
        if not WIDTHS[joint.kind]:
            continue
        one = model.joint(name)
        at, dof = one.qposadr[0], one.dofadr[0]
        order += range(dof, dof + WIDTHS[joint.kind])
        rates[name] = data.qvel[dof:dof + WIDTHS[joint.kind]]
        values[name] = (
            data.qpos[at] if joint.is_scalar else
            turn_of(data.qpos[at:at + 4]) if joint.kind == 'spherical' else
            (data.qpos[at:at + 3], turn_of(data.qpos[at + 3:at + 7])))
    assert sorted(order) == list(range(model.nv))
    ours = TreeDynamics(machine, values, rates)
    for k in range(1, model.nbody):
        position, turn, *_ = ours.links[model.body(k).name]
        np.testing.assert_allclose(position, data.xpos[k], atol=tolerance)
        np.testing.assert_allclose(turn, data.xmat[k].reshape(3, 3), atol=tolerance)
    full = np.empty((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    for name, one, other in (('mass matrix', ours.mass_matrix(), full[np.ix_(order, order)]),
                             ('bias', ours.bias(), data.qfrc_bias[order]),
                             ('passive', ours.passive(), data.qfrc_passive[order])):
        largest = max(1.0, np.abs(other).max(initial=0.0))
        np.testing.assert_allclose(one, other, rtol=0.0, atol=tolerance * largest, err_msg=name)


def residuals(machine, data):
    """Return the gaps (3) [m] of closures, and what relations lack, by name, at a state."""
    values = {name: data.joint(name).qpos[0] for name, joint in machine.joints.items()
              if joint.is_scalar}
    poses = {name: Pose(position, turn) for name, (position, turn, *_) in TreeDynamics(
        machine, values, dict.fromkeys(values, 0.0)).links.items()}
    gaps = {}
    for name, joint in machine.closures.items():
        first, second = (poses[link].then(frame) for link, frame in zip(
            joint.links, joint.frames, strict=True))
        gaps[name] = first.at - second.at, first.turn.T @ second.turn
    lacks = {name: sum(factor * values[joint] for joint, factor in relation.terms.items())
             - relation.total for name, relation in machine.relations.items()}
    return gaps, lacks
