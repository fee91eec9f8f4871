"""The process in which MuJoCo compiles MJCF, see line_process.

MuJoCo breaks off its process for some texts, and takes what memory a text asks for; so it runs in
one of its own, which has neither more memory nor other files than it needs.
"""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from mb_import.line_process import serve
from mb_import.readers.mjcf.mesh_files import Meshes, settle_meshes, settle_names
from mb_import.readers.mjcf.records import (
    ActuatorRecord,
    BodyRecord,
    Compiled,
    EqualityRecord,
    GeomRecord,
    JointRecord,
    KeyRecord,
    SensorRecord,
    SiteRecord,
    TendonRecord,
)

_MEMORY = 6_000_000_000      # bytes of addresses
_JOINTS = {0: 'free', 1: 'ball', 2: 'slide', 3: 'hinge'}
_OBJECTS = mujoco.mjtObj
_GAIN, _BIAS, _DYNAMICS = mujoco.mjtGain, mujoco.mjtBias, mujoco.mjtDyn


def compiled(text: str, folder: Path) -> Compiled:
    """Return an MJCF text as compiled; raises ValueError in MuJoCo's words.

    folder: where files of meshes may be.
    """
    spec = mujoco.MjSpec.from_string(text)
    spec.compiler.fusestatic = spec.compiler.discardvisual = 0
    settle_names(spec)
    meshes = settle_meshes(spec, folder)
    model = spec.compile()
    return Compiled(
        name=spec.modelname, gravity=model.opt.gravity.tolist(),
        disabled=[flag.name.removeprefix('mjDSBL_').lower() for flag in mujoco.mjtDisableBit
                  .__members__.values() if model.opt.disableflags & int(flag.value)],
        fluid=bool(model.opt.density or model.opt.viscosity),
        bodies=[_body(model, meshes, k) for k in range(model.nbody)],
        joints=[_joint(model, k) for k in range(model.njnt)],
        geoms=[_geom(model, meshes, k) for k in range(model.ngeom)],
        sites=[SiteRecord(_name(model.site(k)), int(model.site_bodyid[k]),
                          model.site_pos[k].tolist(), model.site_quat[k].tolist())
               for k in range(model.nsite)],
        equalities=[EqualityRecord(
            _name(model.eq(k)), _word(mujoco.mjtEq, model.eq_type[k]),
            _word(_OBJECTS, model.eq_objtype[k]), int(model.eq_obj1id[k]),
            int(model.eq_obj2id[k]), model.eq_data[k].tolist(), bool(model.eq_active0[k]))
            for k in range(model.neq)],
        tendons=[_tendon(model, k) for k in range(model.ntendon)],
        actuators=[_actuator(model, k) for k in range(model.nu)],
        sensors=[SensorRecord(
            _name(model.sensor(k)), _word(mujoco.mjtSensor, model.sensor_type[k]),
            _word(_OBJECTS, model.sensor_objtype[k]), int(model.sensor_objid[k]),
            bool(model.sensor_refid[k] >= 0), float(model.sensor_noise[k]),
            float(model.sensor_interval[k, 0])) for k in range(model.nsensor)],
        keys=[KeyRecord(_name(model.key(k)), [
            (joint, float(model.key_qpos[k, model.jnt_qposadr[joint]]))
            for joint in range(model.njnt) if model.jnt_type[joint] > 1])
            for k in range(model.nkey)])


def _body(model: mujoco.MjModel, meshes: Meshes, k: int) -> BodyRecord:
    name = model.body(k).name
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.body_iquat[k])
    axes = turn.reshape(3, 3)
    inertia = (axes * model.body_inertia[k]) @ axes.T
    return BodyRecord(
        '' if name.startswith('#') else name, int(model.body_parentid[k]),
        model.body_pos[k].tolist(), model.body_quat[k].tolist(), float(model.body_mass[k]),
        model.body_ipos[k].tolist(), (0.5 * (inertia + inertia.T)).ravel().tolist(),
        meshes.missing.get(name, []), float(model.body_gravcomp[k]),
        bool(model.body_mocapid[k] >= 0))


def _joint(model: mujoco.MjModel, k: int) -> JointRecord:
    at, dof = model.jnt_qposadr[k], model.jnt_dofadr[k]
    lower, upper = model.jnt_range[k].tolist()
    if not model.jnt_limited[k]:
        lower = upper = None
    return JointRecord(
        model.joint(k).name, _JOINTS[int(model.jnt_type[k])], int(model.jnt_bodyid[k]),
        model.jnt_pos[k].tolist(), model.jnt_axis[k].tolist(), float(model.qpos0[at]),
        float(model.qpos_spring[at]), float(model.jnt_stiffness[k]),
        float(model.dof_damping[dof]), float(model.dof_frictionloss[dof]),
        float(model.dof_armature[dof]), lower, upper,
        _largest(model.jnt_actfrcrange[k]) if model.jnt_actfrclimited[k] else None,
        bool(model.jnt_stiffnesspoly[k].any() or model.dof_dampingpoly[dof].any()))


def _geom(model: mujoco.MjModel, meshes: Meshes, k: int) -> GeomRecord:
    name, pos, quat = model.geom(k).name, model.geom_pos[k], model.geom_quat[k]
    mesh = model.geom_dataid[k]
    if mesh >= 0:            # MuJoCo has moved the mesh to its principal axes
        inverse = np.empty(3), np.empty(4)
        mujoco.mju_negPose(*inverse, model.mesh_pos[mesh], model.mesh_quat[mesh])
        outer = np.empty(3), np.empty(4)
        mujoco.mju_mulPose(*outer, pos, quat, *inverse)
        pos, quat = outer
    shown = meshes.shown.get(name, '')
    return GeomRecord(
        '' if name.startswith('#') else name,
        'mesh' if shown else _word(mujoco.mjtGeom, model.geom_type[k]),
        int(model.geom_bodyid[k]), pos.tolist(), quat.tolist(),
        meshes.scales.get(name) or model.geom_size[k].tolist(), shown,
        bool(model.geom_contype[k] or model.geom_conaffinity[k]))


def _tendon(model: mujoco.MjModel, k: int) -> TendonRecord:
    start, count = model.tendon_adr[k], model.tendon_num[k]
    wraps = range(start, start + count)
    fixed = all(model.wrap_type[w] == mujoco.mjtWrap.mjWRAP_JOINT for w in wraps)
    straight = count == 2 and all(model.wrap_type[w] == mujoco.mjtWrap.mjWRAP_SITE for w in wraps)
    others = [word for word, value in (
        ('armature', model.tendon_armature[k]), ('limits', model.tendon_limited[k])) if value]
    rest, longest = map(float, model.tendon_lengthspring[k])
    return TendonRecord(
        _name(model.tendon(k)), fixed,
        [(int(model.wrap_objid[w]), float(model.wrap_prm[w])) for w in wraps] if fixed else [],
        [int(model.wrap_objid[w]) for w in wraps] if straight else [],
        float(model.tendon_length0[k]), float(model.tendon_stiffness[k]), rest, longest > rest,
        float(model.tendon_damping[k]), float(model.tendon_frictionloss[k]),
        bool(model.tendon_stiffnesspoly[k].any() or model.tendon_dampingpoly[k].any()), others)


def _actuator(model: mujoco.MjModel, k: int) -> ActuatorRecord:
    effort = _largest(model.actuator_forcerange[k]) if model.actuator_forcelimited[k] else None
    return ActuatorRecord(
        _name(model.actuator(k)), _word(mujoco.mjtTrn, model.actuator_trntype[k]),
        int(model.actuator_trnid[k, 0]), float(model.actuator_gear[k, 0]), _command(model, k),
        effort, float(np.ravel(model.actuator_armature[k])[0]),
        float(np.ravel(model.actuator_damping[k])[0]))


def _command(model: mujoco.MjModel, k: int) -> str:
    """Return what an actuator takes; its law is gain * control + bias, affine in its length."""
    gain, bias, dynamics = (int(values[k]) for values in (
        model.actuator_gaintype, model.actuator_biastype, model.actuator_dyntype))
    if gain != _GAIN.mjGAIN_FIXED or bias not in (_BIAS.mjBIAS_NONE, _BIAS.mjBIAS_AFFINE):
        return ''
    _, position, speed = model.actuator_biasprm[k, :3] if bias else (0.0, 0.0, 0.0)
    if dynamics == _DYNAMICS.mjDYN_INTEGRATOR:
        return 'velocity'
    if dynamics not in (_DYNAMICS.mjDYN_NONE, _DYNAMICS.mjDYN_FILTER,
                        _DYNAMICS.mjDYN_FILTEREXACT):
        return ''
    return 'position' if position else 'velocity' if speed else 'effort'


def _largest(limits: np.ndarray) -> float:
    return float(np.abs(limits).max())


def _name(view: object) -> str:
    return str(getattr(view, 'name', ''))


def _word(kinds: type, value: int) -> str:
    """Return the last word of a constant of MuJoCo: mjEQ_CONNECT is connect."""
    return str(kinds(int(value)).name).partition('_')[2].lower()


def answer(question: Mapping[str, Any]) -> str:
    """Return a Compiled as a line, or `error`."""
    try:
        return compiled(question['text'], Path(question['folder'])).to_json()
    except (ValueError, TypeError, RuntimeError, OSError, MemoryError, RecursionError,
            mujoco.FatalError) as error:
        return json.dumps({'error': str(error) or type(error).__name__})


if __name__ == '__main__':
    serve(answer, _MEMORY)
