"""Prototypes: simulated machines that give the truth, one interface for every simulator."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mb_simulation.prototypes.obstacle import Obstacle
from mb_simulation.prototypes.prototype import Prototype, State

if TYPE_CHECKING:
    from mb_model import Mechanism
    from mb_simulation.prototypes.unmodelled import UnmodelledSettings

__all__ = ['ENGINES', 'State', 'make_prototype']

ENGINES = ('mujoco', 'multibody')


def make_prototype(engine: str, mechanism: 'Mechanism', interval: float, step: float,
                   obstacles: Sequence[Obstacle] = (),
                   unmodelled: 'UnmodelledSettings | None' = None) -> Prototype:
    """Return a Prototype of a mechanism at its start.

    engine: one of ENGINES; interval: time of one advance() [s]; step: longest integration step [s];
    obstacles: Obstacles that may be put into its way; unmodelled: UnmodelledSettings; both in
    MuJoCo alone.
    Raises ValueError if the engine cannot simulate the mechanism.
    """
    real = unmodelled is not None and not unmodelled.is_none
    if engine == 'mujoco':      # imported where needed: it costs start-up time
        if mechanism.dimension == 3:
            if real:
                raise ValueError(f'{mechanism.file}: unmodelled: only for mechanisms in the plane')
        elif mechanism.flexible_bodies or (real and unmodelled.changes_machine):
            from mb_simulation.prototypes.segmented_prototype import SegmentedPrototype
            return SegmentedPrototype(mechanism, interval, step, obstacles, unmodelled)
        from mb_simulation.prototypes.mujoco_prototype import MujocoPrototype
        return MujocoPrototype(mechanism, interval, step, obstacles, unmodelled)
    if engine == 'multibody':
        if obstacles:
            raise ValueError('engine: multibody knows no contacts, expected mujoco')
        if real:
            raise ValueError('unmodelled: the engine multibody has the physics of the model alone, '
                             'expected mujoco')
        from mb_simulation.prototypes.multibody_prototype import MultibodyPrototype
        return MultibodyPrototype(mechanism, interval, step)
    raise ValueError(f'engine: {engine!r} must be one of {", ".join(ENGINES)}')
