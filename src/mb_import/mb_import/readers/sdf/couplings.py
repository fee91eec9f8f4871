"""Coordinates that depend on others: <mimic> of axes, and joints of type gearbox."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mb_import.machine import LinkJoint, Relation
from mb_import.notes import Notes
from mb_import.readers.sdf.frames import Scope
from mb_import.readers.sdf.poses import read_pose, unit_vector
from mb_import.xml_text import Element, label, number, numbers
from mb_model.arrays import FloatArray

Coordinates = Mapping[tuple[str, str], str]       # (joint, axis) -> joint with this coordinate
_ALONG = 1e-3                                     # of directions that agree


def mimics(element: Element, scope: Scope, joint: str, coordinates: Coordinates
           ) -> Iterator[Relation]:
    """Yield the Relations of a joint's axes to others; joint: its full name.

    Source: SDF 1.11: follower = multiplier (leader - reference) + offset.  Raises MechanismError.
    """
    for axis in element:
        if axis.tag in ('axis', 'axis2') and (mimic := axis.find('mimic')) is not None:
            item = f'{label(element)}: mimic'
            values = {tag: number(mimic.findtext(tag), scope.notes, f'{item} {tag}', default)
                      for tag, default in (('multiplier', 1.0), ('offset', 0.0),
                                           ('reference', 0.0))}
            leader = coordinates.get((_joint(mimic.get('joint', ''), scope),
                                      mimic.get('axis', 'axis')))
            yield _relation(scope.notes, item, coordinates.get((joint, axis.tag)), leader,
                            mimic.get('joint', ''), values['multiplier'],
                            values['offset'] - values['multiplier'] * values['reference'])
    if (mimic := element.find('drake:mimic')) is not None:
        item = f'{label(element)}: drake:mimic'
        factor, offset = (number(mimic.get(key), scope.notes, f'{item} {key}', default)
                          for key, default in (('multiplier', 1.0), ('offset', 0.0)))
        yield _relation(scope.notes, item, coordinates.get((joint, 'axis')),
                        coordinates.get((_joint(mimic.get('joint', ''), scope), 'axis')),
                        mimic.get('joint', ''), factor, offset)


def _joint(name: str, scope: Scope) -> str:
    return scope.full(name.strip())


def _relation(notes: Notes, item: str, follower: str | None, leader: str | None, named: str,
              factor: float, total: float) -> Relation:
    """Return follower - factor leader = total."""
    if leader is None:
        raise notes.error(item, f'there is no joint {named[:80]!r} with one degree of freedom')
    if follower is None:
        raise notes.error(item, 'its own joint has more or less than one degree of freedom')
    if follower == leader:
        raise notes.error(item, 'follows itself')
    return Relation(f'{follower}_mimic', {follower: 1.0, leader: -factor}, total)


def gearbox(element: Element, scope: Scope, joints: Sequence[LinkJoint]) -> Relation | None:
    """Return the Relation of a gearbox, None with a note if its wheels have no joints of their own.

    Source: SDF: theta_2 = -ratio theta_1, angles from the reference to the parent about `axis` and
    to the child about `axis2`.  Raises MechanismError.
    """
    notes, item = scope.notes, label(element)
    ratio = number(element.findtext('gearbox_ratio'), notes, f'{item}: gearbox_ratio', 1.0)
    reference, parent, child = (_link(element, tag, scope, item) for tag in (
        'gearbox_reference_body', 'parent', 'child'))
    factors: dict[str, float] = {}
    for wheel, tag, factor in ((parent, 'axis', ratio), (child, 'axis2', 1.0)):
        joint = next((one for one in joints if one.kind == 'revolute'
                      and set(one.links) == {reference, wheel}), None)
        cosine = 0.0 if joint is None else _cosine(element, tag, scope, joint, item)
        if joint is None or abs(abs(cosine) - 1.0) > _ALONG:
            notes.left_out(item, f'no revolute joint about its {tag} ties {wheel} to {reference}')
            return None
        turned = 1.0 if joint.links == (reference, wheel) else -1.0
        factors[joint.name] = factor * turned * (1.0 if cosine > 0.0 else -1.0)
    if len(factors) < 2:
        raise notes.error(item, 'couples a joint with itself')
    return Relation(scope.full(element.get('name', '')), factors)


def _link(element: Element, tag: str, scope: Scope, item: str) -> str:
    if not (text := (element.findtext(tag) or '').strip()):
        raise scope.notes.error(item, f'has no <{tag}>')
    return scope.frame(text, item).link


def _cosine(element: Element, tag: str, scope: Scope, joint: LinkJoint, item: str) -> float:
    """Return the cosine of the angle between the axes of a gearbox and of a joint."""
    xyz = element.find(f'{tag}/xyz')
    vector = unit_vector(_numbers(xyz, scope, f'{item}: {tag}'), scope.notes, f'{item}: {tag}')
    expressed = '' if xyz is None else xyz.get('expressed_in', '')
    if expressed:
        turn = scope.frame(expressed, item).pose.turn
    else:
        pose, base = read_pose(element, scope.notes, item)
        child = (element.findtext('child') or '').strip()
        turn = scope.frame(base or child, item).pose.then(pose).turn
    first = scope.frames.frame(joint.links[0]).pose.then(joint.frames[0])
    axis = np.zeros(3) if joint.axis is None else joint.axis
    return float((turn @ vector) @ (first.turn @ axis))


def _numbers(xyz: Element | None, scope: Scope, item: str) -> FloatArray:
    """Return the numbers of an <xyz> (3), along z by default."""
    return np.array(numbers(None if xyz is None else xyz.text, 3, scope.notes, item,
                            (0.0, 0.0, 1.0)))
