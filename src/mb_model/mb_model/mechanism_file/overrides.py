"""One mapping of a mechanism file put over another."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import yaml


def merged(raw: Any, overrides: Any) -> Any:
    """Return raw with overrides merged into its mappings; an override of None removes an entry."""
    if not isinstance(raw, dict) or not isinstance(overrides, dict):
        return deepcopy(overrides)
    return {key: merged(raw.get(key), overrides[key]) if key in overrides else deepcopy(raw[key])
            for key in (*raw, *(key for key in overrides if key not in raw))
            if overrides.get(key, 0) is not None}


def overrides_text(extends: str, overrides: Mapping[str, Any], comments: Iterable[str] = ()) -> str:
    """Return the text of a mechanism file of overrides.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    return ''.join(f'# {line}\n' for line in comments) + yaml.safe_dump(
        {'extends': extends, **overrides}, sort_keys=False)
