"""What algorithms ask of matrices, wherever their numbers are: in full, or without the zeros.

A kernel that uses these functions alone serves small and large mechanisms.  Which of the two it is
follows from the type of the record, when the kernel is compiled.
"""

from typing import Any

from mb_model.jit import by_type
from mb_model.kernels import (
    dense,
    dense_in_space,
    sparse_augmented,
    sparse_dependent,
    sparse_rows,
    sparse_tangent,
    transformation,
)
from mb_model.kernels.listed_lu import by_dimension


def by_storage(full: Any, sparse: Any) -> Any:
    """Return a function for kernels: `sparse` for models with a sparse structure, else `full`."""
    return by_type(lambda types: sparse if 'row_coordinate' in types[0].fields else full,
                   full.__name__)


fill_mass_matrix = by_storage(dense.fill_mass_matrix, sparse_augmented.fill_mass_matrix)
evaluate = by_storage(dense.evaluate, sparse_rows.evaluate)
rate_products = by_storage(dense.rate_products, sparse_rows.rate_products)
row_product = by_storage(by_dimension(dense.row_product, dense_in_space.row_product),
                         sparse_rows.row_product)
add_row = by_storage(by_dimension(dense.add_row, dense_in_space.add_row),
                     sparse_rows.add_row)
multiply_mass = by_storage(by_dimension(dense.multiply_mass, dense_in_space.multiply_mass),
                           sparse_augmented.multiply_mass)
factor_tangent = by_storage(by_dimension(dense.factor_tangent, dense_in_space.factor_tangent),
                            sparse_tangent.factor_tangent)
solve_tangent = by_storage(by_dimension(dense.solve_tangent, dense_in_space.solve_tangent),
                           sparse_tangent.solve_tangent)
solve_augmented = by_storage(dense.solve_augmented, sparse_augmented.solve_augmented)
factor_dependent = by_storage(transformation.factor_dependent, sparse_dependent.factor_dependent)
prepare_velocity = by_storage(transformation.prepare_velocity, sparse_dependent.prepare_velocity)
apply_r = by_storage(transformation.apply_r, sparse_dependent.apply_r)
apply_s = by_storage(transformation.apply_s, sparse_dependent.apply_s)
apply_s_transposed = by_storage(transformation.apply_s_transposed,
                                sparse_dependent.apply_s_transposed)
