"""Joints that follow others: <mimic> of URDF, and what ros2_control and plugins of Gazebo say."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf

from mb_import.machine import LinkJoint, Relation
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import attribute, leave_out_others, named, only
from mb_import.xml_text import Element, label, number


@dataclass(frozen=True)
class Mimic:
    """A joint is `multiplier` times another one, plus an offset [rad or m]."""

    joint: str
    leader: str
    multiplier: float
    offset: float


def read_mimic(element: Element, notes: Notes) -> Mimic | None:
    """Return what <joint> says of the one that it follows."""
    item = label(element)
    mimic = only(element, 'mimic', notes, item)
    if mimic is None:
        return None
    item = f'{item}: mimic'
    leave_out_others(mimic, ('joint', 'multiplier', 'offset'), (), notes, item)
    return Mimic(named(element, notes), named(mimic, notes, 'joint'),
                 number(attribute(mimic, 'multiplier'), notes, f'{item}: multiplier', 1.0),
                 number(attribute(mimic, 'offset'), notes, f'{item}: offset', 0.0))


def followed(joints: Mapping[str, LinkJoint], mimics: Mapping[str, Mimic],
             notes: Notes) -> tuple[dict[str, LinkJoint], dict[str, Relation]]:
    """Return the joints, of which followers have no limits of their own, and the Relations.

    A joint that follows itself, or one that is not there, leads.
    """
    joints, mimics, relations = dict(joints), dict(mimics), {}
    for name, mimic in list(mimics.items()):
        if reason := _objection(name, mimics, joints):
            notes.left_out(f'joint {name}: mimic', reason)
            del mimics[name]
            continue
        leader = joints[mimic.leader]
        _compare_limits(joints[name], leader, mimic, notes)
        joints[name] = replace(joints[name], lower=-inf, upper=inf)
        terms = {name: 1.0}
        if leader.is_scalar and mimic.multiplier:
            terms[leader.name] = -mimic.multiplier
        relations[f'{name}_mimic'] = Relation(f'{name}_mimic', terms, mimic.offset)
    return joints, relations


def _objection(name: str, mimics: Mapping[str, Mimic], joints: Mapping[str, LinkJoint]) -> str:
    """Return why a joint cannot follow another one, '' if it can."""
    leader = joints.get(mimics[name].leader)
    if leader is None:
        return f'there is no joint {mimics[name].leader}'
    for joint in (joints[name], leader):
        if not joint.is_scalar and (joint is not leader or joint.kind != 'weld'):
            return f'{joint.name} is {joint.kind}, which has no single coordinate'
    leaders = dict.fromkeys([leader.name])
    last = leader.name
    while last in mimics and last != name and (last := mimics[last].leader) not in leaders:
        leaders[last] = None
    return f'it follows itself, by way of {", ".join(leaders)}' if last == name else ''


def _compare_limits(joint: LinkJoint, leader: LinkJoint, mimic: Mimic, notes: Notes) -> None:
    """Note limits of a follower that its leader does not keep."""
    if (joint.lower, joint.upper) == (-inf, inf):
        return
    ends = (sorted(mimic.multiplier * end + mimic.offset for end in (leader.lower, leader.upper))
            if leader.is_scalar and mimic.multiplier else [mimic.offset] * 2)
    tolerance = 1e-6 * (1.0 + abs(joint.upper - joint.lower))
    if ends[0] < joint.lower - tolerance or ends[1] > joint.upper + tolerance:
        notes.changed(f'joint {joint.name}: limit',
                      f'{joint.lower:g} to {joint.upper:g} does not hold: it follows '
                      f'{leader.name}, from {ends[0]:g} to {ends[1]:g}')
