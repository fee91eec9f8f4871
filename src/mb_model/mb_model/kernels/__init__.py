"""Compiled kernels: small, in place, no allocation.

Every kernel takes the compiled `model` and the `work` space of mb_model.record as single records;
Python holds both as arrays of one element, so a function meant to be called from Python takes the
arrays and hands `models[0], works[0]` on (numba accepts an array seven times faster than a record).
What a kernel reads from and leaves in `work` is said in its docstring.

Large kernels that several others call are compiled apart from them, see mb_model.jit.

Large mechanisms: the same algorithms on matrices without zeros, at a cost that grows like n.
`storage` chooses between full matrices (dense, transformation) and these (sparse_...).  A
constraint addresses a dozen coordinates at most, so phi_q is kept by rows over these alone
(sparse_rows), the tangent of the index-3 method as a profile (sparse_profile, sparse_tangent), the
systems of the position problem and of Lagrange's equations as bands (sparse_band, sparse_dependent,
sparse_augmented).  compilation.sparse_structure finds once where everything goes.
"""
