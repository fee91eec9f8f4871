"""Joints that give way: errors of a prototype that no rigid model knows.

The joints that close loops, which MuJoCo holds by soft constraints, are springs and dampers in
place of rigid ones, with the small constant impedance of obstacles_in_mujoco.  With clearance
a pin is free in its hole: the distance of both centres is a tendon with a limit, which pushes back
along the line through them, without friction (Flores et al. 2008, Kinematics and Dynamics of
Multibody Systems with Imperfect Joints, with a linear law of contact).
"""

from collections.abc import Sequence
from math import sqrt

import mujoco
import numpy as np

from mb_model.arrays import FloatArray
from mb_simulation.prototypes.obstacles_in_mujoco import IMPEDANCE
from mb_simulation.prototypes.segments import largest_rate

CLEARANCE = 'clearance/'        # prefix of the names of tendons from pins to their holes


def fastest_rate(spec: mujoco.MjSpec, stiffness: float, damping: float) -> float:
    """Return the largest rate at which elastic joints swing or come to rest, at the start [1/s].

    spec: of the machine with rigid ones; stiffness [N/m], damping [N s/m] of each.
    """
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rows = 3 * int((model.eq_type == mujoco.mjtEq.mjEQ_CONNECT).sum())
    jacobian = data.efc_J.reshape(-1, model.nv)[:rows]
    answers = np.empty_like(jacobian)
    mujoco.mj_solveM(model, data, answers, jacobian)
    yields = float(np.linalg.eigvalsh(jacobian @ answers.T)[-1])        # of the inverse masses
    frequency = sqrt(stiffness * yields)
    return largest_rate(frequency, 0.5 * damping * yields / frequency)


def add_clearance(spec: mujoco.MjSpec, name: str, position: FloatArray, sites: Sequence[str],
                  clearance: float) -> None:
    """Add the tendon of a pin in a hole.

    position: in the world at the start (3) [m]; sites: of both bodies, '' for the ground.
    """
    tendon = spec.add_tendon(name=f'{CLEARANCE}{name}', limited=True, range=[0.0, clearance])
    for site in sites:
        if not site:
            site = f'{CLEARANCE}{name}'
            spec.worldbody.add_site(name=site, pos=position)
        tendon.wrap_site(site)


def widest_gap(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Return how far a pin is from the middle of its hole at most [m]; 0 without clearance."""
    return max((float(data.ten_length[k]) for k in range(model.ntendon)
                if model.tendon(k).name.startswith(CLEARANCE)), default=0.0)


def make_elastic(model: mujoco.MjModel, stiffness: float, damping: float) -> None:
    """Give the joints that close loops of a compiled model their elasticity; see fastest_rate."""
    scale = -(1.0 - IMPEDANCE) * np.array([stiffness, damping])
    for k in range(model.ntendon):
        if model.tendon(k).name.startswith(CLEARANCE):
            model.tendon_solref_lim[k] = model.tendon_invweight0[k] * scale
            model.tendon_solimp_lim[k, :3] = IMPEDANCE, IMPEDANCE, 1.0
    for k in range(model.neq):
        if model.eq_type[k] == mujoco.mjtEq.mjEQ_CONNECT:
            bodies = [model.eq_obj1id[k], model.eq_obj2id[k]]
            model.eq_solref[k] = model.body_invweight0[bodies, 0].sum() * scale
            model.eq_solimp[k, :3] = IMPEDANCE, IMPEDANCE, 1.0
