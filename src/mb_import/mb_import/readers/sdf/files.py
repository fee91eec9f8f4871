"""Files that a description includes: beside it, or in packages that the user names; no network."""

from collections.abc import Mapping
from pathlib import Path
import re

from mb_import.notes import Notes
from mb_import.reachable import reachable
from mb_import.xml_text import Element, parse_xml, read_text
from mb_model import MechanismError

_MOST = 500                  # included files


class IncludedFiles:
    """Reads what <include> names; folder: of the description."""

    def __init__(self, folder: Path, packages: Mapping[str, str], notes: Notes) -> None:
        """See above; packages: name -> folder."""
        self._folder, self._packages, self._notes = folder, packages, notes
        self._read: dict[Path, Element] = {}
        self._count = 0

    def root(self, uri: str, folder: Path, item: str) -> tuple[Element, Path] | None:
        """Return the root element of a file and its folder, None if it is out of reach.

        folder: of the file that includes it.  Raises MechanismError.
        """
        self._count += 1
        if self._count > _MOST:
            raise self._notes.error(item, f'more than {_MOST} files are included')
        path = self._path(uri, folder)
        if path is None:
            return None
        if path not in self._read:
            self._read[path] = parse_xml(read_text(path), path.name)
        return self._read[path], path.parent

    def _path(self, uri: str, folder: Path) -> Path | None:
        """Return the file of a URI, or the description in a model's folder; None without."""
        path = reachable(uri, folder, self._folder, self._packages)
        if path is not None and path.is_dir():
            path = _of_model(path)
        return path if path is not None and path.is_file() else None


def _of_model(folder: Path) -> Path:
    """Return the description in a model's folder: the newest that model.config names."""
    config = folder / 'model.config'
    if config.is_file():
        try:
            named = [(_version(element), (folder / (element.text or '').strip()).resolve())
                     for element in parse_xml(read_text(config), config.name).findall('sdf')]
        except MechanismError:
            named = []
        inside = [one for one in named if one[1].is_relative_to(folder)]
        if inside:
            return max(inside)[1]
    return folder / 'model.sdf'


def _version(element: Element) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r'\d{1,6}', element.get('version', ''))))
