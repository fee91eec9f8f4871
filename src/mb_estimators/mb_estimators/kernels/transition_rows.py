"""Products of transitions, most rows of which are of constants, with matrices beside each other.

Matrices (l, l) are blocks of wide rows (l, blocks l), which a processor takes several columns at a
time of.
"""

from mb_model.jit import kernel


@kernel
def note_entries(A, columns):
    """Write which columns of each row of A (l, l) are not zero; how many: columns (l, l + 1)."""
    size = A.shape[0]
    for i in range(size):
        count = 0
        for k in range(size):
            if A[i, k] != 0.0:
                columns[i, count] = k
                count += 1
        columns[i, size] = count


@kernel
def write_product(A, columns, M, width, product):
    """Write A M (l, width) of the first columns of M; columns: of A, see note_entries."""
    size = A.shape[0]
    for i in range(size):
        row = product[i]
        for j in range(width):
            row[j] = 0.0
        for n in range(columns[i, size]):
            k = columns[i, n]
            factor, other = A[i, k], M[k]
            for j in range(width):
                row[j] += factor * other[j]


@kernel
def transpose(M, blocks):
    """Transpose the first blocks of M (l, blocks l)."""
    size = M.shape[0]
    for i in range(size):
        for j in range(i):
            for b in range(blocks):
                k = b * size
                M[i, k + j], M[j, k + i] = M[j, k + i], M[i, k + j]


@kernel
def make_symmetric(M, blocks):
    """Make the first blocks of M (l, blocks l) symmetric."""
    size = M.shape[0]
    for i in range(size):
        for j in range(i):
            for b in range(blocks):
                k = b * size
                mean = 0.5 * (M[i, k + j] + M[j, k + i])
                M[i, k + j] = M[j, k + i] = mean


@kernel
def move_covariances(A, columns, M, blocks, product):
    """Make symmetric blocks M_b the blocks A M_b A^T = A (A M_b)^T; then A M of what is beside."""
    size = A.shape[0]
    write_product(A, columns, M, M.shape[1], product)
    transpose(product, blocks)
    write_product(A, columns, product, blocks * size, M)
    for i in range(size):
        for j in range(blocks * size, M.shape[1]):
            M[i, j] = product[i, j]


@kernel
def move_vector(A, columns, x, vector):
    """Make a vector x (l) A x."""
    for i in range(x.size):
        vector[i] = x[i]
    for i in range(x.size):
        x[i] = 0.0
        for n in range(columns[i, x.size]):
            x[i] += A[i, columns[i, n]] * vector[columns[i, n]]
