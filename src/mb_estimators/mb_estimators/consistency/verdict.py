"""What the innovations of a sensor say about a filter, in words.

What is observed comes first; then what such a pattern comes of, where that can be told.
"""

import math


def verdict(figures):
    """Return what is wrong with a SensorConsistency; empty if nothing is."""
    found = []
    if not figures.has_right_size:
        found.append(f'innovations are {_times(figures.nis)} times as large as the filter expects')
    if figures.is_lasting:
        whose = 'their averages' if found else 'averages of innovations'
        found.append(f'{whose} over {figures.lasting_length} readings are '
                     f'{_times(figures.lasting)} times as large as those of white noise')
    if not found:
        return ''
    cause = f', {figures.cause}' if figures.cause else ''
    return f'{figures.sensor}: {" and ".join(found)}{cause}'


def remark(figures):
    """Return that a filter is more cautious than it has to be; empty if it is not."""
    if not figures.is_cautious:
        return ''
    return (f'{figures.sensor}: innovations are {_times(figures.nis)} times as large as the filter '
            'expects, its intervals are wider than needed')


def _times(square):
    return f'{math.sqrt(square):.3g}'
