"""The layout of a filter's state: named blocks of states, one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Block:
    """States of one kind: the name of the kind, and of each state its name and unit.

    variances: of the states at the start (size).
    """

    name: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    variances: FloatArray

    def __post_init__(self) -> None:
        """Raise ValueError if names, units and variances differ in number."""
        if not len(self.names) == len(self.units) == len(self.variances):
            raise ValueError(f'{self.name}: {len(self.names)} names, {len(self.units)} units, '
                             f'{len(self.variances)} variances: must be equally many')

    def __len__(self) -> int:
        return len(self.names)


class Layout:
    """Where each state of a filter is, what it is called, its unit and its variance at the start.

    `layout['bias']` is the slice of a block, empty if there are no such states.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        """Put blocks one after the other.  Raises ValueError for two of one name."""
        self.blocks = tuple(blocks)
        ends = accumulate(map(len, self.blocks))
        self._slices = {block.name: slice(end - len(block), end)
                        for block, end in zip(self.blocks, ends, strict=True)}
        if len(self._slices) < len(self.blocks):
            raise ValueError(f'{", ".join(block.name for block in self.blocks)}: must be different')

    def __getitem__(self, name: str) -> slice:
        return self._slices.get(name, slice(self.size, self.size))

    def __len__(self) -> int:
        return self.size

    @cached_property
    def size(self) -> int:
        """How many states there are."""
        return sum(map(len, self.blocks))

    def count(self, *names: str) -> int:
        """Return how many states blocks of these names have."""
        return sum(len(block) for block in self.blocks if block.name in names)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all states, in their order."""
        return tuple(name for block in self.blocks for name in block.names)

    @property
    def units(self) -> tuple[str, ...]:
        """Units of all states, in their order."""
        return tuple(unit for block in self.blocks for unit in block.units)

    @cached_property
    def variances(self) -> FloatArray:
        """Variances of all states at the start (size)."""
        return np.concatenate([block.variances for block in self.blocks])

    def parts(self, values: FloatArray) -> dict[str, FloatArray]:
        """Return the views of values (..., size) that belong to each block, by its name."""
        return {block.name: values[..., self[block.name]] for block in self.blocks}


MOTION = ('position', 'velocity', 'acceleration')       # blocks that a given covariance is of
_ORDERS = (*MOTION, 'jerk')
RATES = ('', '/s', '/s^2', '/s^3')                      # in units of derivatives


def motion_blocks(mechanism: Mechanism, variances: Sequence[float]) -> list[Block]:
    """Return blocks of z, of zd, and so on, one for each of the variances at the start.

    States of filters that run the model freely are the errors of these.
    """
    units = [mechanism.unit(name) for name in mechanism.independent]
    return [Block(kind, tuple(f'{name} {kind}' if order else name
                              for name in mechanism.independent),
                  tuple(unit + RATES[order] for unit in units), np.full(mechanism.g, variance))
            for order, (kind, variance) in enumerate(zip(_ORDERS, variances, strict=False))]
