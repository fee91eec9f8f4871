"""Data files that come with mb_simulation, by name."""

from contextlib import suppress
from pathlib import Path

from ament_index_python.packages import get_package_share_directory


def shipped_file(key, name_or_path, folder, suffix):
    """Return the path of a file, or, by its name, of one in a folder of mb_simulation.

    Raises ValueError, which begins with key, naming these.
    """
    folder = Path(get_package_share_directory('mb_simulation')) / folder
    for path in (Path(name_or_path), folder / f'{name_or_path}{suffix}'):
        with suppress(OSError):     # a name that is too long for a file
            if path.is_file():
                return path
    names = ', '.join(sorted(file.stem for file in folder.glob(f'*{suffix}')))
    raise ValueError(f'{key}: {name_or_path}: no such file, nor one of {names}')
