"""Which machines may have joints that give way: the tree of bodies leaves loops to close."""

from mb_model import Mechanism, MechanismError
from mb_simulation.prototypes.body_tree import tree_of
from mb_simulation.prototypes.unmodelled import UnmodelledSettings


def require_loops(mechanism: Mechanism, settings: UnmodelledSettings) -> None:
    """Raise MechanismError for joints of settings that the prototype cannot let give way."""
    if not settings.joint_stiffness:
        if settings.joint_clearance:
            raise MechanismError(
                f'{mechanism.file}: unmodelled.joint_clearance: {settings.joint_clearance:g} must '
                'be 0 without a joint_stiffness, by which a pin pushes its hole')
        return
    if mechanism.dimension == 3:
        missing = 'only for mechanisms in the plane'
    elif settings.elastic_body or mechanism.flexible_bodies:
        missing = 'not beside bodies that bend, whose chains have joints of their own'
    elif not tree_of(mechanism).closures:
        missing = 'no joint closes a loop'
    else:
        return
    raise MechanismError(f'{mechanism.file}: unmodelled.joint_stiffness: '
                         f'{settings.joint_stiffness:g} must be 0: {missing}')
