"""The verdict on a filter by the innovations of a sensor, in words.

The observation comes first; then its cause, if it can be named.
"""

import math


def verdict(figures):
    """Return the inconsistency of a SensorConsistency; empty without one."""
    found = []
    if figures.too_many_left_out:
        found.append(left_out_text(figures.left_out, figures.count))
    if not figures.has_right_size:
        found.append(f'innovations are {_times(figures.nis)} times as large as the filter expects')
    if figures.is_lasting:
        whose = 'their averages' if not figures.has_right_size else 'averages of innovations'
        found.append(f'{whose} over {figures.lasting_length} readings are '
                     f'{_times(figures.lasting)} times as large as white noise has them')
    if figures.is_noisy and figures.has_right_size:
        found.append(f'readings are {_times(figures.noise.variance)} times as noisy as declared')
    if not found:
        return ''
    cause = f', {figures.cause}' if figures.cause else ''
    return f'{figures.sensor}: {" and ".join(found)}{cause}'


def left_out_text(left_out, count):
    """Return in words how many readings of a sensor were left out."""
    return (f'all {count} readings were left out' if left_out == count else
            f'{left_out} of {count} readings were left out')


def remark(figures):
    """Return that a filter is more cautious than it has to be; empty if it is not."""
    if not figures.is_cautious:
        return ''
    return (f'{figures.sensor}: innovations are {_times(figures.nis)} times as large as the filter '
            'expects, its intervals are wider than needed')


def _times(square):
    return f'{math.sqrt(square):.3g}'
