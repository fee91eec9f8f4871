"""Reports as files: strict JSON."""

import json

import numpy as np


def write_report(report, path):
    """Write a report as JSON that any reader understands (no NaN)."""
    path.write_text(json.dumps(finite(report), indent=2, ensure_ascii=False) + '\n')


def read_report(folder):
    """Return the report in a results folder; raises ValueError if none can be read."""
    path = folder / 'report.json'
    try:
        return json.loads(path.read_text())
    except OSError as error:
        raise ValueError(f'{path}: {error.strerror}') from error
    except json.JSONDecodeError as error:
        raise ValueError(f'{path}: line {error.lineno}: {error.msg}') from error


def finite(value):
    """Return a copy with None for every number that JSON cannot express."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    return value
