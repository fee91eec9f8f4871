"""Products of small dense matrices, on the leading parts of larger arrays.

Sums run over ascending indices and begin with what is written first, so that all users get the
same bits.  For sizes up to about 15 a sum at a time is faster than a row at a time.
"""

from mb_model.jit import kernel


@kernel
def multiply(left, right, rows, inner, columns, out):
    """Write out (rows, columns) = left (rows, inner) right (inner, columns)."""
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += left[i, k] * right[k, j]
            out[i, j] = total


@kernel
def add_product(left, right, rows, inner, columns, factor, out):
    """Add factor left (rows, inner) right (inner, columns) to out; factor: 1 or -1."""
    for i in range(rows):
        for j in range(columns):
            total = out[i, j]
            for k in range(inner):
                total += factor * left[i, k] * right[k, j]
            out[i, j] = total


@kernel
def multiply_sparse(left, right, n, out):
    """Write out = left right (n, n); fast where left has many zeros."""
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
        for a in range(n):
            value = left[i, a]
            if value != 0.0:
                for j in range(n):
                    out[i, j] += value * right[a, j]


@kernel
def multiply_in_blocks(left, right, size, factor, out):
    """Write out = factor left right, of a left that is mostly zero, in blocks of four columns.

    Columns up to the next multiple of four are written too; they must be there.
    """
    for i in range(size):
        for block in range((size + 3) // 4):
            k = 4 * block
            first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
            for a in range(size):
                value = left[i, a]
                if value != 0.0:
                    first += value * right[a, k]
                    second += value * right[a, k + 1]
                    third += value * right[a, k + 2]
                    fourth += value * right[a, k + 3]
            out[i, k], out[i, k + 1] = factor * first, factor * second
            out[i, k + 2], out[i, k + 3] = factor * third, factor * fourth


@kernel
def congruence(a, p, size, inner, product, out):
    """Write out = a p a^T, symmetric; a (size, inner), p (inner, inner) symmetric.

    product (size, inner): scratch, left as a p.
    """
    multiply(a, p, size, inner, inner, product)
    for i in range(size):
        for j in range(i + 1):
            total = 0.0
            for k in range(inner):
                total += product[i, k] * a[j, k]
            out[i, j] = out[j, i] = total


@kernel
def add_congruence(a, p, size, inner, product, out):
    """Add a p a^T to a symmetric out, which may be p; arguments as of congruence."""
    multiply(a, p, size, inner, inner, product)
    add_by_transposed(product, a, size, inner, out)


@kernel
def add_by_transposed(left, right, size, inner, out):
    """Add left right^T, which is symmetric, to a symmetric out (size, size)."""
    for i in range(size):
        for j in range(i + 1):
            total = out[i, j]
            for k in range(inner):
                total += left[i, k] * right[j, k]
            out[i, j] = out[j, i] = total


@kernel
def congruence_of_columns(r, p, size, inner, product, out):
    """Write out = r^T p r (size, size), symmetric; r (inner, size), p (inner, inner) symmetric.

    product (inner, size): scratch, left as p r.
    """
    multiply(p, r, inner, inner, size, product)
    for i in range(size):
        for j in range(i + 1):
            total = 0.0
            for k in range(inner):
                total += r[k, i] * product[k, j]
            out[i, j] = out[j, i] = total


@kernel
def square_of_factor(lower, size, out):
    """Write out = L L^T, symmetric; L: lower triangle of lower (size, size)."""
    for i in range(size):
        for j in range(i + 1):
            total = 0.0
            for k in range(j + 1):
                total += lower[i, k] * lower[j, k]
            out[i, j] = out[j, i] = total


@kernel
def times_factor(left, lower, rows, size, out):
    """Write out = left L (rows, size); L: lower triangle of lower; out may be left."""
    for i in range(rows):
        for j in range(size):
            total = 0.0
            for k in range(j, size):
                total += left[i, k] * lower[k, j]
            out[i, j] = total


@kernel
def add_information(H, variances, present, count, size, out):
    """Add H^T R^-1 H to out (size, size); R: variances of the present ones, one for each row."""
    for a in range(count):
        variance = variances[present[a]]
        for i in range(size):
            for j in range(size):
                out[i, j] += H[a, i] * H[a, j] / variance


@kernel
def information_gain(P, H, variances, present, count, size, out):
    """Write out = P H^T R^-1 (size, count); arguments as of add_information."""
    for a in range(count):
        variance = variances[present[a]]
        for i in range(size):
            total = 0.0
            for j in range(size):
                total += P[i, j] * H[a, j]
            out[i, a] = total / variance
