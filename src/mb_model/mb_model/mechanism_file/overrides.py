"""One mapping of a mechanism file put over another, also of values of parameters."""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
import re
from typing import Any

import yaml

from mb_model.mechanism_file.description import MechanismError


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


def _repeated(raw: dict[str, Any]) -> set[str]:
    """Return the sections that `repeat` of a mapping writes entries of."""
    repeat = raw.get('repeat')
    repetitions = repeat.values() if isinstance(repeat, dict) else ()
    return {section for one in repetitions if isinstance(one, dict) for section in one}


def _merged(raw: Any, overrides: Any) -> Any:
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


_AXES = {'x': 0, 'y': 1, 'z': 2}


def parameter_overrides(mechanism: Any, values: Mapping[str, float]) -> dict[str, Any]:
    """Return {name: value} as overrides, for Mechanism.replace and overrides_text.

    Names as in Mechanism.parameter_records; one number of a list ('gravity.y') replaces the list.
    Raises MechanismError where such a list is not written out in the file.
    """
    overrides: dict[str, Any] = {}
    for name, number in values.items():
        keys = (('parameters', name) if name in mechanism.parameters
                else tuple(re.sub(r'\[(\d+)\]', r'.\1', name).split('.')))
        given = merged(mechanism.raw, overrides)
        overrides = merged(overrides, _replacement(mechanism, name, given, keys, float(number)))
    return overrides


def _replacement(mechanism: Any, name: str, given: Any, keys: Sequence[str], number: float) -> Any:
    """Return what replaces a part of a file, whose number at a path of keys is another one."""
    if not keys:
        return number
    key, *rest = keys
    if isinstance(given, (list, tuple)):
        index = _AXES[key] if key in _AXES else int(key)
        return [_replacement(mechanism, name, one, rest, number) if k == index else one
                for k, one in enumerate(given)]
    if not isinstance(given, dict) and key in (*_AXES, '0', '1', '2'):
        raise MechanismError(f'{mechanism.file}: {name}: numbers that the file does not write out '
                             'there; give them a name in `parameters`')
    within = given.get(key) if isinstance(given, dict) else None
    return {key: _replacement(mechanism, name, within, rest, number)}
