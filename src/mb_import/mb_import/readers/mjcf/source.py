"""The text of an MJCF file: includes in place, without what a mechanism does not take."""

from pathlib import Path
from xml.etree import ElementTree

from mb_import.notes import Notes
from mb_import.xml_text import Element, label, parse_xml, read_text

_MOST_FILES = 100
# What is left out: tag -> why
_LEFT_OUT = {
    'plugin': 'a plugin', 'extension': 'plugins', 'composite': 'bodies made by MuJoCo',
    'flexcomp': 'a body that bends', 'flex': 'a body that bends', 'deformable': 'bodies that bend',
    'attach': 'a model of another file', 'model': 'a model of another file',
    'pair': 'a contact: bodies pass through each other'}
# What no mechanism has, and none lacks
_PASSED_OVER = {'texture', 'material', 'hfield', 'skin', 'visual', 'statistic', 'size', 'custom',
                'exclude'}
_NO_SUCH = 'material', 'texture', 'hfield'       # attributes that refer to these
_KEPT_IN_OPTION = {'gravity', 'density', 'viscosity'}


def mjcf_root(path: Path, notes: Notes) -> Element:
    """Return the root of an MJCF file, complete and pruned; raises MechanismError."""
    root = parse_xml(read_text(path), path.name)
    if root.tag != 'mujoco':
        raise notes.error(f'<{root.tag}>', 'expected <mujoco>')
    _include(root, path, path.parent, {path.resolve()}, notes)
    _prune(root, notes)
    for compiler in root.iter('compiler'):
        compiler.attrib.pop('usethread', None)
    options = [key for one in root.iter('option') for key in (*one.keys(), *(
        child.tag for child in one)) if key not in _KEPT_IN_OPTION]
    if options:
        notes.changed('option', f'{", ".join(dict.fromkeys(options))}: of MuJoCo\'s own steps, not '
                                'read')
    return root


def mjcf_text(root: Element) -> str:
    """Return the text of a root."""
    return ElementTree.tostring(root, encoding='unicode')


def _include(parent: Element, path: Path, folder: Path, read: set[Path], notes: Notes) -> None:
    """Put what is included in place of each <include>; nothing outside of a folder is read."""
    children: list[Element] = []
    for child in parent:
        if child.tag != 'include':
            _include(child, path, folder, read, notes)
            children.append(child)
            continue
        item = f'include {child.get("file", "")}'
        inner = _included(child, path, folder, notes)
        if inner in read or len(read) >= _MOST_FILES:
            raise notes.error(item, 'included twice' if inner in read else
                              f'more than {_MOST_FILES} files')
        read.add(inner)
        root = parse_xml(read_text(inner), inner.name)
        _include(root, inner, folder, read, notes)
        children += root
    parent[:] = children


def _included(element: Element, path: Path, folder: Path, notes: Notes) -> Path:
    """Return the file of an <include>: beside the first file, or beside that which includes it."""
    name = element.get('file', '')
    item = f'include {name}'
    if not name or '\0' in name:
        raise notes.error(item, 'missing file')
    for where in (folder, path.parent):
        inner = (where / name).resolve()
        if not inner.is_relative_to(folder.resolve()):
            raise notes.error(item, 'outside of the folder of this file')
        if inner.is_file():
            return inner
    raise notes.error(item, 'no such file')


def _prune(parent: Element, notes: Notes) -> None:
    """Remove what a mechanism does not take; a note for what is missed."""
    for key in _NO_SUCH:
        parent.attrib.pop(key, None)
    kept: list[Element] = []
    for child in parent:
        if child.tag in _LEFT_OUT:
            notes.left_out(label(child, of=child.get('file', '') if child.tag == 'attach' else ''),
                           _LEFT_OUT[child.tag])
        elif child.tag not in _PASSED_OVER:
            _prune(child, notes)
            kept.append(child)
    parent[:] = kept
