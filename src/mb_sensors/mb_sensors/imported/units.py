"""Units in which logs may have their columns, and what they are in units of the model."""

from collections.abc import Mapping
import re

from mb_model.file_api import SPELLED, UNITS

ATMOSPHERE = 101325.0   # Pa
TIMES = {'s': 10 ** 9, 'ms': 10 ** 6, 'us': 10 ** 3, 'ns': 1}      # ns
_TIMES_SPELLED = {
    'sec': 's', 'secs': 's', 'second': 's', 'seconds': 's', 'msec': 'ms', 'millis': 'ms',
    'milliseconds': 'ms', 'µs': 'us', 'μs': 'us', 'usec': 'us', 'micros': 'us',
    'microseconds': 'us', 'nsec': 'ns', 'nanos': 'ns', 'nanoseconds': 'ns',
    'sampletimefine': 'us'}         # of Xsens


def factor_of(unit: str, wanted: str) -> float:
    """Return what one of a unit is in the wanted one; '' is the wanted one.  Raises ValueError."""
    known = UNITS.get(wanted, {wanted: 1.0})
    if unit and unit not in known:
        raise ValueError(f'unit: {unit!r} must be one of {", ".join(known)}')
    return known[unit or wanted]


def unit_in(text: str, wanted: str) -> str:
    """Return the unit of the quantity of a wanted unit that a name says, '' for none.

    Such as `angle [deg]`, `angle_deg`, `Torque (Nm)`; a name of one or two letters says none.
    """
    return _said(text, {**{name.lower(): name for name in UNITS.get(wanted, {})}, **SPELLED},
                 UNITS.get(wanted, {}))


def time_unit_in(text: str) -> str:
    """Return the unit of time that a name says: a key of TIMES, '' for none."""
    return _said(text, {**{name: name for name in TIMES}, **_TIMES_SPELLED}, TIMES)


def _said(text: str, spelled: Mapping[str, str], known: Mapping[str, float]):
    """Return which of the known units a text says, in brackets or as its last words."""
    inside = re.findall(r'[\[(]\s*([^\])]*?)\s*[\])]', text)
    words = re.split(r'[\s_\-.\[\]()]+|(?<=[a-z])(?=[A-Z])', text.strip())
    words = [word for word in words if word]
    words = [word for word in words if word.lower() != 'in']      # which is rarely inches
    ends = [separator.join(words[-count:]) for count in (3, 2, 1) if len(words) > count
            for separator in ('/', ' ', '')]
    whole = [text.strip()] if text.strip().lower() in spelled and len(text.strip()) > 2 else []
    for one in (*inside, *ends, *whole):
        unit = one if one in known else spelled.get(one.lower().replace('**', '^'), '')
        if unit in known:
            return unit
    return ''
