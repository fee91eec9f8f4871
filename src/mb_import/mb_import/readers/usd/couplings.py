"""Coordinates of USD that depend on others: mimic joints of PhysX and of Newton."""

from collections.abc import Iterator, Mapping
from math import pi
from typing import Any

from mb_import.machine import LinkJoint, Relation
from mb_import.readers.usd.stage import Stage
from mb_import.readers.usd.values import number, value_of

_ROTATIONS = 'rotX', 'rotY', 'rotZ'


def couplings(prim: Any, joint: LinkJoint, by_path: Mapping[str, LinkJoint],
              stage: Stage) -> Iterator[Relation]:
    """Yield the Relations of a joint to others; by_path: path of a prim -> joint.

    Source: PhysxMimicJointAPI: position + gearing * reference + offset = 0; NewtonMimicAPI:
    position = coef0 + coef1 * leader; positions are in degrees or in units of length.  Raises
    MechanismError.
    """
    item = f'joint {joint.name}: mimic'
    for name in _ROTATIONS:
        at = f'physxMimicJoint:{name}'
        if (leader := _leader(prim, f'{at}:referenceJoint', by_path, stage, item)) is not None:
            yield _relation(joint, leader, -number(prim, f'{at}:gearing', stage, 1.0),
                            -number(prim, f'{at}:offset', stage, 0.0), stage, item)
    if value_of(prim, 'newton:mimicEnabled') is False:
        return
    if (leader := _leader(prim, 'newton:mimicJoint', by_path, stage, item)) is not None:
        yield _relation(joint, leader, number(prim, 'newton:mimicCoef1', stage, 1.0),
                        number(prim, 'newton:mimicCoef0', stage, 0.0), stage, item)


def _leader(prim: Any, name: str, by_path: Mapping[str, LinkJoint], stage: Stage,
            item: str) -> LinkJoint | None:
    """Return the joint that a relationship names, None if there is no such relationship."""
    relationship = prim.GetRelationship(name)
    if not relationship:
        return None
    targets = relationship.GetTargets()
    if len(targets) != 1 or str(targets[0]) not in by_path:
        raise stage.notes.error(item, f'{name} must be one joint of the machine')
    return by_path[str(targets[0])]


def _relation(joint: LinkJoint, leader: LinkJoint, factor: float, total: float, stage: Stage,
              item: str) -> Relation:
    """Return joint = factor leader + total, which are in the units of the stage."""
    if joint.name == leader.name:
        raise stage.notes.error(item, 'follows itself')
    if not (joint.is_scalar and leader.is_scalar):
        raise stage.notes.error(item, 'joints of one degree of freedom alone follow each other')
    own, others = ((pi / 180.0 if one.kind == 'revolute' else stage.metre)
                   for one in (joint, leader))
    return Relation(f'{joint.name}_mimic', {joint.name: 1.0, leader.name: -factor * own / others},
                    total * own)
