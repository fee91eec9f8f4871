"""Files that a description names: beside it, or in packages; no network, and no file elsewhere."""

from collections.abc import Iterable, Mapping
from pathlib import Path
import re

_SCHEME = re.compile(r'^([A-Za-z][A-Za-z0-9+.-]*):(?://)?')
_IN_PACKAGES = 'model', 'package'


def package_folder(name: str, given: Mapping[str, str], home: Path) -> Path | None:
    """Return the folder of a package, None if nothing says where it is.

    given: name -> folder, seen from home, the description's folder; else it is a folder of that
    name above, with a package.xml, or as ROS 2 has installed it.
    """
    if name in given:
        return (home / Path(given[name]).expanduser()).resolve()
    home = home.resolve()
    for folder in (home, *home.parents):
        if folder.name == name and (folder / 'package.xml').is_file():
            return folder
    from ament_index_python.packages import get_package_share_directory
    try:
        return Path(get_package_share_directory(name)).resolve()
    except (LookupError, ValueError, OSError):
        return None


def reachable(uri: str, folder: Path, home: Path, packages: Mapping[str, str]) -> Path | None:
    """Return the file or folder of a name or URI, None if there is none that may be read.

    folder: of the file that names it; home: of the description.  Both may be read, and packages.
    """
    scheme, rest = '', uri.strip()
    if match := _SCHEME.match(rest):
        scheme, rest = match[1].lower(), rest[match.end():]
    if scheme not in ('', 'file', *_IN_PACKAGES) or not rest:
        return None
    homes = [folder, home]
    try:
        homes += [one for name in packages if (one := package_folder(name, packages, home))]
        if scheme in _IN_PACKAGES:
            name, _, inner = rest.partition('/')
            if (package := package_folder(name, packages, home)) is not None:
                return _within(package / inner, [package])
        return _within(folder / rest, homes) or _within(home / rest, homes)
    except (OSError, ValueError, RuntimeError):           # names that no file can have
        return None


def mesh_file(name: str, description: Path, packages: Mapping[str, str]) -> Path | None:
    """Return the file of a mesh that a description names, None if there is none to be read.

    packages: name -> folder, of the section `import`.
    """
    path = reachable(name, description.parent, description.parent, packages)
    return path if path is not None and path.is_file() else None


def _within(path: Path, homes: Iterable[Path]) -> Path | None:
    """Return a path that is there, in one of some folders, whatever links lead to."""
    path = path.resolve()
    inside = any(path.is_relative_to(home.resolve()) for home in homes)
    return path if inside and path.exists() else None
