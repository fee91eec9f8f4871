"""Spanning trees: from a root on, the cheapest tie that leads to something new, again and again.

Of ties that cost the same the first one: where all do, breadth first.
Source: Prim 1957 (Shortest connection networks and some generalizations).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

Node = TypeVar('Node', bound=Hashable)


def spanning_tree(root: Node, ties: Callable[[Node], Iterable[tuple[Any, Node, Any]]],
                  spent: Callable[[Any], bool] = lambda tie: False,
                  ) -> Iterator[tuple[Node, Node, Any]]:
    """Yield (node, its parent, tie between them), parents before children; the root is not among.

    ties(node): (cost, other node, tie) of a node that has just been reached, parallel ones too;
    spent(tie): whether it no longer counts, as others have been taken.
    """
    waiting: list[tuple[Any, int, Node, Node, Any]] = []
    reached, newest, order = {root}, root, count()
    while True:
        for cost, node, tie in ties(newest):
            heappush(waiting, (cost, next(order), newest, node, tie))
        while waiting and (waiting[0][3] in reached or spent(waiting[0][4])):
            heappop(waiting)
        if not waiting:
            return
        _, _, parent, newest, tie = heappop(waiting)
        reached.add(newest)
        yield newest, parent, tie


def shortest_connections(positions: ArrayLike) -> list[tuple[int, int]]:
    """Return the shortest pairs of numbers that connect all positions (k, d)."""
    points = np.array(positions)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    return [(parent, node) for node, parent, _ in spanning_tree(
        0, lambda k: ((distance, other, None) for other, distance in enumerate(apart[k])))]
