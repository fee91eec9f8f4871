"""Currents of 4 to 20 mA that carry a measured value, and show broken wires.

Source: NAMUR NE 43: 3.8 to 20.5 mA are measurements, below 3.6 and above 21 mA are failures.
"""

_ZERO, _SPAN = 4.0, 16.0                    # [mA]
_LOWEST, _HIGHEST = 3.8, 20.5               # of measurements [mA]
_BROKEN, _SHORTED = 3.6, 21.0               # failures beyond these [mA]


def failure(current):
    """Return the failure that a current [mA] shows, an empty text if none."""
    if current < _BROKEN:
        return f'broken wire ({current:.2f} mA)'
    if current > _SHORTED:
        return f'short circuit or failed transmitter ({current:.2f} mA)'
    return ''


def value(current, at_zero, at_full):
    """Return what a current [mA] measures, None if it is none; at_zero at 4, at_full at 20 mA."""
    if not _LOWEST <= current <= _HIGHEST:
        return None
    return at_zero + (current - _ZERO) / _SPAN * (at_full - at_zero)


def current(value, at_zero, at_full):
    """Return the current [mA] of a transmitter, which saturates at its limits."""
    exact = _ZERO + _SPAN * (value - at_zero) / (at_full - at_zero)
    return min(_HIGHEST, max(_LOWEST, exact))
