"""Which places to connect, so that all are connected in the shortest way."""

import numpy as np
from numpy.typing import ArrayLike


def spanning(places: ArrayLike) -> list[tuple[int, int]]:
    """Return the shortest pairs of numbers that connect all places: Prim 1957."""
    nodes = np.array(places)
    apart = np.linalg.norm(nodes[:, None] - nodes, axis=2)
    inside = [0]
    pairs: list[tuple[int, int]] = []
    while len(inside) < len(nodes):
        outside = [k for k in range(len(nodes)) if k not in inside]
        ways = apart[np.ix_(inside, outside)]
        i, j = divmod(int(np.argmin(ways)), ways.shape[1])
        pairs.append((inside[i], outside[j]))
        inside.append(outside[j])
    return pairs
