"""One mapping of a mechanism file put over another."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import yaml


def merged(raw: Any, overrides: Any) -> Any:
    """Return raw with overrides merged into its mappings; an override of None removes an entry.

    One that `repeat` of raw may write stays None: it is removed when these are written out.
    """
    whole = _merged(raw, overrides)
    if isinstance(raw, dict) and isinstance(overrides, dict):
        for section in _repeated(raw):
            if isinstance(overrides.get(section), dict) and isinstance(whole.get(section), dict):
                whole[section] |= {name: None for name, entry in overrides[section].items()
                                   if entry is None}
    return whole


def _repeated(raw):
    """Return the sections that `repeat` of a mapping writes entries of."""
    repeat = raw.get('repeat')
    repetitions = repeat.values() if isinstance(repeat, dict) else ()
    return {section for one in repetitions if isinstance(one, dict) for section in one}


def _merged(raw, overrides):
    if not isinstance(raw, dict) or not isinstance(overrides, dict):
        return deepcopy(overrides)
    return {key: _merged(raw.get(key), overrides[key]) if key in overrides else deepcopy(raw[key])
            for key in (*raw, *(key for key in overrides if key not in raw))
            if overrides.get(key, 0) is not None}


def overrides_text(extends: str, overrides: Mapping[str, Any], comments: Iterable[str] = ()) -> str:
    """Return the text of a mechanism file of overrides.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    return ''.join(f'# {line}\n' for line in comments) + yaml.safe_dump(
        {'extends': extends, **overrides}, sort_keys=False)
