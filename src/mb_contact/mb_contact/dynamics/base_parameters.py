"""Which parameters, or which sums of them, a motion determines."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

_RANK = 1e-7        # rest of a column against the largest one, if it depends on others
_SHARE = 1e-6       # a factor below this share of the parameters' sizes is none


@dataclass(frozen=True)
class BaseParameter:
    """A sum that can be identified: the parameter `name`, plus factor times each of `others`."""

    name: str
    others: dict[str, float]

    def value(self, values):
        """Return the sum for parameters by name."""
        return values[self.name] + sum(factor * values[name]
                                       for name, factor in self.others.items())

    @property
    def text(self):
        """The sum in words: 'inner_mass + 0.33 outer_mass'."""
        return self.name + ''.join(f' {"-" if factor < 0.0 else "+"} {abs(factor):.4g} {name}'
                                   for name, factor in self.others.items())


def base_parameters(names, slopes, sizes):
    """Return (BaseParameters, their columns (b)): a largest set that slopes distinguish.

    slopes (k, p): of the residual by the parameters; sizes (p): of the parameters, by which their
    columns are compared.  The columns left out are combinations of these; their parameters keep
    their values, and errors of these enter the sums.  Source: Gautier 1991 (base parameters
    by QR with pivoting).
    """
    triangle, order = qr(slopes * sizes, mode='r', pivoting=True)
    triangle = triangle[:len(names)]
    diagonal = np.abs(np.diagonal(triangle))
    rank = int(np.sum(diagonal > _RANK * diagonal[0])) if diagonal[0] > 0.0 else 0
    kept, left = order[:rank], order[rank:]
    shares = (solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:]) if rank
              else np.empty((0, len(left))))
    found = []
    for row in np.argsort(kept):
        others = {names[other]: float(share * sizes[kept[row]] / sizes[other])
                  for other, share in zip(left, shares[row], strict=True) if abs(share) > _SHARE}
        found.append(BaseParameter(names[kept[row]], others))
    return tuple(found), np.sort(kept)
