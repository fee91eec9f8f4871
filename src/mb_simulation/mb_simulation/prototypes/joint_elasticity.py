"""Joints that give way: errors of a prototype that no rigid model knows.

The joints that close loops, which MuJoCo holds by soft constraints, are springs and dampers in
place of rigid ones, with the small constant impedance of prototypes.contact_mjcf.
"""

from dataclasses import dataclass

import mujoco

from mb_simulation.prototypes.contact_mjcf import IMPEDANCE


@dataclass(frozen=True)
class JointElasticity:
    """Stiffness [N/m] and damping [N s/m] of every joint that closes a loop, in all directions."""

    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        """Raise ValueError unless both are > 0."""
        if not (self.stiffness > 0.0 and self.damping > 0.0):
            raise ValueError(f'joint elasticity: stiffness {self.stiffness:g} and damping '
                             f'{self.damping:g} must be > 0')


def make_elastic(model: mujoco.MjModel, elasticity: JointElasticity) -> None:
    """Give the `connect` constraints of a compiled model the elasticity of joints."""
    for k in range(model.neq):
        if model.eq_type[k] == mujoco.mjtEq.mjEQ_CONNECT:
            bodies = [model.eq_obj1id[k], model.eq_obj2id[k]]
            weight = (1.0 - IMPEDANCE) * model.body_invweight0[bodies, 0].sum()
            model.eq_solref[k] = -weight * elasticity.stiffness, -weight * elasticity.damping
            model.eq_solimp[k, :3] = IMPEDANCE, IMPEDANCE, 1.0
