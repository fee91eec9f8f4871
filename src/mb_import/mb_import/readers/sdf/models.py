"""Models of a world, with models that they nest, include and merge; their frames as a graph."""

from dataclasses import dataclass, field
from pathlib import Path

from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_import.readers.sdf.files import IncludedFiles
from mb_import.readers.sdf.frames import MODEL, Frames, Reference, Scope
from mb_import.readers.sdf.poses import read_flag, read_pose
from mb_import.readers.sdf.versions import version_of
from mb_import.xml_text import Element, label
from mb_model.space_api import Pose

_DEEPEST = 50                # models within each other, in files that include each other, too


@dataclass(frozen=True)
class Model:
    """A model: elements directly in it, or in what is merged into it, with their scopes.

    unread: includes that are out of reach.
    """

    name: str
    path: str
    static: bool
    parts: list[tuple[Element, Scope]] = field(default_factory=list)
    models: list['Model'] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)       # item, reason

    def all(self) -> list['Model']:
        """Return this model and all in it."""
        return [self, *(inner for model in self.models for inner in model.all())]


@dataclass(frozen=True)
class Inclusion:
    """What an <include> says of the model that it names; None, '' if it does not."""

    name: str = ''
    static: bool | None = None
    pose: tuple[Pose, str] | None = None
    placed: str = ''
    plugins: tuple[Element, ...] = ()


@dataclass(frozen=True)
class Builder:
    """Makes Models of elements, and adds their frames to `frames`."""

    frames: Frames
    files: IncludedFiles
    notes: Notes

    def fill(self, model: Model, element: Element, scope: Scope, folder: Path,
             depth: int = 0) -> None:
        """Add what an element of a model or of a world has; folder: of its file."""
        for child in element:
            if child.tag == 'model':
                inner = self.model(child, scope, folder, Inclusion(), model.static, depth + 1)
                model.models.append(inner)
            elif child.tag == 'include':
                self._include(model, child, scope, folder, depth)
            else:
                self._part(model, child, scope)

    def model(self, element: Element, outer: Scope, folder: Path, said: Inclusion, static: bool,
              depth: int) -> Model:
        """Return the Model of an element; static: whether the model around it is."""
        name = said.name or self._name(element)
        item = label(element, of=name)
        self._check(depth, item)
        static = static or self._static(element, said, item)
        path = outer.full(name)
        inner = replace_path(outer, path)
        model = Model(name, path, static)
        self.fill(model, element, inner, folder, depth)
        carrier = element.get('canonical_link', '') or _first_link(model)
        self._add_model_frame(inner.model, element, outer, inner, said, static, carrier)
        model.parts.extend((plugin, inner) for plugin in said.plugins)
        return model

    def _add_model_frame(self, frame: str, element: Element, outer: Scope, inner: Scope,
                         said: Inclusion, static: bool, carrier: str) -> None:
        """Add the frame `__model__`; with a placement frame it is where that one says.

        carrier: the link in the model that the frame is attached to, '' if there is none.
        """
        item = label(element, of=said.name)
        pose, base = said.pose or read_pose(element, self.notes, item)
        placed = said.placed or element.get('placement_frame', '')
        self.frames.add(frame, 'model', item, pose, (outer, base),
                        carrier=((outer, WORLD) if static else
                                 (inner, carrier) if carrier else None),
                        placed=(inner, placed) if placed else None)

    def _include(self, model: Model, element: Element, scope: Scope, folder: Path,
                 depth: int) -> None:
        """Add the model of another file, nested or merged."""
        uri = (element.findtext('uri') or '').strip()
        item = f'include {uri[:80]}'
        reached = self.files.root(uri, folder, item)
        if reached is None:
            model.unread.append((item, 'is neither beside the file nor in a package of '
                                       'import.packages'))
            return
        root, home = reached
        included = root if root.tag == 'model' else root.find('model')
        if included is None:
            model.unread.append((item, 'has no <model>'))
            return
        inside = replace_version(scope, version_of(root, self.notes, item))
        said = self._said(element, item)
        if read_flag(element.get('merge'), False, self.notes, f'{item}: merge'):
            self._merge(model, included, inside, home, said, depth + 1)
        else:
            model.models.append(self.model(included, inside, home, said, model.static, depth + 1))

    def _said(self, element: Element, item: str) -> Inclusion:
        static = element.findtext('static')
        return Inclusion(
            (element.findtext('name') or '').strip(),
            None if static is None else read_flag(static, False, self.notes, f'{item}: static'),
            None if element.find('pose') is None else read_pose(element, self.notes, item),
            (element.findtext('placement_frame') or '').strip(), tuple(element.findall('plugin')))

    def _merge(self, model: Model, element: Element, scope: Scope, folder: Path, said: Inclusion,
               depth: int) -> None:
        """Add what an included model has to this one; its own frame stays, under another name."""
        name = said.name or self._name(element)
        self._check(depth, label(element, of=name))
        frame = scope.full(f'_merged__{name}{MODEL}')
        inner = Scope(self.frames, self.notes, scope.path, scope.version, frame)
        self.fill(model, element, inner, folder, depth)
        link = element.find('link')
        carrier = element.get('canonical_link', '') or ('' if link is None else link.get('name'))
        self._add_model_frame(frame, element, scope, inner, said, model.static, carrier or '')
        model.parts.extend((plugin, inner) for plugin in said.plugins)

    def _part(self, model: Model, element: Element, scope: Scope) -> None:
        """Add an element, and the frame that it has."""
        model.parts.append((element, scope))
        if element.tag not in ('link', 'frame', 'joint'):
            return
        item, name = label(element), self._name(element)
        full = scope.full(name)
        pose, base = read_pose(element, self.notes, item)
        carrier: Reference | None = None
        if element.tag == 'link':
            carrier = (scope, WORLD) if model.static else None
        elif element.tag == 'frame':
            carrier = (scope, element.get('attached_to', ''))
            base = base or element.get('attached_to', '')
        else:
            carrier = (scope, (element.findtext('child') or '').strip())
            base = base or carrier[1]
            full = scope.of_joint(name)
        self.frames.add(full, element.tag, item, pose, (scope, base), carrier=carrier)

    def _check(self, depth: int, item: str) -> None:
        """Raise MechanismError for too many models within each other."""
        if depth > _DEEPEST:
            raise self.notes.error(item, f'more than {_DEEPEST} models within each other')

    def _name(self, element: Element) -> str:
        if not (name := element.get('name', '').strip()):
            raise self.notes.error(f'<{element.tag}>', 'has no name')
        return name

    def _static(self, element: Element, said: Inclusion, item: str) -> bool:
        if said.static is not None:
            return said.static
        return read_flag(element.findtext('static'), False, self.notes, f'{item}: static')


def replace_path(scope: Scope, path: str) -> Scope:
    """Return the scope of a model in a scope."""
    return Scope(scope.frames, scope.notes, path, scope.version)


def replace_version(scope: Scope, version: tuple[int, int]) -> Scope:
    """Return the same scope for elements of another version."""
    return Scope(scope.frames, scope.notes, scope.path, version, scope.model)


def _first_link(model: Model) -> str:
    """Return what carries a model's frame: its first link, else its first model, '' if none."""
    links = (element.get('name', '') for element, _ in model.parts if element.tag == 'link')
    return next(links, model.models[0].name if model.models else '')
