"""Which models of a file are the machine."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.sdf.files import IncludedFiles
from mb_import.readers.sdf.frames import NESTED, Frames, Scope
from mb_import.readers.sdf.models import Builder, Model
from mb_import.readers.sdf.versions import version_of
from mb_import.xml_text import Element, numbers
from mb_model.arrays import FloatArray

_GRAVITY = 0.0, 0.0, -9.8         # of SDF, where a world does not say [m/s^2]


@dataclass(frozen=True)
class Chosen:
    """The models of a machine, joints between them, gravity (3) [m/s^2], None if it is not said."""

    models: tuple[Model, ...]
    joints: tuple[tuple[Element, Scope], ...]
    scope: Scope                  # of the world
    gravity: FloatArray | None

    @property
    def name(self) -> str:
        """The name of its first model."""
        return self.models[0].name

    @property
    def prefix(self) -> str:
        """What all full names begin with, which names of the machine do not: '' of several."""
        return f'{self.models[0].path}{NESTED}' if len(self.models) == 1 else ''


def chosen_models(root: Element, folder: Path, options: ImportOptions, notes: Notes) -> Chosen:
    """Return the models that make the machine; raises MechanismError."""
    frames = Frames(notes)
    version = version_of(root, notes, 'sdf')
    scope = Scope(frames, notes, '', version)
    builder = Builder(frames, IncludedFiles(folder, options.packages, notes), notes)
    world, container = root.find('world'), Model('world', '', False)
    if len(root.findall('world')) > 1:
        raise notes.error('sdf', 'has several worlds, expected one')
    builder.fill(container, root if world is None else world, scope, folder)
    joints = tuple(part for part in container.parts if part[0].tag == 'joint')
    groups = _groups(container.models, joints)
    group = _chosen(groups, container, options, notes)
    if group[0].static and len(group) == 1:
        raise notes.error(f'model {group[0].name}', 'is static: nothing of it moves')
    own = tuple(joint for joint in joints
                if any(_owner(joint[0], tag, group) for tag in ('parent', 'child')))
    return Chosen(tuple(group), own, scope, _gravity(world, notes))


def _gravity(world: Element | None, notes: Notes) -> FloatArray | None:
    if world is None:
        return None
    if world.find('gravity') is None:
        notes.guessed('world', 'has no <gravity>, taken 0 0 -9.8 m/s^2, the default of SDF')
    return np.array(numbers(world.findtext('gravity'), 3, notes, 'world: gravity', _GRAVITY))


def _owner(joint: Element, tag: str, models: Iterable[Model]) -> Model | None:
    """Return which of some models has the parent or child of a joint of the world."""
    name = (joint.findtext(tag) or '').strip()
    return next((model for model in models
                 if name == model.name or name.startswith(f'{model.name}{NESTED}')), None)


def _groups(models: list[Model], joints: Iterable[tuple[Element, Scope]]) -> list[list[Model]]:
    """Return models that joints of the world tie, together."""
    groups = [[model] for model in models]
    for joint, _ in joints:
        ends = [_owner(joint, tag, models) for tag in ('parent', 'child')]
        tied = [group for group in groups if any(model is end for model in group for end in ends)]
        if len(tied) == 2:
            groups.remove(tied[1])
            tied[0].extend(tied[1])
    return groups


def _chosen(groups: list[list[Model]], container: Model, options: ImportOptions,
            notes: Notes) -> list[Model]:
    """Return the group that the user names, or the only one that moves."""
    names = ', '.join(model.name for group in groups for model in group) or 'none'
    if options.model:
        for group in groups:
            if any(model.name == options.model for model in group):
                return sorted(group, key=lambda model: model.name != options.model)
        raise notes.error('import.model', f'there is no model {options.model!r}, expected one of '
                                          f'{names}')
    for item, reason in container.unread:
        notes.left_out(item, reason)
    moving = [group for group in groups if not all(model.static for model in group)]
    if len(moving) > 1:
        raise notes.error('import.model', 'there are several models, expected one of '
                          f'{", ".join(group[0].name for group in moving)}')
    if not moving:
        raise notes.error('sdf', 'has no <model> that moves' if groups else 'has no <model>')
    for group in groups:
        if group is not moving[0]:
            notes.left_out(f'model {group[0].name}', 'is static, and nothing ties it to '
                                                     f'{moving[0][0].name}')
    return moving[0]
