"""Names of a description as names of a mechanism file: letters, digits and _ only."""

from collections.abc import Iterable
import re

_LONGEST = 64
_OTHER = re.compile(r'[^A-Za-z0-9_]+')


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return {name: the name in the mechanism file}, all different, none of those taken.

    left-knee becomes left_knee, and a second one that looks so left_knee_2.
    """
    given, used = {}, {*taken}
    for name in names:
        base = _OTHER.sub('_', name).strip('_') or 'unnamed'
        base = (f'_{base}' if base[0].isdigit() else base)[:_LONGEST]
        ours, count = base, 1
        while ours in used:
            count += 1
            ours = f'{base[:_LONGEST - 5]}_{count}'
        used.add(ours)
        given[name] = ours
    return given
