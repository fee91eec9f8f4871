"""The folders that runs are written to: results/<time>/, and results/latest that points to it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
import sys
from typing import Any

from mb_model.file_api import user_path


def new_folder(parent: str | Path) -> Path:
    """Make a folder named by the present time and let `latest` point to it; return its path.

    Raises ValueError if it cannot be made.
    """
    now = datetime.now()
    try:
        parent = user_path(parent).resolve()
        parent.mkdir(parents=True, exist_ok=True)
        folder = _fresh(parent, now.strftime('%Y-%m-%d_%H-%M-%S'))
        _point(parent / 'latest', folder.name)
    except OSError as error:
        raise ValueError(f'results: {error.filename}: {error.strerror}') from error
    except ValueError as error:
        raise ValueError(f'results: {error}') from error
    return folder


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


def _point(link: Path, target: str):
    """Let a link point to a target, without a moment in which there is none."""
    new = link.with_name(f'.{link.name}-{target}')
    new.symlink_to(target)
    new.replace(link)
