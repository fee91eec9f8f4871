"""The graph of frames of SDF: which frame is at which pose in which other, and fixed in which link.

Source: the specification's pose frame semantics.  A full name leads from the world through models:
`robot::gripper::palm`; a model's own frame is `robot::__model__`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_model.space_api import Pose

MODEL = '__model__'
NESTED = '::'


@dataclass(frozen=True)
class Frame:
    """A frame that is fixed in a link, '' if no link holds it: its pose in the world as drawn.

    kind: what has it: link, frame, joint, model or world.
    """

    name: str
    kind: str
    link: str
    pose: Pose


@dataclass(frozen=True)
class _Node:
    """A frame as written: its pose in `base`; carrier: the frame that it is attached to, if any.

    placed: the frame inside a model that the pose is of, None if it is of the model's own.
    """

    kind: str
    item: str
    pose: Pose
    base: 'Reference | None'
    carrier: 'Reference | None'
    placed: 'Reference | None'


class Frames:
    """All frames of a file; names are full."""

    def __init__(self, notes: Notes) -> None:
        """Begin with the frame of the world."""
        self._notes = notes
        self._nodes = {WORLD: _Node('world', 'world', still(), None, None, None)}
        self._poses: dict[str, Pose] = {WORLD: still()}
        self._links: dict[str, str] = {WORLD: WORLD}

    def __contains__(self, name: str) -> bool:
        return name in self._nodes

    def add(self, name: str, kind: str, item: str, pose: Pose, base: 'Reference', *,
            carrier: 'Reference | None' = None, placed: 'Reference | None' = None) -> None:
        """Add a frame, see _Node; links have no carrier.  Raises MechanismError for a second."""
        if name in self._nodes:
            raise self._notes.error(item, f'there are two links or frames of this name: {name}')
        self._nodes[name] = _Node(kind, item, pose, base, carrier, placed)

    def kind(self, name: str) -> str:
        """Return what has a frame, '' if there is none of this name."""
        return self._nodes[name].kind if name in self._nodes else ''

    def names(self, kind: str) -> list[str]:
        """Return the names of all frames of a kind."""
        return [name for name, node in self._nodes.items() if node.kind == kind]

    def names_in(self, path: str) -> Iterable[str]:
        """Yield the names of frames directly in a model, without the model's path."""
        for name in self._nodes:
            home, _, last = name.rpartition(NESTED)
            if home == path and last != MODEL:
                yield last

    def is_posed(self, name: str) -> bool:
        """Return whether a pose says where a frame is: it is not where its model is."""
        node = self._nodes[name]
        return node.base is None or bool(node.base[1] or node.pose.at.any()
                                         or (node.pose.turn != np.eye(3)).any())

    def frame(self, name: str) -> Frame:
        """Return the Frame of a full name; raises MechanismError for circles."""
        return Frame(name, self._nodes[name].kind, self._link(name), self._pose(name))

    def _link(self, name: str) -> str:
        chain: dict[str, None] = {}
        while name not in self._links:
            node = self._nodes[name]
            if name in chain:
                raise self._notes.error(node.item, 'attached_to leads back to itself')
            chain[name] = None
            if node.carrier is None:
                self._links[name] = name if node.kind == 'link' else ''
            else:
                name = _full(node.carrier, node.item)
        self._links.update(dict.fromkeys(chain, self._links[name]))
        return self._links[name]

    def _pose(self, name: str) -> Pose:
        chain: dict[str, str] = {}              # frame -> its base
        inner = name
        while inner not in self._poses:
            node = self._nodes[inner]
            if inner in chain:
                raise self._notes.error(node.item, 'relative_to leads back to itself')
            chain[inner] = inner = _full(node.base, node.item)
        for frame, base in reversed(chain.items()):
            self._poses[frame] = self._poses[base].then(self._local(frame))
        return self._poses[name]

    def _local(self, name: str) -> Pose:
        """Return the pose of a frame in its base."""
        node = self._nodes[name]
        if node.placed is None:
            return node.pose
        pose, inner, seen = still(), _full(node.placed, node.item), set()
        while inner != name:
            base = self._nodes[inner].base
            if base is None or inner in seen:
                raise self._notes.error(node.item, f'placement_frame {node.placed[1]} does not '
                                                   'hang on this model')
            seen.add(inner)
            pose, inner = self._local(inner).then(pose), _full(base, node.item)
        return node.pose.then(pose.inverse())


class Scope:
    """Where names are looked up: in a model, or in the world (path '').

    model: full name of the frame that `__model__` is, in the world the world itself; version: of
    the file, as (1, 10).
    """

    def __init__(self, frames: Frames, notes: Notes, path: str, version: tuple[int, int],
                 model: str = '') -> None:
        """See above."""
        self.frames, self.notes, self.path, self.version = frames, notes, path, version
        self.model = model or (f'{path}{NESTED}{MODEL}' if path else WORLD)

    def full(self, name: str) -> str:
        """Return the full name of what is in here."""
        return f'{self.path}{NESTED}{name}' if self.path else name

    def of_joint(self, name: str) -> str:
        """Return the full name of a joint's frame: before SDF 1.7 a link could have its name."""
        full = self.full(name)
        return f'{full}{NESTED}__joint__' if self.version < (1, 7) else full

    def resolve(self, name: str, item: str) -> str:
        """Return the full name of a frame that is named in here; raises MechanismError."""
        if name in (MODEL, ''):
            return self.model
        if name in (WORLD, '__world__'):
            return WORLD
        full = self.full(name)
        for candidate in (full, f'{full}{NESTED}{MODEL}', self.of_joint(name)):
            if candidate in self.frames:
                return candidate
        near = get_close_matches(name, self.frames.names_in(self.path), 3)
        raise self.notes.error(item, f'there is no link or frame {name[:80]!r}'
                               + (f', expected one such as {", ".join(near)}' if near else ''))

    def frame(self, name: str, item: str) -> Frame:
        """Return the Frame of a name in here."""
        return self.frames.frame(self.resolve(name, item))


Reference = tuple[Scope, str]           # a name, and where it is looked up


def _full(reference: Reference | None, item: str) -> str:
    """Return the full name of a reference."""
    if reference is None:                # of the world alone, whose pose is known
        return WORLD
    scope, name = reference
    return scope.resolve(name, item)
