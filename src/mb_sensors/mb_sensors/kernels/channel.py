"""The record of one measured quantity, as the compiled functions take it, and points on bodies.

Arrays over coordinates are those of mb_model.record: behind the n coordinates q stand x and y of
the fixed points, so that moving and fixed points are addressed alike by the place of their x.
"""

from pathlib import Path

from numba import njit
import numpy as np

from mb_model.fingerprint import fingerprint

# kind: which measurement function; coordinate: place in q of the quantity itself, or -1;
# first, second: places of the x of two points of a body.
CHANNEL = np.dtype([('kind', np.int64), ('coordinate', np.int64), ('first', np.int64),
                    ('second', np.int64),
                    (f'sources_{fingerprint(Path(__file__).parent)}', np.int64)])


@njit(cache=True)
def between_points(channel, q):
    """Return the vector from the first to the second point; of qd: its time derivative."""
    return q[channel.second] - q[channel.first], q[channel.second + 1] - q[channel.first + 1]


@njit(cache=True)
def spread_to_points(channel, by_dx, by_dy, row):
    """Write derivatives by the vector between the points into a row of those by q or qd."""
    row[channel.second], row[channel.second + 1] = by_dx, by_dy
    row[channel.first], row[channel.first + 1] = -by_dx, -by_dy
