"""Factors of symmetric positive definite matrices in space, by lists of where they have entries.

Rows and columns are in the places in which they are eliminated, chosen with the model
(compilation.spatial.elimination): a = U^T D U, the upper triangle.  Row k has entries at
model.fill_place, from fill_row[k] to before fill_row[k + 1].  Three rows alike, as those of x, y
and z of a node often are, are eliminated at once: each number behind them is then read and written
once in place of three times.
Source: George and Liu 1981 (Computer solution of large sparse positive definite systems), Ch. 5.
"""

from mb_model.jit import kernel


@kernel
def _eliminate_row(model, a, k):
    """Subtract row k from those below; its diagonal becomes 1 / D_k.  False if that is not > 0."""
    place, end = model.fill_place, model.fill_row[k + 1]
    if not a[k, k] > 0.0:
        return False
    a[k, k] = 1.0 / a[k, k]
    for b in range(model.fill_row[k], end):
        i = place[b]
        share = a[k, i] * a[k, k]
        for c in range(b, end):
            a[i, place[c]] -= share * a[k, place[c]]
    return True


@kernel
def _eliminate_three(model, a, k):
    """Do the same for rows k, k + 1 and k + 2, alike behind these."""
    place, end = model.fill_place, model.fill_row[k + 3]
    first, second, third = a[k], a[k + 1], a[k + 2]
    if not first[k] > 0.0:
        return False
    inverse1 = 1.0 / first[k]
    share12, share13 = first[k + 1] * inverse1, first[k + 2] * inverse1
    second[k + 1] -= share12 * first[k + 1]
    second[k + 2] -= share12 * first[k + 2]
    if not second[k + 1] > 0.0:
        return False
    inverse2 = 1.0 / second[k + 1]
    share23 = second[k + 2] * inverse2
    third[k + 2] -= share13 * first[k + 2] + share23 * second[k + 2]
    if not third[k + 2] > 0.0:
        return False
    inverse3 = 1.0 / third[k + 2]
    first[k], second[k + 1], third[k + 2] = inverse1, inverse2, inverse3
    begin = model.fill_row[k + 2]
    for b in range(begin, end):
        j = place[b]
        second[j] -= share12 * first[j]
        third[j] -= share13 * first[j] + share23 * second[j]
    for b in range(begin, end):
        i = place[b]
        share1, share2, share3 = first[i] * inverse1, second[i] * inverse2, third[i] * inverse3
        row = a[i]
        for c in range(b, end):
            j = place[c]
            row[j] -= share1 * first[j] + share2 * second[j] + share3 * third[j]
    return True


@kernel
def listed_factor(model, a):
    """Factorise a (n, n) in place; return False if it is not positive definite (or not finite)."""
    k = 0
    while k < model.n:
        if model.piece[k] == 1:
            if not _eliminate_row(model, a, k):
                return False
        elif not _eliminate_three(model, a, k):
            return False
        k += model.piece[k]
    return True


@kernel
def listed_solve(model, a, b, ordered):
    """Solve a x = b (n) in place, from listed_factor; ordered: scratch (n)."""
    place, coordinate = model.fill_place, model.eliminated
    for k in range(model.n):
        ordered[k] = b[coordinate[k]]
    for k in range(model.n):
        share = ordered[k] * a[k, k]
        for c in range(model.fill_row[k], model.fill_row[k + 1]):
            ordered[place[c]] -= share * a[k, place[c]]
        ordered[k] = share
    for k in range(model.n - 1, -1, -1):
        total, begin, end = 0.0, model.fill_row[k], model.fill_row[k + 1]
        for c in range(begin, end):
            total += a[k, place[c]] * ordered[place[c]]
        ordered[k] -= a[k, k] * total
        b[coordinate[k]] = ordered[k]
