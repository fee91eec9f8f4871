"""Bodies without mass, or without inertia about a line, in MuJoCo, which wants all of it > 0.

A cross of a universal joint, an idle bar of a parallelogram or a thin rod gets a millionth of what
the lightest body has.  Constraints on such a body are as firm as those on bodies with mass: MuJoCo
sizes what gives way in a constraint by the inverse masses of its bodies.
"""

from typing import NamedTuple

import mujoco
import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import SpatialTree

_SHARE = 1e-6       # of the lightest mass, the smallest moment, the largest moment of a rod
_LEAST = 2e-15      # of masses [kg] and moments [kg m^2]: MuJoCo takes nothing below 1e-15
_ROUNDED = 1e-14    # of the largest moment: what is left of a zero

_SINGLE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE


class Weight(NamedTuple):
    """Mass [kg] of a body in MuJoCo, and inertia (3, 3) about its centre [kg m^2]."""

    mass: float
    inertia: FloatArray


def weights(mechanism: Mechanism, tree: SpatialTree) -> dict[str, Weight]:
    """Return the Weights of bodies that MuJoCo does not take as they are, by name."""
    bodies = tree.description.bodies
    masses = [body.mass for body in bodies.values() if body.mass > 0.0]
    moments = [float(np.linalg.eigvalsh(body.inertia)[2]) for body in bodies.values()]
    least = (max(_SHARE * min(masses), _LEAST),
             max(_SHARE * min((one for one in moments if one > 0.0), default=min(masses)), _LEAST))
    sections = {section for body in bodies.values() for section in body.sections}
    given = {}
    for hinge in tree.hinges:
        body = bodies[hinge.group]
        wanted = hinge.chain or mechanism.dimension == 3       # in the plane not of what is welded
        if wanted and body.beam is None and hinge.group not in sections:
            own = Weight(least[0] if body.mass < _LEAST else body.mass,
                         _taken(body.inertia, least[1], body.slender))
            if own.mass != body.mass or own.inertia is not body.inertia:
                given[hinge.group] = own
    return given


def _taken(inertia: FloatArray, least: float, slender: bool) -> FloatArray:
    """Return an inertia (3, 3) that MuJoCo takes: itself, or one with larger small moments."""
    moments, axes = np.linalg.eigh(inertia)
    largest = moments[2]
    if slender and largest > 0.0:       # MujocoBodies gives it one about its line
        return inertia
    wanted = moments
    if moments[0] < max(_LEAST, _ROUNDED * largest):
        wanted = np.maximum(moments, max(_SHARE * largest, _LEAST) if largest > 0.0 else least)
    lacking = wanted[2] - wanted[0] - wanted[1]     # no moment is above the sum of the others
    if np.count_nonzero(inertia) > 3:       # MuJoCo's own axes of it are rounded
        lacking += _ROUNDED * largest
    if wanted is moments and lacking <= 0.0:
        return inertia
    return (axes * (wanted + max(lacking, 0.0) + 2.0 * _ROUNDED * largest)) @ axes.T


def make_firm(model: mujoco.MjModel, mechanism: Mechanism) -> None:
    """Let what gives way on bodies without mass be as on others, in the compiled model."""
    light = [model.body(name).id for name, body in mechanism.bodies.items()
             if body.mass < _LEAST and body.beam is None]
    heavy = [k for k in range(1, model.nbody) if k not in light]
    if not light or not heavy:
        return
    largest = model.body_invweight0[heavy].max(axis=0)
    model.body_invweight0[light] = np.minimum(model.body_invweight0[light], largest)
    carried = np.isin(model.dof_bodyid, heavy)
    for kind in _SINGLE:        # a body with mass may turn against one without, on the same axis
        own = model.jnt_type[model.dof_jntid] == kind
        if (own & carried).any():
            model.dof_invweight0[own] = np.minimum(
                model.dof_invweight0[own], 1.0 / model.dof_M0[own & carried].min())
    for k in range(model.ntendon):
        wraps = slice(model.tendon_adr[k], model.tendon_adr[k] + model.tendon_num[k])
        most = 2.0 * largest[0]
        if model.wrap_type[wraps.start] == mujoco.mjtWrap.mjWRAP_JOINT:
            dofs = model.jnt_dofadr[model.wrap_objid[wraps]]
            most = model.wrap_prm[wraps] ** 2 @ model.dof_invweight0[dofs]
        model.tendon_invweight0[k] = min(model.tendon_invweight0[k], most)
