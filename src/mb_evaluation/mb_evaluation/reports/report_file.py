"""The figures of reports as files: strict JSON."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from mb_model.file_api import write_whole


def write_json(figures: Any, path: Path) -> None:
    """Write figures as JSON that any reader understands (no NaN)."""
    write_whole(path, json.dumps(finite(figures), indent=2, ensure_ascii=False) + '\n')


def read_report(folder: Path) -> dict[str, Any]:
    """Return the figures of the report in a results folder; ValueError if none can be read."""
    path = folder / 'report.json'
    try:
        return json.loads(path.read_text())
    except FileNotFoundError as error:
        raise ValueError(f'{path}: {error.strerror}; {_hint(folder)}') from error
    except OSError as error:
        raise ValueError(f'{path}: {error.strerror}') from error
    except json.JSONDecodeError as error:
        raise ValueError(f'{path}: line {error.lineno}: {error.msg}') from error


def _hint(folder: Path) -> str:
    """Return what makes the report that a folder does not have."""
    if (folder / 'bag').is_dir():
        return f'`ros2 run mb_evaluation report {folder}` makes the report of its bag'
    return ('expected the results folder of a run, which `ros2 launch mb_bringup '
            'three_simulation.launch.py` makes, as do the other launch files of mb_bringup')


def finite(value: Any) -> Any:
    """Return a copy with None for every number that JSON cannot express."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value
