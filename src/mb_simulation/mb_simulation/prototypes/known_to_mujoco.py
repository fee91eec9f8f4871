"""What MuJoCo can simulate of a mechanism, and what is said of the rest."""

from mb_model import Mechanism
from mb_model.space_api import JOINTS, SpatialTree, body_tree, kind_of
from mb_simulation.prototypes.laws import CURVES
from mb_simulation.prototypes.pushed import joint_of

# The kinds of entries in the plane that have a counterpart.
_IN_PLANE = {'coordinates': ('angle', 'relative_angle', 'distance', 'slider'),
             'constraints': ('slider', 'welded_angle', 'linear'),
             'forces': ('spring_damper', 'friction', 'constant', 'load', 'stop', *CURVES)}


def simulated_tree(mechanism: Mechanism) -> SpatialTree:
    """Return the body_tree of a mechanism; raises ValueError for kinds that MuJoCo does not know.

    In the plane alone: in space it depends on what is written of them.
    """
    for section, kinds in _IN_PLANE.items() if mechanism.dimension == 2 else ():
        for name, entry in getattr(mechanism.described, section).items():
            if entry.kind not in kinds:
                what = 'prescribed motion' if entry.kind == 'prescribed' else entry.kind
                raise ValueError(f'{mechanism.file}: {section}.{name}: the MuJoCo prototype knows '
                                 f'no {what}, take the multibody one')
    return body_tree(mechanism)


def require_known(mechanism: Mechanism, tree: SpatialTree, loops: bool, springs: bool) -> None:
    """Raise ValueError for what MuJoCo does not know of a mechanism.

    tree: its simulated_tree; loops: whether they are closed; springs: whether, in space, forces are
    springs and dampers of MuJoCo.
    """
    if unweighed := mechanism.described.unweighed:
        raise ValueError(f'{mechanism.file}: MuJoCo prototype: no mass of bodies.'
                         f'{", bodies.".join(unweighed)}, so there are kinematics alone')
    if mechanism.dimension == 2:
        _require_in_plane(mechanism, tree)
        return
    for name, constraint in mechanism.described.constraints.items():
        if constraint.kind != 'linear':
            raise ValueError(f'{mechanism.file}: constraints.{name}: not for MuJoCo, which takes '
                             'linear ones alone')
    for joint in tree.closures if loops else ():
        if not kind_of(joint).held:
            kinds = ', '.join(kind.name for kind in JOINTS.values() if kind.held)
            raise ValueError(f'{mechanism.file}: joints.{joint.name}: in MuJoCo, no {joint.kind} '
                             f'joint closes a loop, expected one of {kinds}')
    if springs:
        _require_springs(mechanism, tree)


def _require_in_plane(mechanism: Mechanism, tree: SpatialTree) -> None:
    """Raise ValueError for what MuJoCo does not know in the plane."""
    for joint in tree.closures:
        sliders = [mechanism.described.constraints[name] for name in joint.constraints]
        if sliders and sliders[0].kind == 'slider':
            first, second, point = sliders[0].points
            raise ValueError(f'{mechanism.file}: MuJoCo prototype: {point} on the line from '
                             f'{first} to {second} closes a loop that other sliders have closed '
                             'already')


def _require_springs(mechanism: Mechanism, tree: SpatialTree) -> None:
    """Raise ValueError for forces in space that are no springs and dampers of MuJoCo."""
    if mechanism.described.hydraulics is not None:
        raise ValueError(f'{mechanism.file}: hydraulics: not for MuJoCo')
    for name, force in mechanism.described.forces.items():
        if name in mechanism.modes:
            continue
        on = mechanism.described.coordinates.get(getattr(force, 'coordinate', ''))
        if not (force.kind in ('spring_damper', 'stop') and on and (
                on.kind == 'distance' or joint_of(mechanism, tree, on.name))):
            raise ValueError(f'{mechanism.file}: forces.{name}: for MuJoCo, forces are springs and '
                             'dampers between two points, or on an angle or a travel of a joint '
                             f'that closes no loop, not {force.kind} elsewhere')
