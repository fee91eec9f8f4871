"""Equalities of an MJCF file as closures of loops and relations of coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mb_import.machine import LinkJoint, Relation
from mb_import.notes import Notes
from mb_import.readers.mjcf.hinges import with_hinges
from mb_import.readers.mjcf.names import Names
from mb_import.readers.mjcf.poses import at, pose_of, turn_of
from mb_import.readers.mjcf.records import Compiled, EqualityRecord
from mb_import.readers.mjcf.tree import Tree
from mb_model.space_api import Pose


@dataclass
class Ties:
    """What equalities say: closures and relations by name."""

    closures: dict[str, LinkJoint] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)


def ties_of(compiled: Compiled, tree: Tree, names: Names, drawn: Sequence[Pose],
            notes: Notes) -> Ties:
    """Return the Ties; drawn: poses of bodies in the world as drawn.  Raises MechanismError."""
    ties = Ties()
    for equality in compiled.equalities:
        item = f'equality {equality.name or equality.kind}'
        if not equality.active or 'equality' in compiled.disabled:
            notes.left_out(item, 'it is not active')
        elif equality.kind in ('connect', 'weld') and equality.objects in ('body', 'site'):
            _add_closure(ties, compiled, names, drawn, equality)
        elif equality.kind == 'tendon' and _is_rod(compiled, equality):
            _add_rod(ties, compiled, names, equality)
        elif equality.kind in ('joint', 'tendon'):
            _add_relation(ties, compiled, tree, names, equality, item, notes)
        else:
            notes.left_out(item, f'{equality.kind} has no counterpart')
    ties.closures = with_hinges(ties.closures, notes)
    if ties.closures or ties.relations:
        notes.changed('equalities', 'rigid here: solref and solimp are not read')
    return ties


def _add_closure(ties: Ties, compiled: Compiled, names: Names, drawn: Sequence[Pose],
                 equality: EqualityRecord) -> None:
    """Add a connect or a weld: poses in both bodies that meet."""
    first, second = equality.first, max(0, equality.second)
    data, kind = equality.data, 'spherical' if equality.kind == 'connect' else 'weld'
    if equality.objects == 'site':
        sites = compiled.sites[first], compiled.sites[second]
        bodies = sites[0].body, sites[1].body
        frames = pose_of(sites[0].pos, sites[0].quat), pose_of(sites[1].pos, sites[1].quat)
    elif kind == 'spherical':
        bodies, frames = (first, second), (at(data[:3]), at(data[3:6]))
    else:
        bodies, frames = (first, second), (pose_of(data[3:6], data[6:10]), at(data[:3]))
    if kind == 'spherical':      # at zero as drawn
        frames = frames[0], Pose(frames[1].at, drawn[bodies[1]].turn.T @ drawn[bodies[0]].turn
                                 @ frames[0].turn)
    links = names.bodies[bodies[0]], names.bodies[bodies[1]]
    name = names.equality(equality.name, equality.kind, links)
    ties.closures[name] = LinkJoint(name, kind, links, frames)


def _is_rod(compiled: Compiled, equality: EqualityRecord) -> bool:
    """Whether an equality keeps the length of a tendon that runs straight between two sites."""
    return bool(compiled.tendons[equality.first].sites) and equality.second < 0


def _add_rod(ties: Ties, compiled: Compiled, names: Names, equality: EqualityRecord) -> None:
    tendon = compiled.tendons[equality.first]
    first, second = (compiled.sites[site] for site in tendon.sites)
    links = names.bodies[first.body], names.bodies[second.body]
    name = names.equality(equality.name or tendon.name, 'rod', links)
    ties.closures[name] = LinkJoint(
        name, 'distance', links, (at(first.pos), at(second.pos)),
        length=tendon.length + equality.data[0])


def _add_relation(ties: Ties, compiled: Compiled, tree: Tree, names: Names,
                  equality: EqualityRecord, item: str, notes: Notes) -> None:
    """Add y - y0 = a0 + a1 (x - x0), x and y joints or fixed tendons, 0: as drawn."""
    constant, factor, *powers = equality.data[:5]
    if equality.second < 0:
        factor, powers = 0.0, []
    if any(powers):
        text = ' '.join(f'{one:g}' for one in equality.data[:5])
        notes.left_out(item, f'polycoef {text}: powers above the first have no counterpart')
        return
    terms: dict[str, float] = {}
    called: list[str] = []
    total = constant
    for sign, one in ((1.0, equality.first), (-factor, equality.second)):
        if one < 0:
            continue
        sums = terms_of(compiled, tree, equality.kind, one)
        if sums is None:
            notes.left_out(item, 'of joints that are no hinges and slides, or of a tendon in space')
            return
        called.append(names.joints[one] if equality.kind == 'joint' else compiled.tendons[one].name)
        for joint, coefficient in sums:
            name = tree.scalar[joint]
            terms[name] = terms.get(name, 0.0) + sign * coefficient
            total += sign * coefficient * compiled.joints[joint].ref
    terms = {name: value for name, value in terms.items() if value}
    if not terms:
        raise notes.error(item, 'its coefficients add up to nothing')
    name = names.equality(equality.name, equality.kind, called)
    ties.relations[name] = Relation(name, terms, total)


def terms_of(compiled: Compiled, tree: Tree, kind: str,
             target: int) -> list[tuple[int, float]] | None:
    """Return (joint, coefficient) of a joint or a fixed tendon, None of others."""
    if kind == 'joint':
        terms = [(target, 1.0)]
    elif kind == 'tendon' and compiled.tendons[target].fixed:
        terms = [(joint, coefficient) for joint, coefficient in compiled.tendons[target].terms]
    else:
        return None
    return terms if all(joint in tree.scalar for joint, _ in terms) else None


def drawn_bodies(compiled: Compiled) -> list[Pose]:
    """Return where bodies are in the world as drawn."""
    poses = [Pose(np.zeros(3), turn_of([1.0, 0.0, 0.0, 0.0]))]
    for body in compiled.bodies[1:]:
        poses.append(poses[body.parent].then(pose_of(body.pos, body.quat)))
    return poses
