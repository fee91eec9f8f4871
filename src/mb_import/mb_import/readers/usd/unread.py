"""What of a stage is of engines, or of types that usd-core does not know: left out, with notes."""

from typing import Any

from mb_import.readers.usd.stage import Stage, pxr
from mb_import.readers.usd.values import value_of

_ENGINES = 'physxJoint:', 'physxArticulation:', 'newton:', 'mjc:', 'state:'
_READ = ('physxJoint:armature', 'physxJoint:maxJointVelocity', 'newton:armature', 'mjc:armature',
         'newton:mimicEnabled', 'newton:mimicCoef0', 'newton:mimicCoef1')


def note_unread_joint(prim: Any, stage: Stage, item: str) -> None:
    """Note what engines say of a joint beside what is read, such as friction and its start."""
    said = [name for attribute in prim.GetAuthoredAttributes()
            if (name := str(attribute.GetName())).startswith(_ENGINES) and name not in _READ
            and value_of(prim, name)]
    if said:
        stage.notes.left_out(item, f'{", ".join(said)[:200]}: of an engine')
    tendons = sorted({name for name in _schemas(prim) if 'Tendon' in name})
    if tendons:
        stage.notes.left_out(item, f'{", ".join(tendons)[:200]}: tendons are not read')


def note_unknown_joints(stage: Stage) -> None:
    """Note prims that are joints of an engine by the name of their type, such as gears."""
    usd, joint = pxr('Usd'), pxr('UsdPhysics').Joint
    for prim in usd.PrimRange.Stage(stage.usd, usd.TraverseInstanceProxies()):
        type_ = str(prim.GetTypeName())
        if type_.endswith('Joint') and not prim.IsA(joint):
            stage.notes.left_out(f'joint {prim.GetName()}', f'{type_[:60]} is of an engine')


def _schemas(prim: Any) -> list[str]:
    """Return all schemas that are applied to a prim, unknown ones, too."""
    listed = prim.GetMetadata('apiSchemas')
    return [] if listed is None else [str(name) for name in listed.GetAddedOrExplicitItems()]
