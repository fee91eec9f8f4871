"""The folders that runs are written to: results/<time>/, and results/latest that points to it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
import re
import shutil
import sys
from typing import Any

from mb_model.file_api import made_folder, point_to, user_path

_RUN = re.compile(r'\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(_\d+)?')       # names of new_folder


def new_folder(parent: str | Path) -> Path:
    """Make a folder named by the present time and let `latest` point to it; return its path.

    Raises ValueError if it cannot be made.
    """
    now = datetime.now()
    try:
        parent = user_path(parent).resolve()
        made_folder(parent)
        link = parent / 'latest'
        if link.exists() and not link.is_symlink():
            raise ValueError(f'{link}: is no link to the newest run, and is not replaced by one: '
                             'give it another name')
        folder = _fresh(parent, now.strftime('%Y-%m-%d_%H-%M-%S'))
        try:
            point_to(link, folder.name)
        except OSError:
            folder.rmdir()
            raise
    except OSError as error:
        raise ValueError(f'results: {error.filename}: {error.strerror}') from error
    except ValueError as error:
        raise ValueError(f'results: {error}') from error
    return folder


def remove_folder(folder: Path) -> str:
    """Remove the folder of a run that has left nothing, and what points to it.

    Returns the name of the newest run beside it, to which `latest` points then, '' without one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    link = folder.with_name('latest')
    others = sorted(other.name for other in folder.parent.iterdir()
                    if _RUN.fullmatch(other.name) and other.is_dir())
    if link.is_symlink() and link.readlink().name == folder.name:
        if others:
            point_to(link, others[-1])
        else:
            link.unlink()
    return others[-1] if others else ''


def end_with_results(node: Any, conclude: Callable[[], None], folder: Path) -> None:
    """Let a monitor conclude, say where its results are, and end the process with exit code 0.

    conclude: called without arguments; 1 is the exit code if it raises OSError, of a full disk.
    """
    try:
        conclude()
    except OSError as error:
        node.get_logger().error(f'{folder}: not all results could be written: {error}')
        sys.exit(1)
    print(f'results in {folder}', flush=True)
    sys.exit(0)


def _fresh(parent: str | Path, name: str):
    """Make and return a folder of this name, numbered if another run of this second has it."""
    number = 1
    while True:
        folder = parent / (name if number == 1 else f'{name}_{number}')
        try:
            folder.mkdir()
            return folder
        except FileExistsError:
            number += 1
