"""Which bodies and joints of a stage are the machine, and its joints from root to tips."""

from collections.abc import Iterable, Sequence

from mb_import.joint_tree import reversed_joint
from mb_import.machine import WORLD, LinkJoint
from mb_import.options import ImportOptions
from mb_import.readers.usd.joints import ReadJoint
from mb_import.readers.usd.stage import Stage


def groups_of(links: Sequence[str], ties: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return links that ties connect, not through the world, together; ties: names of links."""
    group = {link: [link] for link in links}
    for tie in ties:
        ends = [link for link in tie if link != WORLD]
        for other in ends[1:]:
            first, second = group[ends[0]], group[other]
            if first is not second:
                first.extend(second)
                group |= dict.fromkeys(second, first)
    kept: list[list[str]] = []
    for link in links:
        if not any(group[link] is one for one in kept):
            kept.append(group[link])
    return kept


def chosen_links(groups: Sequence[list[str]], joints: Sequence[LinkJoint],
                 names: Sequence[str], options: ImportOptions, stage: Stage) -> tuple[int, str]:
    """Return the index of the group that is the machine, and its name; names: of each group.

    Raises MechanismError.
    """
    if options.model:
        if options.model not in names:
            raise stage.notes.error('import.model', f'there is no articulation {options.model!r}, '
                                                    f'expected one of {", ".join(names)}')
        return list(names).index(options.model), options.model
    tied = {link for joint in joints for link in joint.links}
    held = [index for index, group in enumerate(groups) if tied.intersection(group)]
    several = held or list(range(len(groups)))
    if len(several) > 1:
        raise stage.notes.error('import.model', 'there are several machines, expected one of '
                                f'{", ".join(names[index] for index in several)}')
    if not several:
        raise stage.notes.error('stage', 'has no rigid body')
    for index, name in enumerate(names):
        if index != several[0]:
            stage.notes.left_out(f'body {name}', 'nothing ties it to the machine')
    return several[0], names[several[0]]


def ordered(joints: Sequence[ReadJoint], links: Sequence[str], roots: Sequence[str]
            ) -> tuple[list[LinkJoint], list[str]]:
    """Return joints from the world and from roots to tips, closures last; and links, roots first.

    A joint that leads to its parent is turned over.
    """
    open_ = [one.joint for one in joints if not one.closes]
    reached, starts = {WORLD}, list[str]()
    tree: list[LinkJoint] = []
    first = [link for link in roots if link in links]
    _grow(tree, reached, open_)
    for root in (*first, *_likely(links, open_), *links):
        if root not in reached:
            reached.add(root)
            starts.append(root)
            _grow(tree, reached, open_)
    taken = {joint.name for joint in tree}
    rest = [one.joint for one in joints if one.joint.name not in taken]
    leads = set(starts)
    rest = [reversed_joint(joint) if joint.links[1] in leads and joint.links[0] not in leads
            else joint for joint in rest]
    return [*tree, *rest], [*starts, *(link for link in links if link not in leads)]


def _likely(links: Sequence[str], joints: Iterable[LinkJoint]) -> list[str]:
    """Return links that no joint leads to."""
    children = {joint.links[1] for joint in joints}
    return [link for link in links if link not in children]


def _grow(tree: list[LinkJoint], reached: set[str], joints: Sequence[LinkJoint]) -> None:
    """Add joints to a tree that reach new links from either side, nearest first."""
    taken = {joint.name for joint in tree}
    waiting = [joint for joint in joints if joint.name not in taken]
    while True:
        edge = [joint for joint in waiting
                if (joint.links[0] in reached) != (joint.links[1] in reached)]
        if not edge:
            return
        for joint in edge:
            ahead = joint if joint.links[0] in reached else reversed_joint(joint)
            if ahead.links[1] not in reached:
                tree.append(ahead)
                reached.add(ahead.links[1])
        waiting = [joint for joint in waiting if joint not in edge]

