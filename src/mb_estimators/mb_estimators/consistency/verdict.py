"""What the innovations of a sensor say about the tuning of a filter, in words.

Innovations larger than expected mean that the filter expects too little noise altogether.  If they
correlate positively, the gain is too small: too little plant noise for that sigma; if negatively,
too large (Mehra 1970).  Both together tell which of the two is wrong.
"""

import math

_CAUSES = {             # (size, correlation): -1 too small, 0 as expected, 1 too large -> cause
    (1, 1): 'plant noise too small',
    (1, 0): 'sigma and plant noise too small',
    (1, -1): 'sigma too small',
    (0, 1): 'plant noise too small for this sigma',
    (0, -1): 'plant noise too large for this sigma',
    (-1, 1): 'sigma too large',
    (-1, 0): 'sigma and plant noise too large',
    (-1, -1): 'plant noise too large',
}


def verdict(figures):
    """Return what is wrong with a SensorConsistency and what may cause it; empty if nothing is."""
    found = []
    size, correlation = _size(figures), _correlation(figures)
    if size:
        times = math.sqrt(figures.nis)
        found.append(f'innovations are {times:.3g} times as large as the filter expects')
    if correlation:
        found.append('they follow' if found else 'innovations follow')
        found[-1] += (' each other' if correlation > 0 else ' each other with changing sign')
        found[-1] += f' (correlation {figures.correlation:+.2f} over the next readings)'
    elif not figures.is_white:
        found.append(f'{"they" if found else "innovations"} are not white noise (correlation '
                     f'{figures.strongest_correlation:+.2f} at a distance of '
                     f'{figures.strongest_lag} readings)')
    text = ' and '.join(found)
    explained = figures.is_white or correlation
    cause = _CAUSES.get((size, correlation)) if explained else None
    parts = [f'{text}: {cause}' if cause else text] if text else []
    if not figures.is_centred:
        parts.append(f'{"they" if parts else "innovations"} lie {figures.offset:.2g} deviations '
                     'off zero on average: sensor bias, or a force that the model does not know')
    return f'{figures.sensor}: {"; ".join(parts)}' if parts else ''


def _size(figures):
    """Return 1 for innovations larger than expected, -1 for smaller ones."""
    low, high = figures.nis_bounds
    return int(figures.nis > high) - int(figures.nis < low)


def _correlation(figures):
    """Return the sign of the correlation of innovations that are not white, 0 if it has none."""
    if figures.is_white or abs(figures.correlation) < figures.correlation_bound:
        return 0
    return 1 if figures.correlation > 0.0 else -1
