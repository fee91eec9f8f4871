"""Factors of symmetric positive definite matrices in space, by lists of where they have entries.

Rows and columns are in the order in which they are eliminated, chosen with the model
(compilation.spatial.elimination): a = U^T D U, the upper triangle.  Row k has entries at
model.fill_column, from fill_row[k] to before fill_row[k + 1].  Three rows alike, as of x, y
and z of a node often are, are eliminated at once: each number behind them is then read and written
once in place of three times.
Source: George and Liu 1981 (Computer solution of large sparse positive definite systems), Ch. 5.
"""

from mb_model.jit import kernel


@kernel
def _eliminate_row(model, a, k):
    """Subtract row k from those below; its diagonal becomes 1 / D_k.  False if that is not > 0."""
    columns, end = model.fill_column, model.fill_row[k + 1]
    if not a[k, k] > 0.0:
        return False
    a[k, k] = 1.0 / a[k, k]
    for b in range(model.fill_row[k], end):
        i = columns[b]
        share = a[k, i] * a[k, k]
        for c in range(b, end):
            a[i, columns[c]] -= share * a[k, columns[c]]
    return True


@kernel
def _eliminate_three(model, a, k):
    """Do the same for rows k, k + 1 and k + 2, alike behind these."""
    columns, end = model.fill_column, model.fill_row[k + 3]
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
        j = columns[b]
        second[j] -= share12 * first[j]
        third[j] -= share13 * first[j] + share23 * second[j]
    for b in range(begin, end):
        i = columns[b]
        share1, share2, share3 = first[i] * inverse1, second[i] * inverse2, third[i] * inverse3
        row = a[i]
        for c in range(b, end):
            j = columns[c]
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
def _forward_three(model, a, k, ordered):
    """Take the shares of rows k, k + 1 and k + 2 from those behind them, as _eliminate_three."""
    first, second, third = a[k], a[k + 1], a[k + 2]
    share1 = ordered[k] * first[k]
    share2 = (ordered[k + 1] - share1 * first[k + 1]) * second[k + 1]
    share3 = (ordered[k + 2] - share1 * first[k + 2] - share2 * second[k + 2]) * third[k + 2]
    ordered[k], ordered[k + 1], ordered[k + 2] = share1, share2, share3
    for c in range(model.fill_row[k + 2], model.fill_row[k + 3]):
        j = model.fill_column[c]
        ordered[j] -= share1 * first[j] + share2 * second[j] + share3 * third[j]


@kernel
def _backward_three(model, a, k, ordered):
    """Solve rows k, k + 1 and k + 2 for what is behind them."""
    first, second, third = a[k], a[k + 1], a[k + 2]
    total1 = total2 = total3 = 0.0
    for c in range(model.fill_row[k + 2], model.fill_row[k + 3]):
        j = model.fill_column[c]
        value = ordered[j]
        total1 += first[j] * value
        total2 += second[j] * value
        total3 += third[j] * value
    value3 = ordered[k + 2] - third[k + 2] * total3
    value2 = ordered[k + 1] - second[k + 1] * (total2 + second[k + 2] * value3)
    ordered[k] -= first[k] * (total1 + first[k + 1] * value2 + first[k + 2] * value3)
    ordered[k + 1], ordered[k + 2] = value2, value3


@kernel
def _forward(model, a, ordered):
    columns, k = model.fill_column, 0
    while k < model.n:
        if model.piece[k] > 1:
            _forward_three(model, a, k, ordered)
        else:
            share = ordered[k] * a[k, k]
            for c in range(model.fill_row[k], model.fill_row[k + 1]):
                ordered[columns[c]] -= share * a[k, columns[c]]
            ordered[k] = share
        k += model.piece[k]


@kernel
def _backward(model, a, ordered):
    columns, end = model.fill_column, model.n
    while end > 0:
        if end > 2 and model.piece[end - 3] > 1:
            end -= 3
            _backward_three(model, a, end, ordered)
        else:
            end -= 1
            total = 0.0
            for c in range(model.fill_row[end], model.fill_row[end + 1]):
                total += a[end, columns[c]] * ordered[columns[c]]
            ordered[end] -= a[end, end] * total


@kernel
def listed_solve(model, a, b, ordered):
    """Solve a x = b (n) in place, from listed_factor; ordered: scratch (n)."""
    coordinate = model.eliminated
    for k in range(model.n):
        ordered[k] = b[coordinate[k]]
    _forward(model, a, ordered)
    _backward(model, a, ordered)
    for k in range(model.n):
        b[coordinate[k]] = ordered[k]
