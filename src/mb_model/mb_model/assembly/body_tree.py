"""The bodies of a mechanism as a tree of joints with its loops cut, for programs that want one."""

from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.assembly.planar_joints import spatial_description
from mb_model.compilation.spatial.groups import single_groups
from mb_model.compilation.spatial.tree import SpatialTree
from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.joints import kind_of
from mb_model.space.joint import Joint
from mb_model.space.motion import single


def body_tree(mechanism: CompiledMechanism) -> SpatialTree:
    """Return the SpatialTree of the bodies of a mechanism, for programs with loops cut.

    Joints carry bodies first that cannot close loops by points that meet, of these the ones with
    the fewest motions, and those with coordinates.  In the plane, with the joints of a
    spatial_description, slots and slideways come first, then welds; raises MechanismError there
    naming bodies that hang on nothing fixed.
    """
    if mechanism.dimension == 2:
        return _planar_tree(mechanism)
    description = mechanism.described
    known = {one.joint for one in description.coordinates.values()}

    def cost(joint: Joint) -> tuple[float, ...] | None:
        kind = kind_of(joint)
        if kind.motions is None:
            return None
        return (not kind.inner, bool(kind.held), 0 if kind.inner else len(
            single(kind.chain(joint))), joint.name not in known, order[joint.name])

    order = {name: k for k, name in enumerate(description.joints)}
    return SpatialTree(description, single_groups(description), cost)


def _planar_tree(mechanism: Any) -> SpatialTree:
    """Return the SpatialTree of the bodies of a mechanism in the plane."""
    description = spatial_description(mechanism)
    number = {name: k for k, name in enumerate(description.constraints)}

    def cost(joint: Joint) -> tuple[float, ...] | None:
        kind = kind_of(joint)
        if kind.motions is None:
            return None
        order = [number[name] for name in joint.constraints[:1]]
        return (2, ) if not order else (kind.rigid(joint), *order)

    tree = SpatialTree(description, single_groups(description), cost, directed=True)
    loose = set[str]()
    for hinge in tree.hinges:
        if hinge.joint is None or hinge.parent in loose:
            loose.add(hinge.group)
    if loose:
        raise MechanismError(f'{mechanism.file}: bodies '
                             f'{", ".join(name for name in mechanism.bodies if name in loose)}: '
                             'not joined to any fixed point')
    return tree
