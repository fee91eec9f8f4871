"""Sizes of forces, and what they leave open, by least squares over all windows."""

from math import erf, exp, pi, sqrt

from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, solve_lower

_LOST = 1e-9        # share of what a force does that is rounding beside what is left open


@kernel
def normal_probability(x):
    """Probability of less than x in the standard normal distribution."""
    return 0.5 * (1.0 + erf(x / sqrt(2.0)))


@kernel
def expected_rate(speed, deviation):
    """Mean of max(0, v) where v is normal around speed."""
    x = speed / deviation
    if x < -8.0:
        return 0.0
    return deviation * (exp(-0.5 * x * x) / sqrt(2.0 * pi) + x * normal_probability(x))


@kernel
def add_share(effects, shares, first, n, to):
    """Write the sum of effects (3, n) by their shares, from row first on."""
    to[:first] = 0.0
    for k in range(first, n):
        to[k] = (shares[0] * effects[0, k] + shares[1] * effects[1, k]
                 + shares[2] * effects[2, k])


@kernel
def linearise(evidence, mode, left, count, g):
    """Write columns of forces N (effect + left open x) about the sizes and the x that are known.

    And to target the forces without what is constant in this.
    """
    n = count * g
    for i in range(left):
        evidence.columns[i, :n] = 0.0
    evidence.target[:n] = evidence.white[:n]
    for back in range(count):
        size, to = evidence.sizes[back], evidence.columns[left + back]
        add_share(evidence.effect[back], evidence.share[back, mode], back * g, n, to)
        for i in range(left):
            x, column, effect = evidence.moved[i], evidence.columns[i], evidence.left_open[back, i]
            for k in range(back * g, n):
                column[k] += size * effect[k]
                to[k] += x * effect[k]
                evidence.target[k] += size * x * effect[k]


@kernel
def miss(evidence, left, count, g):
    """Return the misfit of the sizes and the x that columns are linearised about."""
    n, misfit = count * g, 0.0
    for i in range(left):
        misfit += evidence.moved[i] ** 2
    for k in range(n):
        rest = evidence.white[k]
        for back in range(k // g + 1):
            rest -= evidence.sizes[back] * evidence.columns[left + back, k]
        misfit += rest ** 2
    return misfit


@entry
def project(evidence, left, windows, g):
    """Return the misfit and the weight of forces by columns, of which the first are left open.

    By the factor of the normal equations, in which those left open have their prior.  A negative
    size is none.  0 as weight: what is left open explains all that a size does.  Writes what is
    found: sizes, and how far those left open are moved.
    """
    count, n = left + windows, windows * g
    normal, product, columns = evidence.normal, evidence.product, evidence.columns
    misfit, weight = 0.0, 1.0
    for k in range(n):
        misfit += evidence.target[k] ** 2
    for i in range(count):
        first, total = 0 if i < left else (i - left) * g, 0.0
        for k in range(first, n):
            total += columns[i, k] * evidence.target[k]
        product[i] = total
        for j in range(i + 1):
            total = 1.0 if i == j and i < left else 0.0
            for k in range(first, n):
                total += columns[i, k] * columns[j, k]
            normal[i, j] = total
    for w in range(windows):
        evidence.sizes[w] = normal[left + w, left + w]
    if not cholesky_factor(normal, count):
        return misfit, 0.0
    solve_lower(normal, product, count)
    for i in range(count):
        misfit -= product[i] ** 2
        if i < left:
            weight /= normal[i, i]
    for w in range(windows - 1, -1, -1):
        i = left + w
        if normal[i, i] ** 2 <= _LOST * evidence.sizes[w]:
            return misfit, 0.0
        x = product[i]
        for v in range(w + 1, windows):
            x -= normal[left + v, i] * evidence.sizes[v]
        evidence.sizes[w] = max(0.0, x) / normal[i, i]
        misfit += min(0.0, x) ** 2
        weight *= _half_line(x)
    for i in range(left - 1, -1, -1):
        x = product[i]
        for j in range(i + 1, left):
            x -= normal[j, i] * evidence.moved[j]
        for w in range(windows):
            x -= normal[left + w, i] * evidence.sizes[w]
        evidence.moved[i] = x / normal[i, i]
    return misfit, weight


@kernel
def _half_line(x):
    """Mean of 1 / max(x, 1) over N > 0, normal around x; for x < 0 times exp(x^2 / 2)."""
    if x > 0.0:
        return normal_probability(x) / max(1.0, x)
    return normal_probability(x) * exp(0.5 * min(x * x, 100.0))
