"""Executables of packages: the executable files in `<prefix>/lib/<package>`."""
import os
from pathlib import Path

from ament_index_python import get_package_prefix


def get_executable_paths(package):
    """Sorted paths of a package's executables.  Raises PackageNotFoundError."""
    folder = Path(get_package_prefix(package)) / 'lib' / package
    return sorted(str(path) for path in folder.rglob('*')
                  if path.is_file() and os.access(path, os.X_OK))


def get_executable_path(package, name):
    """Path of the executable of this name, or None."""
    paths = [path for path in get_executable_paths(package) if os.path.basename(path) == name]
    if len(paths) > 1:
        raise RuntimeError(f"Multiple executables named '{name}' found:\n" + '\n'.join(paths))
    return paths[0] if paths else None
